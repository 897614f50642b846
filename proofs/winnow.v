(** * Winnow

    Chapter [winnow]. An example is a vector of bits. *)

From OLC Require Import facts.

Definition bits := nat -> bool.

(** ** The algorithm, with the factor 2 *)

Definition score (n : nat) (w : vector) (x : bits) : R := sum n (fun i => w i * x i).

Definition reaches (theta s : R) : option label :=
  if Rle_dec theta s then Some plus else Some minus.

Definition factor (y : label) (b : bool) : R :=
  match y, b with plus, true => 2 | minus, true => 1 / 2 | _, false => 1 end.

Definition winnow (n : nat) (theta : R) : learner vector bits := {|
  start := fun i => 1;
  predict w x := reaches theta (score n w x);
  update w x y :=
    if wrong (reaches theta (score n w x)) y then fun i => w i * factor y (x i) else w
|}.

(** ** The target

    A disjunction of k relevant variables. An attribute error is a bit that would have to
    be another for the label to be right: a positive example with no relevant bit lacks
    one, and in a negative example each relevant bit is one too many. *)

Definition on (n : nat) (relevant x : bits) : R := sum n (fun i => relevant i * x i).

Definition attribute_errors (n : nat) (relevant x : bits) (y : label) : R :=
  match y with
  | plus => if Rlt_dec 0 (on n relevant x) then 0 else 1
  | minus => on n relevant x
  end.

Definition disjunction (n : nat) (relevant x : bits) (y : label) : Prop :=
  y = plus <-> exists i, (i < n)%nat /\ relevant i = true /\ x i = true.

Definition size (n : nat) (relevant : bits) : R := sum n (fun i => relevant i).

(** The mistakes of each kind: on positive examples (promotions) and on negative ones
    (demotions). *)

Section Kinds.
Context {State Example : Type} (L : learner State Example).

Fixpoint promotions (g : game Example) : nat :=
  match g with
  | [] => 0
  | (x, y) :: past => promotions past +
      match y with plus => if errs L past x y then 1 else 0 | minus => 0 end
  end.

Fixpoint demotions (g : game Example) : nat :=
  match g with
  | [] => 0
  | (x, y) :: past => demotions past +
      match y with minus => if errs L past x y then 1 else 0 | plus => 0 end
  end.

Lemma both_kinds g : mistakes L g = (promotions g + demotions g)%nat.
Proof.
  induction g as [|[x []] past IH]; simpl; [easy | |]; destruct (errs L past x _); lia.
Qed.

End Kinds.

(** ** The proof *)

Lemma wrong_plus theta s : wrong (reaches theta s) plus = true <-> s < theta.
Proof. unfold reaches. destruct (Rle_dec theta s); simpl; split; easy || lra. Qed.

Lemma wrong_minus theta s : wrong (reaches theta s) minus = true <-> theta <= s.
Proof. unfold reaches. destruct (Rle_dec theta s); simpl; split; easy || lra. Qed.

Lemma on_nonneg n relevant x : 0 <= on n relevant x.
Proof. apply sum_nonneg; intros. destruct (relevant i), (x i); simpl; lra. Qed.

Lemma on_whole n relevant x : 0 < on n relevant x -> 1 <= on n relevant x.
Proof.
  unfold on. induction n as [|m IH]; simpl; [lra|]. intros H.
  pose proof (on_nonneg m relevant x) as N. unfold on in N.
  destruct (relevant m), (x m); simpl in *; try lra; specialize (IH ltac:(lra)); lra.
Qed.

Section Proof.
Variables (n : nat) (theta : R) (p : nat) (relevant : bits).
Hypothesis p_is_log2 : theta <= 2 ^ p.
Hypothesis theta_big : 1 < theta.

Notation L := (winnow n theta).
Notation w g := (state L g).
Notation ups g := (INR (promotions L g)).
Notation downs g := (INR (demotions L g)).
Notation k := (size n relevant).
Notation A g := (at_mistakes L (attribute_errors n relevant) g).

(** The weight of feature i is 2 to the power of its promotions less its demotions. *)

Fixpoint exponent (i : nat) (g : game bits) : Z :=
  match g with
  | [] => 0
  | (x, y) :: past => exponent i past +
      if errs L past x y && x i then match y with plus => 1 | minus => -1 end else 0
  end%Z.

Lemma next_weight g x y i :
  w ((x, y) :: g) i = w g i * (if errs L g x y then factor y (x i) else 1).
Proof. simpl. unfold errs; simpl. destruct (wrong _ _); lra. Qed.

Lemma weight g i : w g i = powerRZ 2 (exponent i g).
Proof.
  induction g as [|[x y] past IH]; [easy|].
  rewrite next_weight, IH. simpl exponent. rewrite powerRZ_add by lra.
  destruct (errs L past x y), (x i), y; simpl; field.
