(** * The Perceptron

    Chapter [perceptron]. *)

From OLC Require Import facts.

(** ** The algorithm

    In the box the rate is 1 and the start is 0. *)

Definition perceptron (n : nat) (rate : R) (w1 : vector) : learner vector vector := {|
  start := w1;
  predict w x := sign (dot n w x);
  update w x y := if wrong (sign (dot n w x)) y then add w (rate * y) x else w
|}.

(** ** The proof *)

Section Proof.
Variables (n : nat) (rate : R) (w1 u : vector) (radius margin : R).
Hypothesis rate_positive : 0 < rate.

Notation w g := (state (perceptron n rate w1) g).
Notation M g := (INR (mistakes (perceptron n rate w1) g)).

(** Step 1. The potential is the square of the length. *)

Notation potential g := (dot n (w g) (w g)).

(** Step 2. A mistake adds at most (rate radius)^2 to it: the cross term is not
    positive. *)

Lemma upper_bound (g : game vector) : every_round (fun x y => norm n x <= radius) g ->
  potential g <= dot n w1 w1 + M g * (rate * radius) ^ 2.
Proof.
  intros H. induction H as [|[x y] past Hx _ IH]; simpl in *; [lra|].
  unfold errs; simpl. destruct (wrong _ y) eqn:E; rewrite plus_INR; simpl; [|lra].
  apply wrong_sign in E. rewrite dot_add_square.
  apply square_le_radius in Hx. pose proof (label_square y).
  assert (rate * (y * dot n (w past) x) <= 0) 
    by (rewrite <- (Rmult_0_r rate); apply Rmult_le_compat_l; lra).
  assert (rate ^ 2 * dot n x x <= rate ^ 2 * radius ^ 2)
    by (apply Rmult_le_compat_l; [apply pow2_ge_0 | easy]).
  replace (rate * y * (rate * y) * dot n x x) with (y * y * (rate ^ 2 * dot n x x)) by ring.
  rewrite H. lra.
Qed.

(** Step 3. A mistake adds rate y <u, x> to the alignment with u: at least the rate times
    the margin less what the example lacks of it. *)

Definition hinge (x : vector) (y : label) : R := Rmax 0 (margin - y * dot n u x).

Lemma hinge_nonneg x y : 0 <= hinge x y.
Proof. apply Rmax_l. Qed.

Lemma lower_bound (g : game vector) :
  dot n u w1 + rate * (M g * margin - total hinge g) <= dot n u (w g).
Proof.
  induction g as [|[x y] past IH]; simpl; [lra|].
  pose proof (Rmax_r 0 (margin - y * dot n u x)) as Lack. fold (hinge x y) in Lack.
  pose proof (hinge_nonneg x y). unfold errs; simpl.
  destruct (wrong _ y); rewrite plus_INR; simpl.
  - rewrite dot_add.
    assert (rate * (margin - hinge x y) <= rate * (y * dot n u x))
      by (apply Rmult_le_compat_l; lra). lra.
  - assert (0 <= rate * hinge x y) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma no_hinge (g : game vector) :
  every_round (fun x y => y * dot n u x >= margin) g -> total hinge g = 0.
Proof.
  intros H. induction H as [|[x y] past Hu _ IH]; simpl in *; [easy|].
  rewrite IH. unfold hinge. rewrite Rmax_left by lra. lra.
Qed.

(** Step 4. The alignment with a vector of length 1 is at most the length. *)

Lemma combine (g : game vector) : norm n u = 1 ->
  every_round (fun x y => norm n x <= radius) g ->
  let gain := rate * (M g * margin - total hinge g) in
  gain <= norm n w1 \/ (gain - norm n w1) ^ 2 <= norm n w1 ^ 2 + M g * (rate * radius) ^ 2.
Proof.
  intros Hu H gain. destruct (Rle_dec gain (norm n w1)) as [|C]; [now left | right].
  pose proof (upper_bound g H) as Up. pose proof (lower_bound g) as Low. fold gain in Low.
  rewrite norm_square in Up.
  assert (- norm n w1 <= dot n u w1).
  { enough (- dot n u w1 <= norm n w1) by lra. apply square_le; [apply norm_nonneg|].
    pose proof (cauchy_schwarz n u w1 Hu). rewrite norm_square in *. lra. }
  pose proof (cauchy_schwarz n u (w g) Hu).
  assert ((gain - norm n w1) ^ 2 <= dot n u (w g) ^ 2) by (apply pow_incr; lra).
  rewrite norm_square in *. lra.
