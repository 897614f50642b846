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
Notation A g := (total (attribute_errors n relevant) g).

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
  pose proof (errors_nonneg x y). pose proof (fewer_ahead x). cbn [promotions total].
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
  - pose proof (errors_nonneg x y). pose proof (fewer_ahead x). cbn [promotions demotions total].
    destruct (errs L past x y) eqn:E; [destruct y|].
    + destruct (promotion past x E) as [-> ->]. apply wrong_plus in E. simpl in E.
      assert (theta * 1 <= theta * (on n relevant x + attribute_errors n relevant x plus))
        by (apply Rmult_le_compat_l; lra).
      rewrite !plus_INR; simpl INR. split; intros; lra.
    + destruct (demotion past x E) as [-> ->]. apply wrong_minus in E. simpl in E.
      rewrite !plus_INR; simpl. split; intros; [|destruct IH as [_ IH]; specialize (IH ltac:(lra))];
      lra.
    + destruct (no_mistake past x y E) as [-> ->].
      assert (0 <= theta * attribute_errors n relevant x y) by (apply Rmult_le_pos; lra).
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

Lemma lower_bound g : k * theta <= potential g.
Proof.
  unfold size, ahead. rewrite (Rmult_comm _ theta), <- !sum_times, <- sum_plus.
  apply sum_le; intros i Hi. pose proof (worth g i Hi). pose proof (weight_positive g i).
  destruct (relevant i); simpl; lra.
Qed.

Lemma ahead_nonneg g : 0 <= ahead g.
Proof.
  apply sum_nonneg; intros i Hi. pose proof (exponent_at_most g i Hi) as Most.
  apply IZR_le in Most. rewrite <- INR_IZR_INZ in Most. destruct (relevant i); simpl; lra.
Qed.

(** Without attribute errors: just after a demotion the weights that are not relevant
    still have theta / 2. Each relevant one, with what it has ahead, has c or more. *)

Lemma lower_bound_after g x c : errs L g x minus = true -> on n relevant x = 0 ->
  (forall i, (i < n)%nat -> relevant i = true ->
    c <= w ((x, minus) :: g) i + theta * (INR p - IZR (exponent i ((x, minus) :: g)))) ->
  theta / 2 + k * c <= potential ((x, minus) :: g).
Proof.
  intros E Off Hc. pose proof E as Reached. apply wrong_minus in Reached. simpl in Reached.
  enough (/ 2 * score n (w g) x + k * c <= potential ((x, minus) :: g)) by lra.
  unfold score, ahead, size. rewrite (Rmult_comm _ c), <- !sum_times, <- !sum_plus.
  apply sum_le; intros i Hi. specialize (Hc i Hi).
  assert (Term : relevant i * x i <= 0).
  { rewrite <- Off. apply (sum_term n (fun i => relevant i * x i)); [|easy].
    intros j _. destruct (relevant j), (x j); simpl; lra. }
  pose proof (weight_positive g i). pose proof (next_weight g x minus i) as Next.
  rewrite E in Next. destruct (relevant i) eqn:Hr.
  - specialize (Hc eq_refl). destruct (x i); simpl bit in *; lra.
  - rewrite Next. destruct (x i); simpl; lra.
Qed.

Lemma never_promoted g i : promotions L g = 0%nat -> (exponent i g <= 0)%Z.
Proof.
  induction g as [|[x y] past IH]; simpl; [lia|]. intros H.
  destruct y, (errs L past x _); simpl in *; destruct (x i); simpl; lia.
Qed.

Lemma clean_relevant g i : every_round (fun x y => attribute_errors n relevant x y = 0) g ->
  (i < n)%nat -> relevant i = true -> (0 <= exponent i g)%Z.
Proof.
  intros H Hi Hr. induction H as [|[x y] past Clean _ IH]; simpl in *; [lia|].
  destruct y; [destruct (_ && _); lia|]. destruct (x i) eqn:Hx; [|rewrite andb_false_r; lia].
  assert (relevant i * x i <= on n relevant x).
  { apply (sum_term n (fun i => relevant i * x i)); [|easy].
    intros j _. destruct (relevant j), (x j); simpl; lra. }
  simpl in Clean. rewrite Clean, Hr, Hx in H. simpl in H. lra.