Qed.

Lemma weight_positive g i : 0 < w g i.
Proof. rewrite weight. apply powerRZ_lt. lra. Qed.

(** A weight is promoted only below the threshold: its exponent is at most p. *)

Lemma exponent_at_most g i : (i < n)%nat -> (exponent i g <= Z.of_nat p)%Z.
Proof.
  intros Hi. induction g as [|[x y] past IH]; simpl; [lia|].
  destruct (errs L past x y && x i) eqn:E; [|lia]. destruct y; [|lia].
  apply andb_prop in E as [E Hx]. apply wrong_plus in E. simpl in E.
  enough (exponent i past <> Z.of_nat p) by lia. intros Full.
  assert (w past i * x i <= score n (w past) x).
  { apply (sum_term n (fun i => w past i * x i)); [|easy]. intros j _.
    pose proof (weight_positive past j). destruct (x j); simpl; lra. }
  rewrite weight, Full, <- pow_powerRZ, Hx in H. simpl in H. lra.
Qed.

(** Step 1. The potential is the total weight, and theta for each promotion that a
    relevant weight has still ahead. *)

Notation weights g := (sum n (w g)).
Definition ahead (g : game bits) : R :=
  sum n (fun i => relevant i * (INR p - IZR (exponent i g))).
Notation potential g := (weights g + theta * ahead g).

Lemma promotion g x : errs L g x plus = true ->
  weights ((x, plus) :: g) = weights g + score n (w g) x
  /\ ahead ((x, plus) :: g) = ahead g - on n relevant x.
Proof.
  intros E. split.
  - unfold score. rewrite <- sum_plus. apply sum_eq; intros i _.
    rewrite next_weight, E. destruct (x i); simpl; lra.
  - unfold ahead, on. rewrite <- sum_minus. apply sum_eq; intros i _.
    simpl. rewrite E, plus_IZR. destruct (x i); simpl; lra.
Qed.

Lemma demotion g x : errs L g x minus = true ->
  weights ((x, minus) :: g) = weights g - score n (w g) x / 2
  /\ ahead ((x, minus) :: g) = ahead g + on n relevant x.
Proof.
  intros E. split.
  - replace (weights g - _) with (weights g + - / 2 * score n (w g) x) by lra.
    unfold score. rewrite <- sum_times, <- sum_plus. apply sum_eq; intros i _.
    rewrite next_weight, E. destruct (x i); simpl; lra.
  - unfold ahead, on. rewrite <- sum_plus. apply sum_eq; intros i _.
    simpl. rewrite E, plus_IZR. destruct (x i); simpl; lra.
Qed.

Lemma no_mistake g x y : errs L g x y = false ->
  weights ((x, y) :: g) = weights g /\ ahead ((x, y) :: g) = ahead g.
Proof.
  intros E. split; apply sum_eq; intros i _.
  - rewrite next_weight, E. lra.
  - simpl. rewrite E. simpl. now rewrite Z.add_0_r.
Qed.

Lemma errors_nonneg x y : 0 <= attribute_errors n relevant x y.
Proof.
  pose proof (on_nonneg n relevant x). destruct y; simpl; [|easy].
  destruct (Rlt_dec _ _); lra.
Qed.

Lemma ahead_at_first : ahead [] = k * INR p.
Proof.
  unfold ahead, size. rewrite Rmult_comm, <- sum_times. apply sum_eq; intros. simpl. lra.
Qed.

(** A promotion has one promotion less ahead, or it is an attribute error. *)

Lemma fewer_ahead x :
  1 <= on n relevant x + attribute_errors n relevant x plus.
Proof.
  simpl. pose proof (on_whole n relevant x). pose proof (on_nonneg n relevant x).
  destruct (Rlt_dec _ _); lra.
Qed.

Lemma most_promotions g : ups g + ahead g <= k * INR p + A g.
Proof.
  induction g as [|[x y] past IH]; [simpl; rewrite ahead_at_first; lra|].
  pose proof (fewer_ahead x). cbn [promotions at_mistakes].
  destruct (errs L past x y) eqn:E; [destruct y|].
  - destruct (promotion past x E) as [_ ->]. rewrite plus_INR; simpl INR. lra.
  - destruct (demotion past x E) as [_ ->]. rewrite plus_INR; simpl. lra.
  - destruct (no_mistake past x y E) as [_ ->]. destruct y; rewrite plus_INR; simpl INR; lra.
Qed.

(** Step 2. A promotion adds less than theta to the weights, so the potential falls, but
    for theta at an attribute error. A demotion takes theta / 2 or more. *)

