(** * What the proofs need and every textbook has: sums, inner products, logarithms *)

Require Export Lra Lia.
From OLC Require Export game.

(** ** Sums *)

Lemma sum_eq n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [easy|].
  rewrite IH, (H n) by auto with arith. easy.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; auto with arith.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_times n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR; simpl; rewrite IH; lra. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  intros H. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; lra).
  now apply sum_le.
Qed.

(** One of several terms that are not negative is at most their sum. *)

Lemma sum_term n f i :
  (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> f i <= sum n f.
Proof.
  intros H Hi. induction n as [|n IH]; [lia|]. simpl.
  assert (0 <= sum n f) by (apply sum_nonneg; auto with arith).
  assert (0 <= f n) by auto with arith.
  destruct (Nat.eq_dec i n) as [->|]; [lra|].
  assert (f i <= sum n f) by (apply IH; auto with arith; lia). lra.
Qed.

Lemma sum_pos n f : (0 < n)%nat -> (forall i, 0 < f i) -> 0 < sum n f.
Proof.
  intros Hn H. apply Rlt_le_trans with (f O); [apply H|].
  apply sum_term; [|easy]. intros; left; apply H.
Qed.

Lemma INR_pos n : (0 < n)%nat -> 0 < INR n.
Proof. apply lt_0_INR. Qed.

(** ** Labels *)

Lemma label_square (y : label) : y * y = 1.
Proof. destruct y; simpl; lra. Qed.

(** A prediction by sign is wrong if the score is 0 or on the other side. *)

Lemma wrong_sign (s : R) (y : label) : wrong (sign s) y = true <-> y * s <= 0.
Proof.
  unfold sign. destruct y; simpl; destruct (Rlt_dec 0 s), (Rlt_dec s 0); simpl;
    split; intros; try easy; lra.
Qed.

Lemma right_sign (s : R) (y : label) : wrong (sign s) y = false -> 0 < y * s.
Proof.
  intros H. apply Rnot_le_lt. intros C. apply wrong_sign in C. congruence.
Qed.

(** ** Inner products *)

Lemma dot_sym n u v : dot n u v = dot n v u.
Proof. apply sum_eq; intros; lra. Qed.

Lemma dot_add n u w c x : dot n u (add w c x) = dot n u w + c * dot n u x.
Proof.
  unfold dot, add. rewrite <- sum_times, <- sum_plus. apply sum_eq; intros; lra.
Qed.

Lemma dot_add_square n w c x :
  dot n (add w c x) (add w c x) = dot n w w + 2 * c * dot n w x + c * c * dot n x x.
Proof.
  rewrite dot_add, (dot_sym n _ w), (dot_sym n _ x), !dot_add, (dot_sym n x w). lra.
Qed.

Lemma dot_zero n u : dot n u zero = 0.
Proof.
  unfold dot, zero. rewrite (sum_eq n _ (fun _ => 0)) by (intros; lra).
  rewrite sum_const. lra.
Qed.

Lemma dot_nonneg n u : 0 <= dot n u u.
Proof. apply sum_nonneg; intros. apply Rle_0_sqr. Qed.

Lemma norm_nonneg n u : 0 <= norm n u.
Proof. apply sqrt_pos. Qed.

Lemma norm_square n u : dot n u u = norm n u ^ 2.
Proof. unfold norm. rewrite pow2_sqrt; auto using dot_nonneg. Qed.

Lemma norm_zero n : norm n zero = 0.
Proof. unfold norm. rewrite dot_zero. apply sqrt_0. Qed.

Lemma square_le_radius n x radius : norm n x <= radius -> dot n x x <= radius ^ 2.
Proof.
  intros H. rewrite norm_square. apply pow_incr. auto using norm_nonneg.
Qed.

(** Cauchy and Schwarz, for a vector u of length 1: v - <u, v> u has a square. *)

Lemma cauchy_schwarz n u v : norm n u = 1 -> dot n u v ^ 2 <= dot n v v.
Proof.
  intros H. assert (Hu : dot n u u = 1) by (rewrite norm_square, H; lra).
  pose proof (dot_nonneg n (add v (- dot n u v) u)) as H0.
  rewrite dot_add_square, Hu, (dot_sym n v u) in H0. lra.
Qed.

(** If both are lengths, a square that is not larger belongs to one that is not longer. *)

Lemma square_le a b : 0 <= b -> a ^ 2 <= b ^ 2 -> a <= b.
Proof.
  intros Hb H. destruct (Rle_dec a b) as [|C]; [easy|].
  assert (b * b < a * a) by (apply Rmult_le_0_lt_compat; lra). lra.
Qed.

(** ** Logarithms *)

Lemma ln_mono a b : 0 < a -> a <= b -> ln a <= ln b.
Proof. intros Ha [H | ->]; [left; now apply ln_increasing | lra]. Qed.

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H | ->]; [left; now apply exp_increasing | lra]. Qed.

Lemma ln_below z : 0 < z -> ln z <= z - 1.
Proof.
  intros H. pose proof (exp_ineq1_le (ln z)) as E. rewrite exp_ln in E by easy. lra.
Qed.

Lemma ln_div a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof.
  intros. unfold Rdiv. rewrite ln_mult, ln_Rinv by auto using Rinv_0_lt_compat. lra.
Qed.

(** A function with a derivative that is not negative does not fall. *)

