(** * Winnow-R: a disjunction that changes

    Chapter [winnow_r]. The weights have a floor of 1/2, and the target is another
    disjunction in every round: a round shows the learner the bits x, and its target,
    which nobody tells the learner, is the set of relevant variables beside them. *)

From OLC Require Import facts winnow.

Record round := { shown : bits; target : bits }.

(** ** The algorithm, with the factor 2 and the threshold n *)

Definition winnow_r (n : nat) : learner vector round := {|
  start := fun i => 1;
  predict w r := reaches (INR n) (score n w (shown r));
  update w r y :=
    if wrong (reaches (INR n) (score n w (shown r))) y
    then fun i => Rmax (w i * factor y (shown r i)) (1 / 2)
    else w
|}.

(** ** What is counted

    The variables of the present target (none before the game), and how many have been
    added to it in all. *)

Definition current (g : game round) : bits :=
  match g with [] => fun i => false | (r, y) :: past => target r end.

Definition added (n : nat) (before after : bits) : R :=
  sum n (fun i => bit (after i && negb (before i))).

Fixpoint additions (n : nat) (g : game round) : R :=
  match g with
  | [] => 0
  | (r, y) :: past => additions n past + added n (current past) (target r)
  end.

Definition errors (n : nat) (g : game round) : R :=
  at_mistakes (winnow_r n) (fun r y => attribute_errors n (target r) (shown r) y) g.

(** ** The proof *)

Section Proof.
Variables (n L : nat).
Hypothesis n_big : (1 <= n)%nat.
Hypothesis log_n : INR n <= 2 ^ L.

Notation P := (winnow_r n).
Notation w g := (state P g).
Notation ups g := (INR (promotions P g)).
Notation downs g := (INR (demotions P g)).

(** The weight of a feature is 2 to a power from -1 to L. *)

Fixpoint exponent (i : nat) (g : game round) : Z :=
  match g with
  | [] => 0
  | (r, y) :: past =>
      if errs P past r y && shown r i
      then match y with
           | plus => exponent i past + 1
           | minus => Z.max (exponent i past - 1) (-1)
           end
      else exponent i past
  end%Z.

Lemma next_weight g r y i : w ((r, y) :: g) i =
  if errs P g r y then Rmax (w g i * factor y (shown r i)) (1 / 2) else w g i.
Proof. simpl. unfold errs; simpl. destruct (wrong _ _); easy. Qed.

Lemma exponent_at_least g i : (-1 <= exponent i g)%Z.
Proof.
  induction g as [|[r y] past IH]; simpl; [lia|].
  destruct (_ && _); [destruct y|]; lia.
Qed.

Lemma half : powerRZ 2 (-1) = 1 / 2.
Proof. simpl. lra. Qed.

Lemma power_mono a b : (a <= b)%Z -> powerRZ 2 a <= powerRZ 2 b.
Proof.
  intros H. replace b with (a + (b - a))%Z by lia. rewrite powerRZ_add by lra.
  rewrite <- (Rmult_1_r (powerRZ 2 a)) at 1.
  apply Rmult_le_compat_l; [left; apply powerRZ_lt; lra|].
  replace (b - a)%Z with (Z.of_nat (Z.to_nat (b - a))) by lia.
  rewrite <- pow_powerRZ. apply pow_R1_Rle. lra.
Qed.

Lemma weight g i : w g i = powerRZ 2 (exponent i g).
Proof.
  induction g as [|[r y] past IH]; [easy|].
  pose proof (exponent_at_least past i) as Least. apply power_mono in Least as Floor.
  rewrite half in Floor. rewrite next_weight, IH. simpl exponent.
  destruct (errs P past r y), (shown r i), y; simpl factor; simpl andb; cbv iota;
    rewrite ?Rmult_1_r; try easy; try (now rewrite Rmax_left by lra).
  - rewrite powerRZ_add by lra. rewrite Rmax_left; simpl; lra.
  - destruct (Z.eq_dec (exponent i past) (-1)) as [-> | More].
    + change (Z.max (-1 - 1) (-1)) with (-1)%Z. rewrite half. apply Rmax_right. lra.
    + rewrite Z.max_l by lia. replace (exponent i past - 1)%Z with (exponent i past + -1)%Z by lia.
      rewrite powerRZ_add, half by lra. apply Rmax_left.
      assert (0 <= exponent i past)%Z as High by lia. apply power_mono in High. simpl in High. lra.