Lemma upper_bound g :
  potential g + theta / 2 * downs g <= INR n + theta * (k * INR p + A g)
  /\ (0 < ups g -> potential g + theta / 2 * downs g < INR n + theta * (k * INR p + A g)).
Proof.
  induction g as [|[x y] past IH].
  - simpl. rewrite ahead_at_first, sum_const. lra.
  - pose proof (fewer_ahead x). cbn [promotions demotions at_mistakes].
    destruct (errs L past x y) eqn:E; [destruct y|].
    + destruct (promotion past x E) as [-> ->]. apply wrong_plus in E. simpl in E.
      assert (theta * 1 <= theta * (on n relevant x + attribute_errors n relevant x plus))
        by (apply Rmult_le_compat_l; lra).
      rewrite !plus_INR; simpl INR. split; intros; lra.
    + destruct (demotion past x E) as [-> ->]. apply wrong_minus in E. simpl in E.
      rewrite !plus_INR; simpl. split; intros; [|destruct IH as [_ IH]; specialize (IH ltac:(lra))];
      lra.
    + destruct (no_mistake past x y E) as [-> ->].
      destruct y; rewrite !plus_INR; simpl INR;
        (split; intros; [|destruct IH as [_ IH]; specialize (IH ltac:(lra))]; lra).
Qed.

(** Step 3. A relevant weight with what it has ahead is worth theta: it has a promotion
    ahead, or it has reached theta. *)

Lemma worth g i : (i < n)%nat -> theta <= w g i + theta * (INR p - IZR (exponent i g)).
Proof.
  intros Hi. pose proof (weight_positive g i). pose proof (exponent_at_most g i Hi) as Most.
  destruct (Z.eq_dec (exponent i g) (Z.of_nat p)) as [Full | Less].
  - rewrite weight, Full, <- pow_powerRZ, INR_IZR_INZ. lra.
  - assert (exponent i g + 1 <= Z.of_nat p)%Z as Ahead by lia.
    apply IZR_le in Ahead. rewrite plus_IZR, <- INR_IZR_INZ in Ahead.
    assert (theta * 1 <= theta * (INR p - IZR (exponent i g))) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

Lemma ahead_nonneg g : 0 <= ahead g.
Proof.
  apply sum_nonneg; intros i Hi. pose proof (exponent_at_most g i Hi) as Most.
  apply IZR_le in Most. rewrite <- INR_IZR_INZ in Most. destruct (relevant i); simpl; lra.
Qed.

(** Just after a demotion the weights that were on still have theta / 2, and each relevant
    one among them has a promotion ahead. The other relevant ones, with what they have
    ahead, are worth c as before. *)

Lemma lower_bound_after g x c : errs L g x minus = true ->
  (forall i, (i < n)%nat -> c <= w g i + theta * (INR p - IZR (exponent i g))) ->
  (forall i, (i < n)%nat -> c <= theta * (INR p - IZR (exponent i g)) + theta) ->
  theta / 2 + k * c <= potential ((x, minus) :: g).
Proof.
  intros E Off On. destruct (demotion g x E) as [-> ->].
  apply wrong_minus in E. simpl in E.
  enough (score n (w g) x + k * c <= weights g + theta * (ahead g + on n relevant x)) by lra.
  unfold score, ahead, on, size. rewrite (Rmult_comm _ c), <- sum_plus, <- !sum_times.
  rewrite <- !sum_plus. apply sum_le; intros i Hi.
  specialize (Off i Hi). specialize (On i Hi). pose proof (weight_positive g i).
  destruct (relevant i), (x i); simpl; lra.
Qed.

Lemma never_promoted g i : promotions L g = 0%nat -> (exponent i g <= 0)%Z.
Proof.
  induction g as [|[x y] past IH]; simpl; [lia|]. intros H.
  destruct y, (errs L past x _); simpl in *; destruct (x i); simpl; lia.
Qed.

(** Step 4. Both together, after the last demotion. *)

Lemma combine g : 0 < k ->
  demotions L g = 0%nat
  \/ theta / 2 * (downs g + 1) + k * theta < INR n + theta * (k * INR p + A g).