Qed.

Lemma worth_more g i : promotions L g = 0%nat ->
  every_round (fun x y => attribute_errors n relevant x y = 0) g ->
  (i < n)%nat -> relevant i = true ->
  theta + 1 <= w g i + theta * (INR p - IZR (exponent i g)).
Proof.
  intros None Clean Hi Hr.
  assert (exponent i g = 0)%Z as Zero.
  { pose proof (never_promoted g i None). pose proof (clean_relevant g i Clean Hi Hr). lia. }
  rewrite weight, Zero. simpl. destruct p as [|q]; [simpl in *; lra|].
  rewrite S_INR. assert (0 <= theta * INR q) by (apply Rmult_le_pos; [lra | apply pos_INR]). lra.
Qed.

(** Step 4. Both together, after the last demotion. *)

Lemma combine g : every_round (fun x y => attribute_errors n relevant x y = 0) g -> 0 < k ->
  demotions L g = 0%nat
  \/ theta / 2 * (downs g + 1) + k * theta < INR n + theta * (k * INR p).
Proof.
  intros H Hk. induction H as [|[x y] past Clean H IH]; [now left|]. simpl in Clean.
  destruct (errs L past x y) eqn:E; [destruct y|].
  - simpl demotions. now rewrite Nat.add_0_r.
  - right. assert (H' : every_round (fun x y => attribute_errors n relevant x y = 0)
      ((x, minus) :: past)) by now constructor.
    assert (None : A ((x, minus) :: past) = 0).
    { clear -H'. induction H' as [|[x' y'] past' C _ IH']; simpl in *; lra. }
    destruct (upper_bound ((x, minus) :: past)) as [Up Strict]. rewrite None in Up, Strict.
    destruct (Nat.eq_dec (promotions L ((x, minus) :: past)) 0) as [Zero | Some].
    + pose proof (lower_bound_after past x (theta + 1) E Clean
        (fun i => worth_more _ i Zero H')) as Low. lra.
    + pose proof (lower_bound_after past x theta E Clean (fun i Hi _ => worth _ i Hi)) as Low.
      assert (0 < ups ((x, minus) :: past)) by (apply lt_0_INR; lia). lra.
  - simpl demotions. rewrite E. destruct y; now rewrite Nat.add_0_r.
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

Lemma no_errors n relevant g : every_round (disjunction n relevant) g ->
  total (attribute_errors n relevant) g = 0.
Proof.
  intros H. apply every_clean in H. induction H as [|[x y] past C _ IH]; simpl in *; lra.
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
    destruct (combine n theta p relevant Hp Big g (every_clean _ _ _ H) Hk) as [-> | C];
      [|fold k in C; lra].
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

(** [thm-winnow-noise]: any labels, with A attribute errors. *)

Theorem winnow_attribute_errors :
  forall (n : nat) (relevant : bits) (g : game bits),
    (2 <= n)%nat -> 0 < size n relevant ->
    let k := size n relevant in
    let A := total (attribute_errors n relevant) g in
    let L := INR (Nat.log2_up n) in
    INR (mistakes (winnow n (INR n)) g) <= 3 * (k * L + A).
Proof.
  intros n relevant g Hn Hk k A L. destruct (at_least_log n Hn) as [H1 [HL L1]].
  pose proof (most_promotions n (INR n) (Nat.log2_up n) relevant g) as P.
  pose proof (ahead_nonneg n (INR n) (Nat.log2_up n) relevant HL g) as Ahead.
  destruct (upper_bound n (INR n) (Nat.log2_up n) relevant H1 g) as [Up _].
  pose proof (lower_bound n (INR n) (Nat.log2_up n) relevant HL H1 g) as Low.
  fold k A L in P, Up, Low. rewrite both_kinds, plus_INR.
  set (ups := INR (promotions _ _)) in *. set (downs := INR (demotions _ _)) in *.
  assert (1 <= k).
  { unfold k in *. destruct (size_whole n relevant) as [K HK]. rewrite HK in *.
    apply (le_INR 1). apply (INR_lt 0) in Hk. lia. }
  assert (D : INR n / 2 * downs <= INR n / 2 * (2 + 2 * (k * L + A) - 2 * k)) by lra.
  apply Rmult_le_reg_l in D; lra.
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
