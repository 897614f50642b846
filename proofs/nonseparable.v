(** * The Perceptron without a separator

    Chapter [nonseparable]. *)

From OLC Require Import facts perceptron.

Section Proof.
Variables (n : nat) (u : vector) (margin : R).
Notation P := (perceptron n 1 zero).
Notation M g := (INR (mistakes P g)).
Notation loss := (hinge n u margin).

(** Cauchy and Schwarz for the losses in the rounds of the mistakes. *)

Fixpoint at_mistakes (f : R -> R) (g : game vector) : R :=
  match g with
  | [] => 0
  | (x, y) :: past => at_mistakes f past + if errs P past x y then f (loss x y) else 0
  end.

Lemma losses_and_squares g :
  at_mistakes (fun l => l) g ^ 2 <= M g * at_mistakes (fun l => l ^ 2) g.
Proof.
  assert (Line : forall t, 0 <= M g * t ^ 2 - 2 * t * at_mistakes (fun l => l) g
                              + at_mistakes (fun l => l ^ 2) g).
  { intros t. induction g as [|[x y] past IH]; cbn [at_mistakes mistakes]; [simpl INR; lra|].
    destruct (errs P past x y); rewrite plus_INR; simpl INR; [|lra].
    pose proof (pow2_ge_0 (t - loss x y)). lra. }
  set (A := at_mistakes (fun l => l) g) in *. set (B := at_mistakes (fun l => l ^ 2) g) in *.
  destruct (Req_dec (M g) 0) as [Zero | Some].
  - pose proof (Line 0) as HB. destruct (Req_dec A 0) as [-> | HA]; [rewrite Zero in *; lra|].
    specialize (Line ((B + 1) / (2 * A))). rewrite Zero in *.
    replace (2 * ((B + 1) / (2 * A)) * A) with (B + 1) in Line by (field; lra). lra.
  - assert (0 < M g) by (pose proof (pos_INR (mistakes P g)); lra).
    specialize (Line (A / M g)). apply (Rmult_le_compat_l (M g)) in Line; [|lra].
    replace (M g * (M g * (A / M g) ^ 2 - 2 * (A / M g) * A + B)) with (M g * B - A ^ 2) in Line
      by (field; lra). lra.
Qed.

Lemma squares_at_most g : at_mistakes (fun l => l ^ 2) g <= total (fun x y => loss x y ^ 2) g.
Proof.
  induction g as [|[x y] past IH]; cbn [at_mistakes total]; [lra|].
  pose proof (pow2_ge_0 (loss x y)). destruct (errs _ _ _ _); lra.
Qed.

(** Step 3 of the chapter on the Perceptron, with the losses at mistakes alone. *)

Lemma alignment g : M g * margin - at_mistakes (fun l => l) g <= dot n u (state P g).
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
  set (A := at_mistakes n u margin (fun l => l) g) in *.
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