Qed.

Lemma weight_at_least g i : 1 / 2 <= w g i.
Proof. rewrite weight, <- half. apply power_mono, exponent_at_least. Qed.

Lemma exponent_at_most g i : (i < n)%nat -> (exponent i g <= Z.of_nat L)%Z.
Proof.
  intros Hi. induction g as [|[r y] past IH]; simpl; [lia|].
  destruct (errs P past r y && shown r i) eqn:E; [|lia]. destruct y; [|lia].
  apply andb_prop in E as [E Hx]. apply wrong_plus in E. simpl in E.
  enough (exponent i past <> Z.of_nat L) by lia. intros Full.
  assert (w past i * shown r i <= score n (w past) (shown r)).
  { apply (sum_term n (fun i => w past i * shown r i)); [|easy]. intros j _.
    pose proof (weight_at_least past j). destruct (shown r j); simpl; lra. }
  rewrite weight, Full, <- pow_powerRZ, Hx in H. simpl in H. lra.
Qed.

(** *** The promotions: each has one promotion less ahead of the present target *)

Definition ahead_of (relevant : bits) (g : game round) : R :=
  sum n (fun i => relevant i * (INR L - IZR (exponent i g))).

Lemma room g i : (i < n)%nat -> 0 <= INR L - IZR (exponent i g) <= INR L + 1.
Proof.
  intros Hi. pose proof (exponent_at_most g i Hi) as Most.
  pose proof (exponent_at_least g i) as Least. apply IZR_le in Most. apply IZR_le in Least.
  rewrite <- INR_IZR_INZ in Most. lra.
Qed.

(** A new variable has at most L + 1 promotions ahead. *)

Lemma new_target before after g :
  ahead_of after g <= ahead_of before g + (INR L + 1) * added n before after.
Proof.
  unfold ahead_of, added. rewrite <- sum_times, <- sum_plus. apply sum_le; intros i Hi.
  pose proof (room g i Hi). destruct (before i), (after i); simpl; lra.
Qed.

Lemma round_ahead g r y :
  (if errs P g r y then match y with plus => 1 | minus => 0 end else 0)
    + ahead_of (target r) ((r, y) :: g)
  <= ahead_of (target r) g
     + if errs P g r y then attribute_errors n (target r) (shown r) y else 0.
Proof.
  destruct (errs P g r y) eqn:E; [destruct y|].
  - assert (ahead_of (target r) ((r, plus) :: g)
      = ahead_of (target r) g - on n (target r) (shown r)) as ->.
    { unfold ahead_of, on. rewrite <- sum_minus. apply sum_eq; intros i _. simpl. rewrite E. simpl.
      destruct (shown r i); rewrite ?plus_IZR; simpl; lra. }
    pose proof (fewer_ahead n (target r) (shown r)). lra.
  - enough (ahead_of (target r) ((r, minus) :: g)
      <= ahead_of (target r) g + on n (target r) (shown r)) by (simpl in *; lra).
    unfold ahead_of, on. rewrite <- sum_plus. apply sum_le; intros i _. simpl. rewrite E. simpl.
    destruct (shown r i); [|destruct (target r i); simpl; lra].
    assert (exponent i g - 1 <= Z.max (exponent i g - 1) (-1))%Z as Fall by lia.
    apply IZR_le in Fall. rewrite minus_IZR in Fall. destruct (target r i); simpl; lra.
  - enough (ahead_of (target r) ((r, y) :: g) = ahead_of (target r) g) by lra.
    apply sum_eq; intros i _. simpl. now rewrite E.
Qed.

Lemma most_promotions g :
  ups g + ahead_of (current g) g <= (INR L + 1) * additions n g + errors n g.