Qed.

End Proof.

(** ** The theorems

    [thm-perceptron], with any rate and from any start. *)

Theorem perceptron_convergence :
  forall (n : nat) (rate : R) (w1 u : vector) (radius margin : R) (g : game vector),
    0 < rate -> 0 < margin -> norm n u = 1 ->
    every_round (fun x y => norm n x <= radius) g ->
    every_round (fun x y => y * dot n u x >= margin) g ->
    INR (mistakes (perceptron n rate w1) g)
      <= radius ^ 2 / margin ^ 2 + 2 * norm n w1 / (rate * margin).
Proof.
  intros n rate w1 u radius margin g Hr Hm Hu Radius Margin.
  pose proof (combine n rate w1 u radius margin Hr g Hu Radius) as C. simpl in C.
  rewrite no_hinge, Rminus_0_r in C by easy.
  set (M := INR _) in *. set (l := norm n w1) in *.
  assert (HM : 0 <= M) by apply pos_INR. assert (Hl : 0 <= l) by apply norm_nonneg.
  assert (Hs : 0 < rate * margin) by now apply Rmult_lt_0_compat.
  (* Step 5. Solve for M. *)
  set (b := M * (rate * margin)).
  replace (rate * (M * margin)) with b in C by (unfold b; ring).
  apply (Rmult_le_reg_r ((rate * margin) ^ 2)); [now apply pow_lt|].
  replace ((radius ^ 2 / margin ^ 2 + 2 * l / (rate * margin)) * (rate * margin) ^ 2)
    with ((rate * radius) ^ 2 + 2 * l * (rate * margin)) by (field; lra).
  replace (M * (rate * margin) ^ 2) with (b * (rate * margin)) by (unfold b; ring).
  pose proof (pow2_ge_0 (rate * radius)).
  assert (0 <= l * (rate * margin)) by (apply Rmult_le_pos; lra).
  destruct C as [Small | C].
  - assert (b * (rate * margin) <= l * (rate * margin)) by (apply Rmult_le_compat_r; lra). lra.
  - destruct (Req_dec M 0) as [Zero | Some]; [unfold b; rewrite Zero; lra|].
    apply (Rmult_le_reg_l M); [lra|].
    replace (M * (b * (rate * margin))) with (b * b) by (unfold b; ring).
    replace (M * ((rate * radius) ^ 2 + 2 * l * (rate * margin)))
      with (M * (rate * radius) ^ 2 + 2 * l * b) by (unfold b; ring). lra.
Qed.

Corollary perceptron_convergence_from_zero :
  forall (n : nat) (rate : R) (u : vector) (radius margin : R) (g : game vector),
    0 < rate -> 0 < margin -> norm n u = 1 ->
    every_round (fun x y => norm n x <= radius) g ->
    every_round (fun x y => y * dot n u x >= margin) g ->
    INR (mistakes (perceptron n rate zero) g) <= radius ^ 2 / margin ^ 2.
Proof.
  intros n rate u radius margin g Hr Hm Hu Radius Margin.
  pose proof (perceptron_convergence n rate zero u radius margin g Hr Hm Hu Radius Margin) as B.
  rewrite norm_zero in B. unfold Rdiv in *. lra.
Qed.

(** [thm-perceptron-hinge]: any u of length 1 and any margin, with what they lack. *)

Theorem perceptron_hinge :
  forall (n : nat) (u : vector) (radius margin : R) (g : game vector),
    0 < margin -> 0 <= radius -> norm n u = 1 ->
    every_round (fun x y => norm n x <= radius) g ->
    let M := INR (mistakes (perceptron n 1 zero) g) in
    let D := total (hinge n u margin) g in
    let rho := radius / margin in
    M <= D / margin + rho * sqrt M
    /\ sqrt M <= rho / 2 + sqrt (rho ^ 2 / 4 + D / margin).
