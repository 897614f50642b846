(** * The Perceptron without a separator

    Chapter [nonseparable]. *)

From OLC Require Import facts perceptron.

Section Proof.
Variables (n : nat) (u : vector) (margin : R).
Notation P := (perceptron n 1 zero).
Notation M g := (INR (mistakes P g)).
Notation loss := (hinge n u margin).

(** Cauchy and Schwarz for the losses in the rounds of the mistakes. *)

Notation losses g := (at_mistakes P (fun x y => loss x y) g).
Notation squares g := (at_mistakes P (fun x y => loss x y ^ 2) g).

Lemma losses_and_squares g :
  losses g ^ 2 <= M g * squares g.
Proof.
  assert (Line : forall t, 0 <= M g * t ^ 2 - 2 * t * losses g
                              + squares g).
  { intros t. induction g as [|[x y] past IH]; cbn [at_mistakes mistakes]; [simpl INR; lra|].
    destruct (errs P past x y); rewrite plus_INR; simpl INR; [|lra].
    pose proof (pow2_ge_0 (t - loss x y)). lra. }
  set (A := losses g) in *. set (B := squares g) in *.
  destruct (Req_dec (M g) 0) as [Zero | Some].
  - pose proof (Line 0) as HB. destruct (Req_dec A 0) as [-> | HA]; [rewrite Zero in *; lra|].
    specialize (Line ((B + 1) / (2 * A))). rewrite Zero in *.
    replace (2 * ((B + 1) / (2 * A)) * A) with (B + 1) in Line by (field; lra). lra.
  - assert (0 < M g) by (pose proof (pos_INR (mistakes P g)); lra).
    specialize (Line (A / M g)). apply (Rmult_le_compat_l (M g)) in Line; [|lra].
    replace (M g * (M g * (A / M g) ^ 2 - 2 * (A / M g) * A + B)) with (M g * B - A ^ 2) in Line
      by (field; lra). lra.
Qed.

Lemma squares_at_most g : squares g <= total (fun x y => loss x y ^ 2) g.
Proof.
  induction g as [|[x y] past IH]; cbn [at_mistakes total]; [lra|].
  pose proof (pow2_ge_0 (loss x y)). destruct (errs _ _ _ _); lra.
Qed.

(** Step 3 of the chapter on the Perceptron, with the losses at mistakes alone. *)

Lemma alignment g : M g * margin - losses g <= dot n u (state P g).
Proof.
  induction g as [|[x y] past IH]; simpl; [rewrite dot_zero; lra|].
  pose proof (Rmax_r 0 (margin - y * dot n u x)) as Lack. fold (loss x y) in Lack.
  unfold errs; simpl. destruct (wrong _ y); rewrite plus_INR; simpl; [|lra].
  rewrite dot_add. lra.
Qed.

End Proof.

(** [thm-perceptron-agnostic] *)

Theorem perceptron_without_separability :
  forall (n : nat) (u : vector) (radius margin : R) (g : game vector),
    0 < margin -> 0 <= radius -> norm n u = 1 ->
    every_round (fun x y => norm n x <= radius) g ->
    let D2 := total (fun x y => hinge n u margin x y ^ 2) g in
    INR (mistakes (perceptron n 1 zero) g) <= ((radius + sqrt D2) / margin) ^ 2.
Proof.
  intros n u radius margin g Hm HR Hu Radius D2.
  set (M := INR _). assert (HM : 0 <= M) by apply pos_INR.
  pose proof (alignment n u margin g) as Low. fold M in Low.
  pose proof (upper_bound n 1 zero radius ltac:(lra) g Radius) as Up. fold M in Up.
  rewrite dot_zero in Up.
  pose proof (losses_and_squares n u margin g) as CS. fold M in CS.
  pose proof (squares_at_most n u margin g) as Most. fold D2 in Most.
  set (A := at_mistakes _ (fun x y => hinge n u margin x y) g) in *.
  set (s := sqrt M). assert (Hs : 0 <= s) by apply sqrt_pos.
  assert (Es : s * s = M) by now apply sqrt_sqrt.
  set (d := sqrt D2). assert (Hd : 0 <= d) by apply sqrt_pos.
  assert (HD : 0 <= D2).
  { unfold D2. clear. induction g as [|[x y] past IH]; cbn [total]; [lra|].
    pose proof (pow2_ge_0 (hinge n u margin x y)). lra. }
  assert (Ed : d * d = D2) by now apply sqrt_sqrt.
  assert (HA : A <= s * d).
  { apply square_le; [now apply Rmult_le_pos|].
    replace ((s * d) ^ 2) with (s * s * (d * d)) by ring. rewrite Es, Ed.
    eapply Rle_trans; [exact CS | now apply Rmult_le_compat_l]. }
  assert (HL : dot n u (state (perceptron n 1 zero) g) <= s * radius).
  { apply square_le; [now apply Rmult_le_pos|].
    replace ((s * radius) ^ 2) with (s * s * radius ^ 2) by ring. rewrite Es.
    eapply Rle_trans; [now apply cauchy_schwarz | rewrite Rmult_1_l in Up; lra]. }
  assert (Lin : s * (s * margin) <= s * (radius + d)).
  { replace (s * (s * margin)) with (M * margin) by (rewrite <- Es; ring). lra. }
  assert (s * margin <= radius + d).
  { destruct (Req_dec s 0) as [-> | Some]; [lra|]. apply (Rmult_le_reg_l s); lra. }
  replace M with (s ^ 2) by (rewrite <- Es; ring). apply pow_incr. split; [easy|].
  apply (Rmult_le_reg_r margin); [easy|].
  replace ((radius + d) / margin * margin) with (radius + d) by (field; lra). lra.