Proof.
  intros Hk. induction g as [|[x y] past IH]; [now left|].
  pose proof (errors_nonneg x y) as More. apply (Rmult_le_compat_l theta) in More; [|lra].
  destruct (errs L past x y) eqn:E; [destruct y|].
  - destruct IH as [IH | IH]; [left | right]; cbn [demotions at_mistakes]; rewrite ?E.
    + now rewrite Nat.add_0_r.
    + rewrite Nat.add_0_r. lra.
  - right. destruct (upper_bound ((x, minus) :: past)) as [Up Strict].
    destruct (Nat.eq_dec (promotions L past) 0) as [None | Some].
    + enough (theta / 2 + k * (theta + 1) <= potential ((x, minus) :: past)) by lra.
      assert (One : theta * 1 <= theta * INR p).
      { apply Rmult_le_compat_l; [lra|]. destruct p as [|q]; [simpl in *; lra|].
        rewrite S_INR. pose proof (pos_INR q). lra. }
      apply lower_bound_after; [easy | |]; intros i Hi;
        pose proof (never_promoted past i None) as Low.
      * destruct (Z.eq_dec (exponent i past) 0) as [Zero | Less].
        -- rewrite weight, Zero. simpl. lra.
        -- assert (exponent i past <= -1)%Z as Below by lia. apply IZR_le in Below.
           apply (Rmult_le_compat_l theta) in Below; [|lra].
           pose proof (weight_positive past i). lra.
      * apply IZR_le in Low. apply (Rmult_le_compat_l theta) in Low; lra.
    + assert (0 < ups ((x, minus) :: past)) as Pos by (apply lt_0_INR; simpl; lia).
      specialize (Strict Pos).
      enough (theta / 2 + k * theta <= potential ((x, minus) :: past)) by lra.
      apply lower_bound_after; [easy | |]; intros i Hi; [now apply worth|].
      pose proof (exponent_at_most past i Hi) as Most. apply IZR_le in Most.
      rewrite <- INR_IZR_INZ in Most. apply (Rmult_le_compat_l theta) in Most; lra.
  - destruct IH as [IH | IH]; [left | right]; cbn [demotions at_mistakes]; rewrite ?E;
      destruct y; rewrite ?E, Nat.add_0_r; lra || easy.
Qed.

End Proof.

(** A disjunction has no attribute errors. *)

Lemma clean n relevant x y : disjunction n relevant x y -> attribute_errors n relevant x y = 0.
Proof.
  intros [One Two].
  assert (Pos : forall i, (i < n)%nat -> relevant i = true -> x i = true -> 1 <= on n relevant x).
  { intros i Hi Hr Hx. replace 1 with (relevant i * x i) by (rewrite Hr, Hx; simpl; lra).
    apply (sum_term n (fun i => relevant i * x i)); [|easy].
    intros j _. destruct (relevant j), (x j); simpl; lra. }
  destruct y; simpl.
  - destruct (One eq_refl) as [i [Hi [Hr Hx]]]. specialize (Pos i Hi Hr Hx).
    destruct (Rlt_dec _ _); lra.
  - unfold on. rewrite (sum_eq n _ (fun _ => 0)); [rewrite sum_const; lra|].
    intros i Hi. destruct (relevant i) eqn:Hr, (x i) eqn:Hx; simpl; try lra.
    enough (minus = plus) by easy. apply Two. eauto.
Qed.

Lemma every_clean n relevant g : every_round (disjunction n relevant) g ->
  every_round (fun x y => attribute_errors n relevant x y = 0) g.
Proof. intros H. induction H; constructor; auto using clean. Qed.

Lemma no_errors n theta relevant g : every_round (disjunction n relevant) g ->
  at_mistakes (winnow n theta) (attribute_errors n relevant) g = 0.
Proof.
  intros H. apply every_clean in H. induction H as [|[x y] past C _ IH]; [easy|].
  cbn in C. cbn [at_mistakes]. rewrite C, IH. destruct (errs _ _ _ _); lra.
Qed.

(** ** The theorems

    [thm-winnow]: p is the logarithm of theta to base 2, rounded up. The bound on m^- is
    the largest whole number below the one that stands here. *)

Theorem winnow_mistakes :
  forall (n : nat) (relevant : bits) (theta : R) (p : nat) (g : game bits),
    1 < theta <= INR n -> theta <= 2 ^ p -> 0 < size n relevant ->
    every_round (disjunction n relevant) g ->
    let k := size n relevant in
    INR (promotions (winnow n theta) g) <= k * INR p
    /\ INR (demotions (winnow n theta) g) < 2 * k * (INR p - 1) + 2 * INR n / theta - 1.
Proof.
  intros n relevant theta p g [Big Small] Hp Hk H k. split.
  - pose proof (most_promotions n theta p relevant g) as Most.
    pose proof (ahead_nonneg n theta p relevant Hp g). rewrite no_errors in Most by easy.
    unfold k. lra.
  - apply (Rmult_lt_reg_r (theta / 2)); [lra|].
    replace ((2 * k * (INR p - 1) + 2 * INR n / theta - 1) * (theta / 2))
      with (theta * (k * INR p) - k * theta + INR n - theta / 2) by (field; lra).
    destruct (combine n theta p relevant Hp Big g Hk) as [-> | C];
      [|rewrite no_errors in C by easy; fold k in C; lra].
    assert (1 <= INR p) by
      (destruct p as [|q]; [simpl in *; lra | rewrite S_INR; pose proof (pos_INR q); lra]).
    assert (0 <= theta * (k * (INR p - 1)))
      by (repeat apply Rmult_le_pos; unfold k; lra).
    simpl INR. lra.