Proof.
  induction g as [|[r y] past IH].
  - unfold ahead_of, errors. simpl.
    rewrite (sum_eq n _ (fun _ => 0)) by (intros; simpl; lra). rewrite sum_const. lra.
  - pose proof (round_ahead past r y) as Round.
    pose proof (new_target (current past) (target r) past).
    unfold errors in *. cbn [promotions additions at_mistakes current] in *. rewrite plus_INR.
    destruct y, (errs P past r _); simpl INR; lra.
Qed.

Lemma ahead_nonneg relevant g : 0 <= ahead_of relevant g.
Proof.
  apply sum_nonneg; intros i Hi. pose proof (room g i Hi). destruct (relevant i); simpl; lra.
Qed.

(** *** The demotions: each takes more than n / 4 from the weights *)

Lemma demotion_takes g r : errs P g r minus = true ->
  sum n (w ((r, minus) :: g)) <= sum n (w g) - (INR n + 1) / 4.
Proof.
  intros E. pose proof E as Reached. apply wrong_minus in Reached. simpl in Reached.
  (* A weight at the floor loses nothing, any other one half of it. *)
  set (floor i := bit (shown r i && if Rle_dec (w g i) (1 / 2) then true else false)).
  assert (Each : forall i, w ((r, minus) :: g) i <=
    w g i - / 2 * (w g i * shown r i) + / 4 * floor i).
  { intros i. rewrite next_weight, E. unfold floor. pose proof (weight_at_least g i).
    destruct (shown r i); simpl; [|rewrite Rmax_left; lra].
    destruct (Rle_dec (w g i) (1 / 2)) as [Low | High]; simpl.
    - rewrite Rmax_right; lra.
    - rewrite weight in *. destruct (Z.eq_dec (exponent i g) (-1)) as [Z | Z].
      + rewrite Z, half in High. lra.
      + assert (0 <= exponent i g)%Z as Big by (pose proof (exponent_at_least g i); lia).
        apply power_mono in Big. simpl (powerRZ 2 0) in Big. rewrite Rmax_left; lra. }
  assert (Sum : sum n (w ((r, minus) :: g)) <=
    sum n (w g) - / 2 * score n (w g) (shown r) + / 4 * sum n floor).
  { unfold score. rewrite <- !sum_times, <- sum_minus, <- sum_plus. now apply sum_le. }
  (* Not all weights are active and at the floor, or the sum would not reach n. *)
  enough (sum n floor <= INR n - 1) by lra.
  assert (Bit : forall i, floor i = 0 \/ floor i = 1 /\ w g i * shown r i <= 1 / 2).
  { intros i. unfold floor. destruct (shown r i); [|now left]. simpl.
    destruct (Rle_dec _ _); simpl; [right; lra | now left]. }
  destruct (Rle_dec (sum n floor) (INR n - 1)) as [|C]; [easy | exfalso].
  assert (All : forall m, (m <= n)%nat -> sum m floor <= INR m - 1 \/
    sum m (fun i => w g i * shown r i) <= INR m / 2).
  { induction m as [|m IH]; intros Hm; [right; simpl; lra|]. rewrite S_INR. simpl.
    specialize (IH ltac:(lia)).
    assert (sum m floor <= INR m).
    { replace (INR m) with (sum m (fun _ => 1)) by (rewrite sum_const; lra).
      apply sum_le; intros i _. destruct (Bit i); lra. }
    destruct (Bit m) as [-> | [-> Low]]; [left; lra|]. destruct IH; [left | right]; lra. }
  destruct (All n (Nat.le_refl n)) as [Few | Low]; [easy|]. unfold score in Reached.
  assert (0 < INR n) by (apply INR_pos; lia). lra.
Qed.

Lemma budget g : sum n (w g) + (INR n + 1) / 4 * downs g <= INR n + INR n * ups g.
Proof.
  induction g as [|[r y] past IH]; [simpl; rewrite sum_const; lra|].
  cbn [promotions demotions]. destruct (errs P past r y) eqn:E; [destruct y|].
  - enough (sum n (w ((r, plus) :: past)) = sum n (w past) + score n (w past) (shown r)) as ->.
    { apply wrong_plus in E. simpl in E. rewrite !plus_INR; simpl INR. lra. }
    unfold score. rewrite <- sum_plus. apply sum_eq; intros i _. rewrite next_weight, E.
    pose proof (weight_at_least past i). destruct (shown r i); simpl; rewrite Rmax_left; lra.
  - pose proof (demotion_takes past r E). rewrite !plus_INR; simpl INR. lra.
  - enough (sum n (w ((r, y) :: past)) = sum n (w past)) as ->
      by (destruct y; rewrite !plus_INR; simpl INR; lra).
    apply sum_eq; intros i _. now rewrite next_weight, E.
