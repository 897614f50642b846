(** * The margin Perceptron

    Chapter [thick_separator]. *)

From OLC Require Import facts.

(** ** The algorithm: it also learns from an example that is right by too little *)

Definition thin (thickness s : R) (y : label) : bool :=
  if Rle_dec (y * s) thickness then true else false.

Definition margin_perceptron (n : nat) (rate thickness : R) : learner vector vector := {|
  start := zero;
  predict w x := sign (dot n w x);
  update w x y := if thin thickness (dot n w x) y then add w (rate * y) x else w
|}.

(** ** The proof *)

Section Proof.
Variables (n : nat) (rate thickness radius margin : R) (u : vector).
Hypothesis rate_positive : 0 < rate.
Hypothesis thickness_nonneg : 0 <= thickness.
Hypothesis radius_nonneg : 0 <= radius.
Hypothesis margin_positive : 0 < margin.
Hypothesis unit_length : norm n u = 1.

Notation P := (margin_perceptron n rate thickness).
Notation w g := (state P g).

Fixpoint updates (g : game vector) : nat :=
  match g with
  | [] => 0
  | (x, y) :: past => updates past + if thin thickness (dot n (w past) x) y then 1 else 0
  end.

Definition separable (x : vector) (y : label) : Prop :=
  norm n x <= radius /\ y * dot n u x >= margin.

(** Every mistake is an update. *)

Lemma mistake_is_thin s y : wrong (sign s) y = true -> thin thickness s y = true.
Proof. intros E. apply wrong_sign in E. unfold thin. destruct (Rle_dec _ _); lra || easy. Qed.

(** Steps 1 and 2. The squared length grows by at most r^2 R^2 at a mistake, and by at most
    r^2 R^2 + 2 r thickness at any other update. *)

Lemma upper_bound g : every_round separable g ->
  dot n (w g) (w g) <= INR (updates g) * (rate ^ 2 * radius ^ 2 + 2 * rate * thickness)
    - INR (mistakes P g) * (2 * rate * thickness).
Proof.
  intros H. induction H as [|[x y] past [Hx _] _ IH]; simpl in *; [rewrite dot_zero; lra|].
  unfold errs; simpl. rewrite !plus_INR.
  pose proof (square_le_radius n x radius Hx) as Square.
  assert (rate ^ 2 * dot n x x <= rate ^ 2 * radius ^ 2)
    by (apply Rmult_le_compat_l; [apply pow2_ge_0 | easy]).
  assert (Grow : dot n (add (w past) (rate * y) x) (add (w past) (rate * y) x)
    = dot n (w past) (w past) + 2 * (rate * (y * dot n (w past) x)) + rate ^ 2 * dot n x x).
  { rewrite dot_add_square.
    replace (rate * y * (rate * y) * dot n x x) with (y * y * (rate ^ 2 * dot n x x)) by ring.
    rewrite label_square. ring. }
  destruct (wrong _ y) eqn:E.
  - rewrite (mistake_is_thin _ _ E), Grow. apply wrong_sign in E. simpl INR.
    assert (rate * (y * dot n (w past) x) <= 0)
      by (rewrite <- (Rmult_0_r rate); apply Rmult_le_compat_l; lra). lra.
  - unfold thin. destruct (Rle_dec _ _) as [T | T]; simpl INR; [|lra]. rewrite Grow.
    assert (rate * (y * dot n (w past) x) <= rate * thickness)
      by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Step 3. *)

Lemma lower_bound g : every_round separable g ->
  INR (updates g) * (rate * margin) <= dot n u (w g).
Proof.
  intros H. induction H as [|[x y] past [_ Hu] _ IH]; simpl in *; [rewrite dot_zero; lra|].
  rewrite plus_INR. destruct (thin _ _ _); simpl INR; [|lra]. rewrite dot_add.
  assert (rate * margin <= rate * (y * dot n u x)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Step 4. *)

Lemma combine g : every_round separable g ->
  (INR (updates g) * (rate * margin)) ^ 2
    <= INR (updates g) * (rate ^ 2 * radius ^ 2 + 2 * rate * thickness)
       - INR (mistakes P g) * (2 * rate * thickness).