Lemma rises f f' a b : a <= b ->
  (forall c, a <= c <= b -> derivable_pt_lim f c (f' c)) ->
  (forall c, a < c < b -> 0 <= f' c) -> f a <= f b.
Proof.
  intros [H | ->] D P; [|lra].
  destruct (MVT_cor2 f f' a b H D) as [c [E Hc]].
  assert (0 <= f' c * (b - a)) by (apply Rmult_le_pos; [now apply P | lra]). lra.
Qed.

(** For z up to 1/2: z + z^2 + ln(1 - z) is 0 at 0 and has the derivative
    z (1 - 2 z) / (1 - z). *)

Lemma ln_square z : 0 <= z <= 1 / 2 -> ln (1 / (1 - z)) <= z + z ^ 2.
Proof.
  intros H. rewrite ln_div, ln_1 by lra.
  enough (0 + 0 * 0 + ln (1 - 0) <= z + z * z + ln (1 - z))
    by (rewrite Rminus_0_r, ln_1 in *; lra).
  apply (rises (fun z => z + z * z + ln (1 - z))
    (fun z => 1 + (1 * z + z * 1) + / (1 - z) * (0 - 1))); [easy| |].
  - intros c Hc.
    apply (derivable_pt_lim_plus (fun z => z + z * z) (fun z => ln (1 - z))).
    + apply (derivable_pt_lim_plus id (fun z => z * z)); [apply derivable_pt_lim_id|].
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    + apply (derivable_pt_lim_comp (fun z => 1 - z) ln).
      * apply (derivable_pt_lim_minus (fct_cte 1) id);
          [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
      * apply derivable_pt_lim_ln. lra.
  - intros c Hc.
    replace (1 + (1 * c + c * 1) + / (1 - c) * (0 - 1)) with (c * (1 - 2 * c) / (1 - c))
      by (field; lra).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra].
Qed.

(** ** Hyperbolic functions *)

Lemma exp_tangent z c : exp c * (1 + (z - c)) <= exp z.
Proof.
  replace (exp z) with (exp c * exp (z - c)) by (rewrite <- exp_plus; f_equal; lra).
  apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le].
Qed.

Lemma cosh_tangent z c : cosh c + (z - c) * sinh c <= cosh z.
Proof.
  unfold cosh, sinh. pose proof (exp_tangent z c). pose proof (exp_tangent (- z) (- c)). lra.
Qed.

Lemma cosh_pos z : 0 < cosh z.
Proof. unfold cosh. pose proof (exp_pos z). pose proof (exp_pos (- z)). lra. Qed.

Lemma cosh_ge_1 z : 1 <= cosh z.
Proof. pose proof (cosh_tangent z 0). rewrite cosh_0, sinh_0 in *. lra. Qed.

Lemma sinh_nonneg z : 0 <= z -> 0 <= sinh z.
Proof.
  intros H. rewrite <- sinh_0. apply (rises sinh cosh); [easy| |].
  - intros; apply derivable_pt_lim_sinh.
  - intros; left; apply cosh_pos.
Qed.

(** The chord of exp over [-a, a] lies above it: exp is convex. *)

Lemma exp_chord a t : -1 <= t <= 1 -> exp (a * t) <= cosh a + t * sinh a.
Proof.
  intros H. unfold cosh, sinh.
  pose proof (exp_tangent a (a * t)) as P. pose proof (exp_tangent (- a) (a * t)) as Q.
  apply (Rmult_le_compat_l ((1 + t) / 2)) in P; [|lra].
  apply (Rmult_le_compat_l ((1 - t) / 2)) in Q; [|lra]. lra.
Qed.

Lemma sinh_le z : 0 <= z -> sinh z <= z * cosh z.
Proof.
  intros H. enough (0 * cosh 0 - sinh 0 <= z * cosh z - sinh z) by (rewrite sinh_0 in *; lra).
  apply (rises (fun z => id z * cosh z - sinh z)
    (fun z => (1 * cosh z + id z * sinh z) - cosh z)); [easy| |].
  - intros c _. apply (derivable_pt_lim_minus (fun z => id z * cosh z) sinh);
      [|apply derivable_pt_lim_sinh].
    apply (derivable_pt_lim_mult id cosh);
      [apply derivable_pt_lim_id | apply derivable_pt_lim_cosh].
  - intros c Hc. unfold id. pose proof (sinh_nonneg c ltac:(lra)).
    assert (0 <= c * sinh c) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma ln_cosh z : 0 <= z -> ln (cosh z) <= z ^ 2 / 2.
Proof.
  intros H.
  enough (0 * 0 * / 2 - ln (cosh 0) <= z * z * / 2 - ln (cosh z))
    by (rewrite cosh_0, ln_1 in *; lra).
  apply (rises (fun z => id z * id z * / 2 - ln (cosh z))
    (fun z => (1 * id z + id z * 1) * / 2 - / cosh z * sinh z)); [easy| |].
  - intros c _. apply (derivable_pt_lim_minus (fun z => id z * id z * / 2) (fun z => ln (cosh z))).
    + replace ((1 * id c + id c * 1) * / 2)
        with ((1 * id c + id c * 1) * / 2 + (id c * id c) * 0) by lra.
      apply (derivable_pt_lim_mult (fun z => id z * id z) (fct_cte (/ 2)));
        [apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id
        | apply derivable_pt_lim_const].
    + apply (derivable_pt_lim_comp cosh ln);
        [apply derivable_pt_lim_cosh | apply derivable_pt_lim_ln, cosh_pos].
  - intros c Hc. pose proof (sinh_le c ltac:(lra)) as S. pose proof (cosh_pos c).
    assert (/ cosh c * sinh c <= c); [|unfold id; lra].
    apply (Rmult_le_reg_l (cosh c)); [easy|].
    replace (cosh c * (/ cosh c * sinh c)) with (sinh c) by (field; lra). lra.
Qed.
