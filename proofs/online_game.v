(** * The online game: one hypothesis after another, and halving

    Chapter [online_game]. A class H of n hypotheses; [h i x] is the label that the
    hypothesis i gives to x. *)

From OLC Require Import facts.

Section Class.
Context {Example : Type} (n : nat) (h : nat -> Example -> label).

(** The state of both learners is V: which hypotheses were right in every round. *)

Definition agrees (a y : label) : bool := negb (wrong (Some a) y).

Definition keep (V : nat -> bool) (x : Example) (y : label) : nat -> bool :=
  fun i => V i && agrees (h i x) y.

Fixpoint size (n : nat) (V : nat -> bool) : nat :=
  match n with O => 0 | S m => size m V + if V m then 1 else 0 end.

(** ** The algorithms *)

Fixpoint first (n : nat) (V : nat -> bool) : option nat :=
  match n with
  | O => None
  | S m => match first m V with Some i => Some i | None => if V m then Some m else None end
  end.

Definition consistent : learner (nat -> bool) Example := {|
  start := fun i => true;
  predict V x := match first n V with Some i => Some (h i x) | None => None end;
  update := keep
|}.

(** The score of the majority: those of V who say 1 less those who say -1. *)

Definition halving : learner (nat -> bool) Example := {|
  start := fun i => true;
  predict V x := sign (sum n (fun i => V i * h i x));
  update := keep
|}.

(** A game is realisable if a hypothesis of the class is right in every round. *)

Definition realisable (g : game Example) : Prop :=
  exists i, (i < n)%nat /\ every_round (fun x y => y = h i x) g.

(** ** The proofs *)

Lemma size_le V V' : (forall i, V' i = true -> V i = true) -> (size n V' <= size n V)%nat.
Proof.
  intros H. induction n as [|m IH]; simpl; [lia|].
  pose proof (H m). destruct (V' m), (V m); lia.
Qed.

Lemma size_all : size n (fun _ => true) = n.
Proof. induction n as [|m IH]; simpl; lia. Qed.

Lemma size_as_sum (V : nat -> bool) : INR (size n V) = sum n (fun i => V i).
Proof.
  induction n as [|m IH]; simpl; [easy|]. rewrite plus_INR, IH. destruct (V m); simpl; lra.
Qed.

(** The right hypothesis is never struck out. *)

Lemma right_stays (L : learner (nat -> bool) Example) i g :
  start L = (fun _ => true) -> update L = keep ->
  every_round (fun x y => y = h i x) g -> state L g i = true.
Proof.
  intros Start Update H. induction H as [|[x y] past E _ IH]; simpl in *.
  - now rewrite Start.
  - rewrite Update. unfold keep. rewrite IH, E. now destruct (h i x).
Qed.

Lemma one_left V i : (i < n)%nat -> V i = true -> (1 <= size n V)%nat.
Proof.
  intros Hi HV. induction n as [|m IH]; simpl; [lia|].
  destruct (Nat.eq_dec i m) as [<-|]; [rewrite HV; lia | specialize (IH ltac:(lia)); lia].
Qed.

(** *** Consistent: a mistake strikes out at least the hypothesis that made it *)

Lemma first_in V i : first n V = Some i -> (i < n)%nat /\ V i = true.
Proof.
  induction n as [|m IH]; simpl; [easy|].
  destruct (first m V); intros H; [injection H as ->; split; [|apply IH]; try easy|].
  - specialize (IH eq_refl). lia.
  - destruct (V m) eqn:E; [injection H as <-; auto with arith | easy].
Qed.

Lemma first_some V i : (i < n)%nat -> V i = true -> first n V <> None.
Proof.
  induction n as [|m IH]; simpl; intros Hi HV; [lia|].
  destruct (first m V) eqn:E; [easy|].
  destruct (Nat.eq_dec i m) as [<-|]; [now rewrite HV|].
  exfalso; apply IH; auto; lia.
Qed.

Lemma size_less V V' j : (forall i, V' i = true -> V i = true) ->
  (j < n)%nat -> V j = true -> V' j = false -> (size n V' + 1 <= size n V)%nat.