Qed.

(** With the threshold n, and L the logarithm of n to base 2, rounded up. *)

Lemma size_whole n relevant : exists K, size n relevant = INR K.
Proof.
  unfold size. induction n as [|m [K IH]]; [now exists 0%nat|]. simpl. rewrite IH.
  exists (K + if relevant m then 1 else 0)%nat. rewrite plus_INR. now destruct (relevant m).
Qed.

Lemma at_least_log n : (2 <= n)%nat ->
  1 < INR n /\ INR n <= 2 ^ Nat.log2_up n /\ (1 <= Nat.log2_up n)%nat.
Proof.
  intros Hn. split; [apply (lt_INR 1); lia|]. split.
  - replace 2 with (INR 2) by easy. rewrite <- pow_INR. apply le_INR, Nat.log2_up_spec. lia.
  - apply (Nat.log2_up_le_mono 2). lia.
Qed.

Theorem winnow_mistakes_threshold_n :
  forall (n : nat) (relevant : bits) (g : game bits),
    (2 <= n)%nat -> 0 < size n relevant ->
    every_round (disjunction n relevant) g ->
    let k := size n relevant in
    let L := INR (Nat.log2_up n) in
    INR (mistakes (winnow n (INR n)) g) <= 3 * k * L - 2 * k.
Proof.
  intros n relevant g Hn Hk H k L. destruct (at_least_log n Hn) as [H1 [HL L1]].
  destruct (winnow_mistakes n relevant (INR n) (Nat.log2_up n) g) as [P D]; auto; [lra|].
  fold k L in P, D. rewrite both_kinds, plus_INR.
  enough (INR (demotions (winnow n (INR n)) g) <= 2 * k * (L - 1)) by lra.
  replace (2 * INR n / INR n) with 2 in D by (field; lra).
  destruct (size_whole n relevant) as [K HK]. fold k in HK. rewrite HK in *.
  replace (2 * INR K * (L - 1)) with (INR (2 * K * (Nat.log2_up n - 1))) in *
    by (rewrite !mult_INR, minus_INR by easy; simpl; unfold L; lra).
  apply le_INR. apply Nat.lt_succ_r, INR_lt. rewrite S_INR. lra.
Qed.

(** [thm-winnow-threshold]: n is 2^a and k is 2^b. *)

Theorem winnow_that_knows_k :
  forall (a b : nat) (relevant : bits) (g : game bits),
    let n := (2 ^ a)%nat in
    let k := 2 ^ b in
    size n relevant = k -> (b + 2 <= a)%nat ->
    every_round (disjunction n relevant) g ->
    INR (mistakes (winnow n (INR n / (2 * k))) g) <= 3 * k * (INR a - INR b) - k - 2.
Proof.
  intros a b relevant g n k Hk Hab H.
  assert (Pos : 0 < k) by (apply pow_lt; lra).
  destruct (Nat.le_exists_sub (b + 2) a Hab) as [c [-> _]].
  assert (Theta : INR n / (2 * k) = 2 ^ (c + 1)).
  { unfold n. rewrite pow_INR. simpl (INR 2). fold k. replace (1 + 1) with 2 by lra.
    rewrite !pow_add. fold k. simpl. field. lra. }
  assert (Big : 1 < 2 ^ (c + 1)).
  { rewrite pow_add. pose proof (pow_R1_Rle 2 c). simpl. lra. }
  assert (Size : INR n = 2 * k * 2 ^ (c + 1)) by (rewrite <- Theta; field; lra).
  assert (1 <= k) by (apply pow_R1_Rle; lra).
  rewrite Theta. destruct (winnow_mistakes n relevant (2 ^ (c + 1)) (c + 1) g) as [Ups Downs];
    try rewrite Hk; try lra; [|easy|].
  { rewrite Size. assert (1 * 2 ^ (c + 1) <= 2 * k * 2 ^ (c + 1))
      by (apply Rmult_le_compat_r; lra). lra. }
  rewrite Hk in *. rewrite Size in Downs.
  replace (2 * (2 * k * 2 ^ (c + 1)) / 2 ^ (c + 1)) with (4 * k) in Downs by (field; lra).
  rewrite both_kinds, plus_INR, !plus_INR in *. simpl (INR 1) in *. simpl (INR 2) in *.
  enough (INR (demotions (winnow n (2 ^ (c + 1))) g) + 2 <= 2 * k * INR c + 4 * k) by lra.
  assert (Whole : k = INR (2 ^ b)) by now rewrite pow_INR.
  set (K := (2 ^ b)%nat) in *. rewrite Whole in *. set (d := demotions _ g) in *.
  assert (d + 2 <= 2 * K * c + 4 * K)%nat as Le.
  { enough (d + 1 < 2 * K * c + 4 * K)%nat by lia. apply INR_lt.
    rewrite !plus_INR, !mult_INR. simpl INR. lra. }
  apply le_INR in Le. rewrite !plus_INR, !mult_INR in Le. simpl INR in Le. lra.