Proof.
  intros H. pose proof (lower_bound g H) as Low. pose proof (upper_bound g H) as Up.
  pose proof (cauchy_schwarz n u (w g) unit_length).
  assert (0 <= INR (updates g) * (rate * margin))
    by (apply Rmult_le_pos; [apply pos_INR | left; now apply Rmult_lt_0_compat]).
  assert ((INR (updates g) * (rate * margin)) ^ 2 <= dot n u (w g) ^ 2) by (apply pow_incr; lra).
  lra.
Qed.

Lemma mistakes_le_updates g : (mistakes P g <= updates g)%nat.
Proof.
  induction g as [|[x y] past IH]; simpl; [lia|]. unfold errs; simpl.
  destruct (wrong _ y) eqn:E; [rewrite (mistake_is_thin _ _ E)|]; lia.
Qed.

End Proof.

(** ** The theorems

    [thm-margin-perceptron]: the updates, and the margin in the end, if the last pass over
    some examples changed nothing: each of them has a score of more than the thickness. *)

Theorem margin_perceptron_updates :
  forall (n : nat) (rate thickness radius margin : R) (u : vector) (g : game vector),
    0 < rate -> 0 <= thickness -> 0 <= radius -> 0 < margin -> norm n u = 1 ->
    every_round (separable n radius margin u) g ->
    INR (updates n rate thickness g) <= (radius ^ 2 + 2 * thickness / rate) / margin ^ 2.
Proof.
  intros n rate thickness radius margin u g Hr Ht HR Hm Hu H.
  pose proof (combine n rate thickness radius margin u Hr Ht Hm Hu g H) as C.
  set (U := INR (updates n rate thickness g)) in *. set (M := INR (mistakes _ _)) in *.
  assert (HU : 0 <= U) by apply pos_INR. assert (HM : 0 <= M) by apply pos_INR.
  assert (Hp : 0 < (rate * margin) ^ 2) by now apply pow_lt, Rmult_lt_0_compat.
  assert (0 <= M * (2 * rate * thickness)) by (repeat apply Rmult_le_pos; lra).
  apply (Rmult_le_reg_r ((rate * margin) ^ 2)); [easy|].
  replace ((radius ^ 2 + 2 * thickness / rate) / margin ^ 2 * (rate * margin) ^ 2)
    with (rate ^ 2 * radius ^ 2 + 2 * rate * thickness) by (field; lra).
  pose proof (pow2_ge_0 (rate * radius)).
  assert (0 <= rate * thickness) by (apply Rmult_le_pos; lra).
  destruct (Req_dec U 0) as [-> | Some]; [lra|].
  apply (Rmult_le_reg_l U); [lra|].
  replace (U * (U * (rate * margin) ^ 2)) with ((U * (rate * margin)) ^ 2) by ring. lra.
Qed.

Theorem margin_perceptron_margin :
  forall (n : nat) (thickness radius margin : R) (u : vector) (g : game vector) (x : vector)
         (y : label),
    0 < thickness -> 0 <= radius -> 0 < margin -> norm n u = 1 ->
    every_round (separable n radius margin u) g ->
    let w := state (margin_perceptron n 1 thickness) g in
    y * dot n w x > thickness ->
    y * dot n w x / norm n w > margin * thickness / (radius ^ 2 + 2 * thickness).
