(** * Weighted majority

    Chapter [weighted_majority]. An example is the advice of the experts: [x i] is the
    label that expert i predicts. *)

From OLC Require Import facts.

Definition advice := nat -> label.

(** ** The algorithm *)

Definition loses (a y : label) : bool := wrong (Some a) y.

Definition penalise (eta : R) (w : vector) (x : advice) (y : label) : vector :=
  fun i => w i * (1 - eta * loses (x i) y).

Definition weighted_majority (n : nat) (eta : R) : learner vector advice := {|
  start := fun i => 1;
  predict w (x : advice) := sign (sum n (fun i => w i * x i));
  update := penalise eta
|}.

(** How often the expert i is wrong. *)

Definition losses (i : nat) (g : game advice) : R := total (fun x y => loses (x i) y) g.

(** ** The proof *)

Section Proof.
Variables (n : nat) (eta : R).
Hypothesis penalty : 0 < eta < 1.

(** The weights, whoever predicts. *)

Fixpoint weights (g : game advice) : vector :=
  match g with [] => fun i => 1 | (x, y) :: past => penalise eta (weights past) x y end.

(** Step 1. The potential is the total weight. *)

Notation potential g := (sum n (weights g)).
Notation share_wrong g x y := (sum n (fun i => weights g i * loses (x i) y)).

(** Step 3. The weight of an expert who was wrong m times is (1 - eta)^m. *)

Lemma lower_bound g i : weights g i = exp (losses i g * ln (1 - eta)).
Proof.
  induction g as [|[x y] past IH].
  - unfold losses; simpl. now rewrite Rmult_0_l, exp_0.
  - simpl. unfold penalise, losses in *; simpl. rewrite IH, Rmult_plus_distr_r, exp_plus.
    destruct (loses (x i) y); simpl; [rewrite Rmult_1_l, exp_ln | rewrite Rmult_0_l, exp_0];
      lra.
Qed.

Lemma weight_positive g i : 0 < weights g i.
Proof. rewrite lower_bound. apply exp_pos. Qed.

Lemma potential_positive g i : (i < n)%nat -> weights g i <= potential g.
Proof. apply sum_term. intros. left. apply weight_positive. Qed.

(** Step 2. The experts who are wrong lose the share eta of their weight. *)

Lemma step g x y : potential ((x, y) :: g) = potential g - eta * share_wrong g x y.
Proof.
  simpl. rewrite <- sum_times, <- sum_minus. apply sum_eq; intros.
  unfold penalise. ring.
Qed.

Lemma share_nonneg g x y : 0 <= share_wrong g x y.
Proof.
  apply sum_nonneg; intros. pose proof (weight_positive g i).
  destruct (loses (x i) y); simpl; lra.
Qed.

(** If the majority errs, they have at least half of the weight. *)

Lemma score_of_shares g (x : advice) (y : label) :
  y * sum n (fun i => weights g i * x i) = potential g - 2 * share_wrong g x y.
Proof.
  rewrite <- !sum_times, <- sum_minus. apply sum_eq; intros.
  unfold loses. destruct (x i), y; simpl; ring.
Qed.

Notation M g := (mistakes (weighted_majority n eta) g).

Lemma same_weights g : state (weighted_majority n eta) g = weights g.
Proof. induction g as [|[x y] past IH]; simpl; [easy | now rewrite IH]. Qed.

Lemma upper_bound g : potential g <= INR n * (1 - eta / 2) ^ M g.
Proof.
  induction g as [|[x y] past IH]; [simpl; rewrite sum_const; lra|].
  rewrite step. simpl mistakes. unfold errs; simpl. rewrite (same_weights past).
  rewrite pow_add.
  pose proof (share_nonneg past x y).
  destruct (wrong _ y) eqn:E; simpl.
  - apply wrong_sign in E. rewrite score_of_shares in E. rewrite Rmult_1_r, <- Rmult_assoc.
    apply Rle_trans with (potential past * (1 - eta / 2)); [nra|].
    apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (potential past); [nra | lra].
Qed.

(** Step 4. Both together, in logarithms. *)