Qed.

(** The bound for n = 2^a, k = 2^b and the threshold 2^q, and that no other q has a smaller
    one than the q = a - b - 1 of the theorem. *)

Definition bound_at (n k : R) (q : nat) : R := k * INR q + 2 * k * (INR q - 1) + 2 * n / 2 ^ q - 2.

Theorem no_better_threshold :
  forall (b c q : nat),
    let n := 2 ^ (b + 2 + c) in
    let k := 2 ^ b in
    bound_at n k (c + 1) <= bound_at n k q.
Proof.
  intros b c q n k. unfold bound_at.
  assert (Pos : 0 < k) by (apply pow_lt; lra).
  assert (Power : forall m, 0 < 2 ^ m) by (intros; apply pow_lt; lra).
  assert (Linear : forall m, 1 + INR m <= 2 ^ m).
  { induction m as [|m IH]; [simpl; lra|]. rewrite S_INR. simpl. pose proof (pos_INR m). lra. }
  enough (3 * INR (c + 1) + 4 <= 3 * INR q + 4 * (2 ^ (c + 1) / 2 ^ q)) as E.
  { apply (Rmult_le_compat_l k) in E; [|lra].
    assert (Theorems : 2 * n / 2 ^ (c + 1) = 4 * k)
      by (unfold n, k; rewrite !pow_add; simpl; field; apply Rgt_not_eq, Power).
    assert (Other : 2 * n / 2 ^ q = k * (4 * (2 ^ (c + 1) / 2 ^ q)))
      by (unfold n, k; rewrite !pow_add; simpl; field; apply Rgt_not_eq, Power).
    rewrite Theorems, Other. lra. }
  destruct (Nat.le_gt_cases q (c + 1)) as [Less | More].
  - destruct (Nat.le_exists_sub q (c + 1) Less) as [d [-> _]].
    rewrite pow_add, plus_INR. specialize (Linear d).
    replace (2 ^ d * 2 ^ q / 2 ^ q) with (2 ^ d) by (field; apply Rgt_not_eq, Power).
    pose proof (pos_INR d). lra.
  - destruct (Nat.le_exists_sub (S (c + 1)) q More) as [d [-> _]].
    rewrite (pow_add 2 d), (plus_INR d), (S_INR (c + 1)). pose proof (pos_INR d).
    assert (0 < 2 ^ (c + 1) / (2 ^ d * 2 ^ S (c + 1)))
      by (apply Rdiv_lt_0_compat; [easy | now apply Rmult_lt_0_compat]).
    destruct d as [|d].
    + simpl (2 ^ 0). simpl (2 ^ S (c + 1)).
      replace (2 ^ (c + 1) / (1 * (2 * 2 ^ (c + 1)))) with (1 / 2)
        by (field; apply Rgt_not_eq, Power). change (INR 0) with 0. lra.
    + rewrite S_INR. pose proof (pos_INR d). lra.
Qed.

(** [thm-winnow-noise]: any labels, with A attribute errors. *)

Lemma errors_whole n theta relevant g :
  exists a, at_mistakes (winnow n theta) (attribute_errors n relevant) g = INR a.
Proof.
  assert (Each : forall x y, exists a, attribute_errors n relevant x y = INR a).
  { intros x []; simpl; [destruct (Rlt_dec _ _); [now exists 0%nat | now exists 1%nat]|].
    destruct (size_whole n (fun i => relevant i && x i)) as [a Ha]. exists a. rewrite <- Ha.
    apply sum_eq; intros i _. destruct (relevant i), (x i); simpl; lra. }
  induction g as [|[x y] past [a IH]]; [now exists 0%nat|]. cbn [at_mistakes]. rewrite IH.
  destruct (Each x y) as [b ->]. destruct (errs _ _ _ _).
  - exists (a + b)%nat. now rewrite plus_INR.
  - exists a. lra.
Qed.

Theorem winnow_attribute_errors :
  forall (n : nat) (relevant : bits) (g : game bits),
    (2 <= n)%nat -> 0 < size n relevant ->
    let k := size n relevant in
    let A := at_mistakes (winnow n (INR n)) (attribute_errors n relevant) g in
    let L := INR (Nat.log2_up n) in
    INR (mistakes (winnow n (INR n)) g) <= 3 * (k * L + A) - 2 * k.