Qed.

Lemma most_demotions g : (demotions P g <= 4 * promotions P g + 1)%nat.
Proof.
  pose proof (budget g) as Budget. assert (0 < INR n) by (apply INR_pos; lia).
  assert (Least : INR n * (1 / 2) <= sum n (w g)).
  { rewrite <- sum_const. apply sum_le; intros; apply weight_at_least. }
  assert (Less : (INR n + 1) / 4 * downs g < (INR n + 1) / 4 * (4 * ups g + 2)).
  { pose proof (pos_INR (promotions P g)). lra. }
  apply Rmult_lt_reg_l in Less; [|lra].
  enough (demotions P g < 4 * promotions P g + 2)%nat by lia.
  apply INR_lt. rewrite plus_INR, mult_INR. simpl INR. lra.
Qed.

End Proof.

(** ** The theorems

    [thm-winnow-r-noise] *)

Theorem winnow_r_attribute_errors :
  forall (n : nat) (g : game round),
    (1 <= n)%nat ->
    let c := additions n g in
    let A := errors n g in
    let L := INR (Nat.log2_up n) in
    INR (mistakes (winnow_r n) g) <= 5 * (c * (L + 1) + A) + 1.
Proof.
  intros n g Hn c A L.
  assert (HL : INR n <= 2 ^ Nat.log2_up n).
  { replace 2 with (INR 2) by easy. rewrite <- pow_INR. apply le_INR.
    destruct (Nat.eq_dec n 1) as [-> | N1]; [easy | apply Nat.log2_up_spec; lia]. }
  pose proof (most_promotions n (Nat.log2_up n) Hn HL g) as Ups. fold c A L in Ups.
  pose proof (ahead_nonneg n (Nat.log2_up n) Hn HL (current g) g).
  pose proof (most_demotions n Hn g) as Downs. apply le_INR in Downs.
  rewrite plus_INR, mult_INR in Downs. simpl (INR 4) in Downs. simpl (INR 1) in Downs.
  rewrite both_kinds, plus_INR. lra.
Qed.

(** [thm-winnow-r]: every label is that of the disjunction of the moment. *)

Theorem winnow_r_mistakes :
  forall (n : nat) (g : game round),
    (1 <= n)%nat ->
    every_round (fun r y => disjunction n (target r) (shown r) y) g ->
    let c := additions n g in
    let L := INR (Nat.log2_up n) in
    INR (promotions (winnow_r n) g) <= c * (L + 1)
    /\ (demotions (winnow_r n) g < 4 * promotions (winnow_r n) g + 2)%nat
    /\ INR (mistakes (winnow_r n) g) <= 5 * c * (L + 1) + 1.
Proof.
  intros n g Hn H c L.
  assert (None : errors n g = 0).
  { unfold errors. induction H as [|[r y] past D _ IH]; [easy|]. cbn in D. cbn [at_mistakes].
    rewrite IH, clean by easy. destruct (errs _ _ _ _); lra. }
  assert (HL : INR n <= 2 ^ Nat.log2_up n).
  { replace 2 with (INR 2) by easy. rewrite <- pow_INR. apply le_INR.
    destruct (Nat.eq_dec n 1) as [-> | N1]; [easy | apply Nat.log2_up_spec; lia]. }
  pose proof (most_promotions n (Nat.log2_up n) Hn HL g) as Ups. fold c L in Ups.
  pose proof (ahead_nonneg n (Nat.log2_up n) Hn HL (current g) g).
  pose proof (most_demotions n Hn g).
  pose proof (winnow_r_attribute_errors n g Hn) as Both. fold c L in Both.
  rewrite None in *. repeat split; [lra | lia | lra].
Qed.