Proof.
  intros H Hj Yes No. induction n as [|m IH]; simpl; [lia|].
  pose proof (H m). destruct (Nat.eq_dec j m) as [<-|].
  - rewrite Yes, No. enough (size j V' <= size j V)%nat by lia.
    clear -H. induction j as [|m IH]; simpl; [lia|].
    pose proof (H m). destruct (V' m), (V m); lia.
  - specialize (IH ltac:(lia)). destruct (V' m), (V m); lia.
Qed.

Lemma keep_sub V x y i : keep V x y i = true -> V i = true.
Proof. unfold keep. now intros [H _]%andb_prop. Qed.

Lemma consistent_step g : realisable g ->
  (mistakes consistent g + size n (state consistent g) <= n)%nat.
Proof.
  intros [i [Hi H]]. induction H as [|[x y] past E H IH]; simpl in *.
  - now rewrite size_all.
  - pose proof (right_stays consistent i past eq_refl eq_refl H) as Right.
    unfold errs. simpl. destruct (first n _) as [j|] eqn:F;
      [|now destruct (first_some _ i Hi Right)].
    apply first_in in F as [Hj HV].
    destruct (wrong (Some (h j x)) y) eqn:W.
    + pose proof (size_less _ _ j (keep_sub (state consistent past) x y) Hj HV) as Less.
      unfold keep at 1 in Less. rewrite HV in Less. unfold agrees in Less. rewrite W in Less.
      specialize (Less eq_refl). lia.
    + pose proof (size_le _ _ (keep_sub (state consistent past) x y)). lia.
Qed.

(** *** Halving: a mistake strikes out at least half *)

Lemma half_is_wrong (V : nat -> bool) x y : wrong (sign (sum n (fun i => V i * h i x))) y = true ->
  2 * INR (size n (keep V x y)) <= INR (size n V).
Proof.
  intros W. apply wrong_sign in W. rewrite !size_as_sum.
  enough (2 * sum n (fun i => keep V x y i) = sum n (fun i => V i)
    + y * sum n (fun i => V i * h i x)) as -> by lra.
  rewrite <- !sum_times, <- sum_plus. apply sum_eq; intros i _. unfold keep, agrees.
  destruct (V i), (h i x), y; simpl; lra.
Qed.

Lemma halving_step g : 2 ^ mistakes halving g * INR (size n (state halving g)) <= INR n.
Proof.
  induction g as [|[x y] past IH]; simpl; [rewrite size_all; lra|].
  rewrite pow_add. unfold errs; simpl. set (M := 2 ^ mistakes halving past) in *.
  assert (0 < M) by (apply pow_lt; lra).
  destruct (wrong _ y) eqn:W; simpl; apply Rle_trans with (2 := IH);
    rewrite ?Rmult_1_r, ?Rmult_assoc; apply Rmult_le_compat_l; try lra.
  - now apply half_is_wrong in W.
  - apply le_INR, size_le. intros i. apply keep_sub.
Qed.

End Class.

(** ** The theorems

    [thm-consistent] *)

Theorem consistent_bound :
  forall (Example : Type) (n : nat) (h : nat -> Example -> label) (g : game Example),
    realisable n h g ->
    (mistakes (consistent n h) g <= n - 1)%nat.
Proof.
  intros Example n h g H. pose proof (consistent_step n h g H).
  destruct H as [i [Hi H]].
  pose proof (one_left n _ i Hi (right_stays h (consistent n h) i g eq_refl eq_refl H)). lia.
Qed.

(** [thm-halving] *)

Theorem halving_bound :
  forall (Example : Type) (n : nat) (h : nat -> Example -> label) (g : game Example),
    realisable n h g ->
    (mistakes (halving n h) g <= Nat.log2 n)%nat.
Proof.
  intros Example n h g [i [Hi H]]. pose proof (halving_step n h g) as Step.
  pose proof (one_left n _ i Hi (right_stays h (halving n h) i g eq_refl eq_refl H)) as One.
  apply Nat.log2_le_pow2; [lia|]. apply INR_le. rewrite pow_INR.
  apply le_INR in One. simpl in One.
  assert (0 < 2 ^ mistakes (halving n h) g) by (apply pow_lt; lra).
  simpl (INR 2). eapply Rle_trans; [|exact Step].
  rewrite <- (Rmult_1_r (_ ^ _)) at 1. apply Rmult_le_compat_l; lra.
Qed.