Proof.
  intros n u radius margin g Hm HR Hu Radius M D rho.
  pose proof (combine n 1 zero u radius margin ltac:(lra) g Hu Radius) as C. simpl in C.
  fold M D in C. rewrite norm_zero in C.
  assert (HM : 0 <= M) by apply pos_INR.
  pose proof (sqrt_pos M) as Hs. pose proof (sqrt_sqrt M HM) as Square. set (s := sqrt M) in *.
  assert (HD : 0 <= D).
  { unfold D. clear. induction g as [|[x y] past IH]; simpl; [lra|].
    pose proof (hinge_nonneg n u margin x y). lra. }
  assert (First : M * margin - D <= radius * s).
  { destruct C as [|C]; [apply Rle_trans with 0; [lra | now apply Rmult_le_pos]|].
    apply square_le; [now apply Rmult_le_pos|].
    replace ((radius * s) ^ 2) with (s * s * radius ^ 2) by ring. rewrite Square.
    simpl in C |- *. lra. }
  assert (Second : M <= D / margin + rho * s).
  { apply (Rmult_le_reg_r margin); [easy|]. unfold rho.
    replace ((D / margin + radius / margin * s) * margin) with (D + radius * s) by (field; lra).
    lra. }
  split; [exact Second|].
  assert (0 <= D / margin) by (apply Rmult_le_pos; [easy | left; now apply Rinv_0_lt_compat]).
  assert (Inside : 0 <= rho ^ 2 / 4 + D / margin) by (pose proof (pow2_ge_0 rho); lra).
  enough (s - rho / 2 <= sqrt (rho ^ 2 / 4 + D / margin)) by lra.
  apply square_le; [apply sqrt_pos|]. rewrite pow2_sqrt by easy.
  replace ((s - rho / 2) ^ 2) with (s * s - rho * s + rho ^ 2 / 4) by field. rewrite Square. lra.
Qed.

(** [thm-perceptron-wrong-labels]: u has the margin on all examples but m. *)

Definition lacks (n : nat) (u : vector) (margin : R) (x : vector) (y : label) : bool :=
  if Rlt_dec (y * dot n u x) margin then true else false.

Theorem perceptron_wrong_labels :
  forall (n : nat) (u : vector) (radius margin : R) (g : game vector),
    0 < margin -> 0 <= radius -> norm n u = 1 ->
    every_round (fun x y => norm n x <= radius) g ->
    let M := INR (mistakes (perceptron n 1 zero) g) in
    let m := total (fun x y => lacks n u margin x y) g in
    let rho := radius / margin in
    sqrt M <= rho / 2 + sqrt (rho ^ 2 / 4 + m * (1 + rho))
    /\ (m = 1 -> M <= (rho + 1) ^ 2).
Proof.
  intros n u radius margin g Hm HR Hu Radius M m rho.
  destruct (perceptron_hinge n u radius margin g Hm HR Hu Radius) as [_ B].
  fold M rho in B. set (D := total (hinge n u margin) g) in *.
  assert (HD : D <= m * (margin + radius)).
  { unfold D, m. clear B. induction Radius as [|[x y] past Hx _ IH]; simpl in *; [lra|].
    unfold lacks, hinge in *. destruct (Rlt_dec _ _) as [L | L]; simpl.
    - rewrite Rmax_right by lra. enough (- radius <= y * dot n u x) by lra.
      enough (- (y * dot n u x) <= radius) by lra. apply square_le; [easy|].
      pose proof (cauchy_schwarz n u x Hu). pose proof (square_le_radius n x radius Hx).
      replace ((- (y * dot n u x)) ^ 2) with (y * y * dot n u x ^ 2) by ring.
      rewrite label_square. lra.
    - rewrite Rmax_left by lra. lra. }
  assert (HDm : D / margin <= m * (1 + rho)).
  { apply (Rmult_le_reg_r margin); [easy|]. unfold rho.
    replace (D / margin * margin) with D by (field; lra).
    replace (m * (1 + radius / margin) * margin) with (m * (margin + radius)) by (field; lra).
    easy. }
  assert (First : sqrt M <= rho / 2 + sqrt (rho ^ 2 / 4 + m * (1 + rho))).
  { eapply Rle_trans; [exact B|]. apply Rplus_le_compat_l. apply sqrt_le_1_alt. lra. }
  split; [exact First | intros One].
  rewrite One in First. assert (Hrho : 0 <= rho).
  { apply Rmult_le_pos; [easy | left; now apply Rinv_0_lt_compat]. }
  replace (rho ^ 2 / 4 + 1 * (1 + rho)) with ((rho / 2 + 1) ^ 2) in First by field.
  rewrite sqrt_pow2 in First by lra.
  rewrite <- (pow2_sqrt M) by apply pos_INR. apply pow_incr. split; [apply sqrt_pos | lra].
Qed.
