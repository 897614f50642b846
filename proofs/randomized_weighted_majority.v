(** * Randomised weighted majority

    Chapter [randomized_weighted_majority]. The learner draws an expert and says what it
    says. In a round in which the experts who are wrong have the share F of the weight, it
    errs with probability F, whatever happened before; so the expected number of mistakes
    is the sum of these chances. *)

From OLC Require Import facts weighted_majority.

(** ** The algorithm: the weights are those of weighted majority *)

Section Algorithm.
Variables (n : nat) (eta : R).

Definition chance (i : nat) (g : game advice) : R := weights eta g i / sum n (weights eta g).

(** The chance of an error: that of all experts who are wrong, together. *)

Definition error (g : game advice) (x : advice) (y : label) : R :=
  sum n (fun i => chance i g * loses (x i) y).

Fixpoint expected_mistakes (g : game advice) : R :=
  match g with [] => 0 | (x, y) :: past => expected_mistakes past + error past x y end.

(** ** The proof *)

Hypothesis penalty : 0 < eta < 1.
Hypothesis experts : (0 < n)%nat.

(** Step 1. The potential is the total weight. *)

Notation potential g := (sum n (weights eta g)).

Lemma potential_pos g : 0 < potential g.
Proof. apply sum_pos; [easy | now intros; apply weight_positive]. Qed.

Lemma chances_add_up g : sum n (fun i => chance i g) = 1.
Proof.
  pose proof (potential_pos g).
  rewrite (sum_eq n _ (fun i => / potential g * weights eta g i))
    by (intros; unfold chance; field; lra).
  rewrite sum_times. field. lra.
Qed.

Lemma error_share g x y :
  error g x y * potential g = sum n (fun i => weights eta g i * loses (x i) y).
Proof.
  rewrite Rmult_comm. unfold error. rewrite <- sum_times. apply sum_eq; intros.
  unfold chance. pose proof (potential_pos g). field. lra.
Qed.

(** Step 2. In a round with the chance F of an error the potential falls by the factor
    1 - eta F, which is at most exp(- eta F). *)

Lemma upper_bound g : ln (potential g) <= ln (INR n) - eta * expected_mistakes g.
Proof.
  induction g as [|[x y] past IH]; simpl expected_mistakes.
  - simpl. rewrite sum_const, Rmult_1_r. lra.
  - pose proof (potential_pos past) as Pos. pose proof (potential_pos ((x, y) :: past)) as Next.
    rewrite (step n eta), <- error_share in *.
    replace (potential past - eta * (error past x y * potential past))
      with (potential past * (1 - eta * error past x y)) in * by ring.
    assert (0 < 1 - eta * error past x y)
      by (apply (Rmult_lt_reg_l (potential past)); lra).
    rewrite ln_mult by easy. pose proof (ln_below (1 - eta * error past x y) ltac:(easy)). lra.
Qed.

(** Steps 3 and 4. It is at least the weight of the best expert. *)

Lemma combine g i : (i < n)%nat ->
  losses i g * ln (1 - eta) <= ln (INR n) - eta * expected_mistakes g.
Proof.
  intros Hi. eapply Rle_trans; [|apply upper_bound].
  rewrite <- (ln_exp (losses i g * _)), <- (lower_bound eta penalty).
  apply ln_mono; [now apply weight_positive | now apply potential_positive].
Qed.

End Algorithm.

(** ** The theorem

    [thm-randomized-weighted-majority]: for every expert i, and hence for the best. *)

Theorem randomized_weighted_majority_bound :
  forall (n : nat) (eta : R) (g : game advice) (i : nat),
    0 < eta < 1 -> (i < n)%nat ->
    let M := expected_mistakes n eta g in
    let m := losses i g in
    M <= (m * ln (1 / (1 - eta)) + ln (INR n)) / eta
    /\ (eta <= 1 / 2 -> M <= (1 + eta) * m + ln (INR n) / eta).
Proof.
  intros n eta g i He Hi M m.
  pose proof (combine n eta He ltac:(lia) g i Hi) as C. fold M m in C.
  assert (0 <= m) by apply losses_nonneg.
  split; intros; apply (Rmult_le_reg_r eta); try lra.
  - rewrite ln_div, ln_1 by lra. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - pose proof (ln_square eta ltac:(lra)) as Square. rewrite ln_div, ln_1 in Square by lra.
    assert (m * (0 - ln (1 - eta)) <= m * (eta + eta ^ 2)) by (apply Rmult_le_compat_l; lra).
    replace (((1 + eta) * m + ln (INR n) / eta) * eta) with (m * (eta + eta ^ 2) + ln (INR n))
      by (field; lra). lra.
Qed.

(** ** No regret

    [thm-no-regret], with both rates of the box. T is the number of rounds. *)

Lemma losses_at_most i g : losses i g <= INR (length g).
Proof.
  induction g as [|[x y] past IH]; unfold losses in *; simpl total; [simpl; lra|].
  simpl length. rewrite S_INR. destruct (loses _ _); simpl; lra.
Qed.

Theorem no_regret :
  forall (n : nat) (g : game advice) (i : nat),
    (2 <= n)%nat -> (i < n)%nat ->
    let T := INR (length g) in
    let regret eta := expected_mistakes n eta g - losses i g in
    (4 <= T -> regret (1 / sqrt T) <= (1 + ln (INR n)) * sqrt T)
    /\ (4 * ln (INR n) <= T -> regret (sqrt (ln (INR n) / T)) <= 2 * sqrt (T * ln (INR n))).
Proof.
  intros n g i Hn Hi T regret.
  pose proof (losses_at_most i g) as Most. fold T in Most.
  assert (H2 : 2 <= INR n) by (apply (le_INR 2); lia).
  assert (Hln : 0 < ln (INR n)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (Any : forall eta, 0 < eta <= 1 / 2 -> regret eta <= eta * T + ln (INR n) / eta).
  { intros eta He. unfold regret.
    destruct (randomized_weighted_majority_bound n eta g i) as [_ B]; [lra | easy |].
    specialize (B (proj2 He)).
    assert (eta * losses i g <= eta * T) by (apply Rmult_le_compat_l; lra). lra. }
  split; intros HT.
  - assert (Root : 2 <= sqrt T).
    { replace 2 with (sqrt (2 * 2)) by (apply sqrt_square; lra). apply sqrt_le_1; lra. }
    eapply Rle_trans; [apply Any; split|].
    + apply Rdiv_lt_0_compat; lra.
    + apply (Rmult_le_reg_r (sqrt T)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    + rewrite <- (sqrt_sqrt T) at 2 by lra. right. field. lra.
  - assert (Pos : 0 < T) by lra.
    set (a := sqrt T). set (b := sqrt (ln (INR n))).
    assert (Ha : 0 < a) by now apply sqrt_lt_R0. assert (Hb : 0 < b) by now apply sqrt_lt_R0.
    assert (Ea : a * a = T) by (apply sqrt_sqrt; lra).
    assert (Eb : b * b = ln (INR n)) by (apply sqrt_sqrt; lra).
    rewrite sqrt_div_alt by easy. rewrite sqrt_mult by lra. fold a b.
    assert (2 * b <= a).
    { apply square_le; [lra|]. replace ((2 * b) ^ 2) with (4 * (b * b)) by ring.
      replace (a ^ 2) with (a * a) by ring. lra. }
    eapply Rle_trans; [apply Any; split|].
    + now apply Rdiv_lt_0_compat.
    + apply (Rmult_le_reg_r a); [easy|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra.
    + rewrite <- Ea, <- Eb. right. field. lra.
Qed.