Proof.
  intros n thickness radius margin u g x y Ht HR Hm Hu H w Stop.
  pose proof (margin_perceptron_updates n 1 thickness radius margin u g ltac:(lra) ltac:(lra)
    HR Hm Hu H) as Most.
  pose proof (upper_bound n 1 thickness radius margin u ltac:(lra) ltac:(lra) g H) as Up.
  fold w in Up.
  set (U := INR (updates n 1 thickness g)) in *. set (b := radius ^ 2 + 2 * thickness).
  assert (Hb : 0 < b) by (unfold b; pose proof (pow2_ge_0 radius); lra).
  assert (0 <= INR (mistakes (margin_perceptron n 1 thickness) g) * (2 * 1 * thickness))
    by (apply Rmult_le_pos; [apply pos_INR | lra]).
  assert (Long : norm n w <= b / margin).
  { apply square_le; [left; now apply Rdiv_lt_0_compat|]. rewrite <- norm_square.
    apply Rle_trans with (U * b); [unfold b; lra|].
    replace ((b / margin) ^ 2) with (b / margin ^ 2 * b) by (field; lra).
    apply Rmult_le_compat_r; [lra|]. unfold b. unfold Rdiv in *. rewrite Rinv_1, Rmult_1_r in Most.
    exact Most. }
  assert (Pos : 0 < norm n w).
  { destruct (norm_nonneg n w) as [P | Zero]; [easy | exfalso].
    assert (Zw : dot n w w = 0) by (rewrite norm_square, <- Zero; ring).
    (* then every weight is 0, and the score, too *)
    enough (dot n w x = 0) by (rewrite H1, Rmult_0_r in Stop; lra).
    unfold dot. rewrite (sum_eq n _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros i Hi. enough (w i * w i <= 0) as Sq.
    { assert (w i = 0) as -> by (apply Rsqr_0_uniq; unfold Rsqr; pose proof (Rle_0_sqr (w i));
        unfold Rsqr in *; lra). ring. }
    rewrite <- Zw. apply (sum_term n (fun i => w i * w i)); [|easy].
    intros; apply Rle_0_sqr. }
  apply Rlt_gt. apply (Rmult_lt_reg_r (norm n w)); [easy|].
  unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. fold b.
  apply Rle_lt_trans with (margin * thickness / b * (b / margin)).
  - apply Rmult_le_compat_l; [|easy]. left. apply Rdiv_lt_0_compat; [|easy].
    apply Rmult_lt_0_compat; lra.
  - replace (margin * thickness / b * (b / margin)) with thickness by (field; lra). lra.
Qed.

(** [thm-margin-mistakes], with the rate 1 *)

Theorem margin_perceptron_mistakes :
  forall (n : nat) (thickness radius margin : R) (u : vector) (g : game vector),
    0 <= thickness -> 0 <= radius -> 0 < margin -> norm n u = 1 ->
    every_round (separable n radius margin u) g ->
    let M := INR (mistakes (margin_perceptron n 1 thickness) g) in
    (thickness <= radius ^ 2 / 2 -> M <= radius ^ 2 / margin ^ 2)
    /\ (0 < thickness ->
        M <= (radius ^ 2 + 2 * thickness) ^ 2 / (8 * thickness * margin ^ 2)).
Proof.
  intros n thickness radius margin u g Ht HR Hm Hu H M.
  pose proof (combine n 1 thickness radius margin u ltac:(lra) Ht Hm Hu g H) as C. fold M in C.
  pose proof (mistakes_le_updates n 1 thickness Ht g) as Fewer.
  apply le_INR in Fewer. fold M in Fewer.
  set (U := INR (updates n 1 thickness g)) in *. assert (HM : 0 <= M) by apply pos_INR.
  assert (Hp : 0 < margin ^ 2) by now apply pow_lt.
  set (b := radius ^ 2 + 2 * thickness).
  assert (C' : U ^ 2 * margin ^ 2 <= U * b - M * (2 * thickness)) by (unfold b; lra).
  split.
  - intros Small. apply Rnot_lt_le. intros More.
    assert (A : radius ^ 2 < M * margin ^ 2).
    { apply (Rmult_lt_compat_r (margin ^ 2)) in More; [|easy].
      replace (radius ^ 2 / margin ^ 2 * margin ^ 2) with (radius ^ 2) in More by (field; lra).
      lra. }
    (* U (b - U margin^2) falls from U = M on *)
    assert (B : 0 <= (U - M) * (margin ^ 2 * (U + M) - b)).
    { apply Rmult_le_pos; [lra|]. assert (M * margin ^ 2 <= U * margin ^ 2)
        by (apply Rmult_le_compat_r; lra). unfold b. lra. }
    assert (D : M * (M * margin ^ 2) <= M * radius ^ 2) by (unfold b in *; lra).
    destruct (Req_dec M 0) as [Z | Some].
    + rewrite Z in A. pose proof (pow2_ge_0 radius). lra.
    + apply Rmult_le_reg_l in D; lra.
  - intros Pos. apply (Rmult_le_reg_r (8 * thickness * margin ^ 2)).
    + repeat apply Rmult_lt_0_compat; lra.
    + replace (b ^ 2 / (8 * thickness * margin ^ 2) * (8 * thickness * margin ^ 2)) with (b ^ 2)
        by (field; lra).
      (* (b - 2 U margin^2)^2 is not negative *)
      pose proof (pow2_ge_0 (b - 2 * U * margin ^ 2)) as Sq.
      apply (Rmult_le_compat_r (4 * margin ^ 2)) in C'; [|lra]. lra.
Qed.