Proof.
  intros n relevant g Hn Hk k A L. destruct (at_least_log n Hn) as [H1 [HL L1]].
  pose proof (most_promotions n (INR n) (Nat.log2_up n) relevant g) as P.
  pose proof (ahead_nonneg n (INR n) (Nat.log2_up n) relevant HL g).
  fold k A L in P. rewrite both_kinds, plus_INR.
  enough (INR (demotions (winnow n (INR n)) g) <= 2 * k * (L - 1) + 2 * A) by lra.
  destruct (size_whole n relevant) as [K HK]. fold k in HK.
  destruct (errors_whole n (INR n) relevant g) as [a Ha]. fold A in Ha.
  replace (2 * k * (L - 1) + 2 * A) with (INR (2 * K * (Nat.log2_up n - 1) + 2 * a))
    by (rewrite HK, Ha, plus_INR, !mult_INR, minus_INR by easy; simpl; unfold L; lra).
  destruct (combine n (INR n) (Nat.log2_up n) relevant HL H1 g Hk) as [-> | C];
    [apply pos_INR|].
  fold k A L in C. apply le_INR, Nat.lt_succ_r, INR_lt.
  rewrite S_INR, plus_INR, !mult_INR, minus_INR by easy. simpl INR. fold L. rewrite <- HK, <- Ha.
  apply (Rmult_lt_reg_l (INR n / 2)); lra.
Qed.

(** ** Winnow that eliminates

    A demotion sets the weights of the active features to 0. *)

Definition factor_to_0 (y : label) (b : bool) : R :=
  match y, b with plus, true => 2 | minus, true => 0 | _, false => 1 end.

Definition eliminating_winnow (n : nat) (theta : R) : learner vector bits := {|
  start := fun i => 1;
  predict w x := reaches theta (score n w x);
  update w x y :=
    if wrong (reaches theta (score n w x)) y then fun i => w i * factor_to_0 y (x i) else w
|}.

Section Elimination.
Variables (n : nat) (theta : R) (p : nat) (relevant : bits).
Hypothesis p_is_log2 : theta <= 2 ^ p.
Hypothesis theta_big : 1 < theta.

Notation L := (eliminating_winnow n theta).
Notation w g := (state L g).

Fixpoint promoted (i : nat) (g : game bits) : nat :=
  match g with
  | [] => 0
  | (x, y) :: past => promoted i past +
      match y with plus => if errs L past x y && x i then 1 else 0 | minus => 0 end
  end.

Lemma next_weight_0 g x y i :
  w ((x, y) :: g) i = w g i * (if errs L g x y then factor_to_0 y (x i) else 1).
Proof. simpl. unfold errs; simpl. destruct (wrong _ _); lra. Qed.

Lemma weight_nonneg g i : 0 <= w g i.
Proof.
  induction g as [|[x y] past IH]; [simpl; lra|]. rewrite next_weight_0.
  destruct (errs L past x y), (x i), y; simpl; lra.
Qed.

Lemma relevant_off x i : on n relevant x = 0 -> (i < n)%nat -> relevant i = true ->
  x i = false.
Proof.
  intros Off Hi Hr. destruct (x i) eqn:Hx; [exfalso | easy].
  assert (relevant i * x i <= on n relevant x).
  { apply (sum_term n (fun i => relevant i * x i)); [|easy].
    intros j _. destruct (relevant j), (x j); simpl; lra. }
  rewrite Off, Hr, Hx in H. simpl in H. lra.
Qed.

Notation clean_game g := (every_round (fun x y => attribute_errors n relevant x y = 0) g).

Lemma relevant_weight g i : clean_game g -> (i < n)%nat -> relevant i = true ->
  w g i = 2 ^ promoted i g.
Proof.
  intros H Hi Hr. induction H as [|[x y] past Clean _ IH]; [easy|]. simpl in Clean.
  rewrite next_weight_0, IH. simpl promoted. rewrite pow_add.
  destruct y; destruct (errs L past x _); simpl; try lra.
  - destruct (x i); simpl; lra.
  - rewrite (relevant_off x i) by easy. simpl. lra.
Qed.

Lemma promoted_at_most g i : clean_game g -> (i < n)%nat -> relevant i = true ->
  (promoted i g <= p)%nat.