Qed.

(** [thm-perceptron-long-run]: P passes through the same examples. The order may be another
    in each pass: all that counts is that the losses of u add up to P D. *)

Theorem perceptron_long_run :
  forall (n : nat) (u : vector) (margin D P : R) (g : game vector),
    0 < margin -> 0 < P -> norm n u = 1 ->
    total (hinge n u margin) g = P * D ->
    let w := state (perceptron n 1 zero) g in
    INR (mistakes (perceptron n 1 zero) g) / P <= D / margin + norm n w / (margin * P).
Proof.
  intros n u margin D P g Hm HP Hu Sum w.
  pose proof (lower_bound n 1 zero u margin ltac:(lra) g) as Low. fold w in Low.
  rewrite dot_zero, Sum in Low. set (M := INR _) in *.
  assert (dot n u w <= norm n w).
  { apply square_le; [apply norm_nonneg|]. rewrite <- norm_square. now apply cauchy_schwarz. }
  apply (Rmult_le_reg_r (margin * P)); [now apply Rmult_lt_0_compat|].
  replace (M / P * (margin * P)) with (M * margin) by (field; lra).
  replace ((D / margin + norm n w / (margin * P)) * (margin * P)) with (P * D + norm n w)
    by (field; lra). lra.
Qed.

(** ** Without a margin

    The examples are points (a, 1) of the plane. The vector (1, -theta) says + on those
    with a above theta. *)

Definition point (a : R) : vector := fun i => match i with O => a | _ => 1 end.

Definition above (theta : R) : vector := fun i => match i with O => 1 | _ => - theta end.

Definition right (u : vector) (x : vector) (y : label) : Prop :=
  wrong (sign (dot 2 u x)) y = false.

Lemma right_above theta a (y : label) : 0 < y * (a - theta) -> right (above theta) (point a) y.
Proof.
  intros H. unfold right. apply Bool.not_true_is_false. intros W.
  apply wrong_sign in W. unfold dot in W. simpl sum in W. simpl above in W. simpl point in W. lra.
Qed.

(** In every round the adversary shows the middle of an interval of thresholds, and keeps
    the half that is right about the label that was not predicted. *)

Lemma bisection {State} (L : learner State vector) (T : nat) :
  exists (g : game vector) (low high : R),
    length g = T /\ mistakes L g = T /\ low < high
    /\ every_round (fun x y => exists a, x = point a) g
    /\ forall theta, low < theta < high -> every_round (right (above theta)) g.
Proof.
  induction T as [|T [g [low [high [Long [Wrong [Open [Points Right]]]]]]]].
  - exists [], 0, 1. repeat split; constructor || lra.
  - set (a := (low + high) / 2).
    set (y := match predict L (state L g) (point a) with Some plus => minus | _ => plus end).
    assert (E : errs L g (point a) y = true).
    { unfold errs, y. destruct (predict _ _ _) as [[]|]; easy. }
    exists ((point a, y) :: g).
    exists (match y with plus => low | minus => a end).
    exists (match y with plus => a | minus => high end).
    repeat split.
    + simpl. now rewrite Long.
    + cbn [mistakes]. rewrite E, Wrong. lia.
    + unfold a. destruct y; lra.
    + constructor; [now exists a | easy].
    + intros theta H. constructor.
      * apply right_above. unfold a in *. destruct y; simpl; lra.
      * apply Right. unfold a in *. destruct y; lra.
Qed.

(** [thm-no-margin] *)

Theorem without_a_margin :
  forall (State : Type) (L : learner State vector) (T : nat),
    exists (g : game vector) (u : vector),
      length g = T /\ mistakes L g = T
      /\ every_round (fun x y => exists a, x = point a) g
      /\ every_round (right u) g.
Proof.
  intros State L T.
  destruct (bisection L T) as [g [low [high [Long [Wrong [Open [Points Right]]]]]]].
  exists g, (above ((low + high) / 2)). repeat split; try easy. apply Right. lra.
Qed.