Lemma combine g i : (i < n)%nat ->
  losses i g * ln (1 - eta) <= ln (INR n) + INR (M g) * ln (1 - eta / 2).
Proof.
  intros Hi. assert (0 < INR n) by (apply INR_pos; lia).
  pose proof (potential_positive g i Hi) as Low. pose proof (upper_bound g) as Up.
  rewrite lower_bound in Low.
  rewrite <- (ln_exp (losses i g * _)), <- ln_pow, <- ln_mult by (try apply pow_lt; lra).
  apply ln_mono; [apply exp_pos | lra].
Qed.

End Proof.

Lemma losses_nonneg i g : 0 <= losses i g.
Proof.
  induction g as [|[x y] past IH]; unfold losses in *; simpl; [lra|].
  destruct (loses _ _); simpl; lra.
Qed.

(** ** The theorem

    [thm-weighted-majority]: for every expert i, and hence for the best. *)

Theorem weighted_majority_bound :
  forall (n : nat) (eta : R) (g : game advice) (i : nat),
    0 < eta < 1 -> (i < n)%nat ->
    let M := INR (mistakes (weighted_majority n eta) g) in
    let m := losses i g in
    M <= (m * ln (1 / (1 - eta)) + ln (INR n)) / ln (1 / (1 - eta / 2))
    /\ (eta <= 1 / 2 -> M <= 2 * (1 + eta) * m + 2 * ln (INR n) / eta).
Proof.
  intros n eta g i He Hi M m.
  pose proof (combine n eta He g i Hi) as C. fold M m in C.
  assert (0 <= M) by apply pos_INR. assert (0 <= m) by apply losses_nonneg.
  pose proof (ln_below (1 - eta / 2) ltac:(lra)) as Half.
  split.
  - rewrite !ln_div, ln_1 by lra.
    apply (Rmult_le_reg_r (0 - ln (1 - eta / 2))); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - intros Small. pose proof (ln_square eta ltac:(lra)) as Square.
    rewrite ln_div, ln_1 in Square by lra.
    assert (m * (0 - ln (1 - eta)) <= m * (eta + eta ^ 2)) by (apply Rmult_le_compat_l; lra).
    assert (M * (eta / 2) <= M * (0 - ln (1 - eta / 2))) by (apply Rmult_le_compat_l; lra).
    apply (Rmult_le_reg_r (eta / 2)); [lra|].
    replace ((2 * (1 + eta) * m + 2 * ln (INR n) / eta) * (eta / 2))
      with (m * (eta + eta ^ 2) + ln (INR n)) by (field; lra). lra.
Qed.

(** ** No deterministic learner is without regret

    [thm-deterministic-regret]: two experts, of whom one always says 1 and the other -1. *)

Definition constant : advice := fun i => match i with O => plus | _ => minus end.

Definition contrary (prediction : option label) : label :=
  match prediction with Some plus => minus | _ => plus end.

Fixpoint contradict {State} (L : learner State advice) (rounds : nat) : game advice :=
  match rounds with
  | O => []
  | S t => let past := contradict L t in
      (constant, contrary (predict L (state L past) constant)) :: past
  end.

Theorem deterministic_regret :
  forall (State : Type) (L : learner State advice) (rounds : nat),
    exists g : game advice, length g = rounds /\ mistakes L g = rounds
    /\ every_round (fun x y => x = constant) g
    /\ (losses 0 g <= INR rounds / 2 \/ losses 1 g <= INR rounds / 2).
Proof.
  intros State L rounds. exists (contradict L rounds).
  assert (Sum : losses 0 (contradict L rounds) + losses 1 (contradict L rounds) = INR rounds).
  { induction rounds as [|t IH]; unfold losses in *; [simpl; lra|]. rewrite S_INR. simpl.
    destruct (contrary _); simpl; lra. }
  repeat split; [| | | lra].
  - clear Sum. induction rounds; simpl; auto.
  - clear Sum. induction rounds as [|t IH]; simpl; [easy|]. rewrite IH. unfold errs.
    destruct (predict L _ constant) as [[]|]; simpl; lia.
  - clear Sum. induction rounds; simpl; now constructor.
Qed.