Proof.
  intros H Hi Hr. induction H as [|[x y] past Clean H IH]; simpl; [lia|].
  destruct y; [|lia]. destruct (errs L past x plus && x i) eqn:E; [|lia].
  apply andb_prop in E as [E Hx]. apply wrong_plus in E. simpl in E.
  enough (promoted i past <> p) by lia. intros Full.
  assert (w past i * x i <= score n (w past) x).
  { apply (sum_term n (fun i => w past i * x i)); [|easy]. intros j _.
    pose proof (weight_nonneg past j). destruct (x j); simpl; lra. }
  rewrite relevant_weight, Full, Hx in H0 by easy. simpl in H0. lra.
Qed.

Notation taken g := (sum n (fun i => relevant i * INR (promoted i g))).

Lemma promotions_taken g : clean_game g -> INR (promotions L g) <= taken g.
Proof.
  intros H. induction H as [|[x y] past Clean _ IH].
  - simpl. apply sum_nonneg; intros. destruct (relevant i); simpl; lra.
  - assert (Rise : forall i, promoted i ((x, y) :: past) = (promoted i past +
      match y with plus => if errs L past x y && x i then 1 else 0 | minus => 0 end)%nat)
      by easy.
    assert (taken past <= taken ((x, y) :: past)).
    { apply sum_le; intros i _. rewrite Rise, plus_INR. pose proof (pos_INR (promoted i past)).
      destruct (relevant i), y; simpl INR; simpl bit; try lra.
      destruct (_ && _); simpl; lra. }
    cbn [promotions]. rewrite plus_INR. destruct y; [|change (INR 0) with 0; lra].
    destruct (errs L past x plus) eqn:E; [change (INR 1) with 1|change (INR 0) with 0; lra].
    enough (taken ((x, plus) :: past) = taken past + on n relevant x) as ->.
    { cbn [fst snd] in Clean. pose proof (fewer_ahead n relevant x). lra. }
    unfold on. rewrite <- sum_plus. apply sum_eq; intros i _. rewrite Rise, plus_INR.
    destruct (x i); simpl; lra.
Qed.

Lemma weight_budget g :
  sum n (w g) + theta * INR (demotions L g) <= INR n + theta * INR (promotions L g).
Proof.
  induction g as [|[x y] past IH]; [simpl; rewrite sum_const; lra|].
  cbn [promotions demotions]. destruct (errs L past x y) eqn:E; [destruct y|].
  - assert (sum n (w ((x, plus) :: past)) = sum n (w past) + score n (w past) x) as ->.
    { unfold score. rewrite <- sum_plus. apply sum_eq; intros. rewrite next_weight_0, E.
      destruct (x i); simpl; lra. }
    apply wrong_plus in E. simpl in E. rewrite !plus_INR; simpl INR. lra.
  - assert (sum n (w ((x, minus) :: past)) = sum n (w past) - score n (w past) x) as ->.
    { unfold score. rewrite <- sum_minus. apply sum_eq; intros. rewrite next_weight_0, E.
      destruct (x i); simpl; lra. }
    apply wrong_minus in E. simpl in E. rewrite !plus_INR; simpl INR. lra.
  - assert (sum n (w ((x, y) :: past)) = sum n (w past)) as ->.
    { apply sum_eq; intros. rewrite next_weight_0, E. lra. }
    destruct y; rewrite !plus_INR; simpl INR; lra.
Qed.

End Elimination.

Theorem eliminating_winnow_mistakes :
  forall (n : nat) (relevant : bits) (theta : R) (p : nat) (g : game bits),
    1 < theta -> theta <= 2 ^ p -> every_round (disjunction n relevant) g ->
    let k := size n relevant in
    INR (promotions (eliminating_winnow n theta) g) <= k * INR p
    /\ INR (demotions (eliminating_winnow n theta) g) <= k * INR p + INR n / theta.
Proof.
  intros n relevant theta p g Big Hp H k. apply every_clean in H.
  assert (Most : INR (promotions (eliminating_winnow n theta) g) <= k * INR p).
  { eapply Rle_trans; [now apply promotions_taken with (relevant := relevant)|].
    unfold k, size. rewrite (Rmult_comm _ (INR p)), <- sum_times. apply sum_le; intros i Hi.
    destruct (relevant i) eqn:Hr; simpl; [|lra].
    pose proof (promoted_at_most n theta p relevant Hp g i H Hi Hr) as B. apply le_INR in B. lra. }
  split; [easy|].
  pose proof (weight_budget n theta g) as Budget.
  assert (0 <= sum n (state (eliminating_winnow n theta) g))
    by (apply sum_nonneg; intros; apply weight_nonneg).
  apply (Rmult_le_reg_l theta); [lra|].
  replace (theta * (k * INR p + INR n / theta)) with (theta * (k * INR p) + INR n) by (field; lra).
  assert (theta * INR (promotions (eliminating_winnow n theta) g) <= theta * (k * INR p))
    by (apply Rmult_le_compat_l; lra). lra.
Qed.
