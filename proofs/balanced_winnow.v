(** * Balanced Winnow: weights of any sign

    Chapter [balanced_winnow]. *)

From OLC Require Import facts normalized_winnow.

(** ** The algorithm: two weights for each feature *)

Record pair := { w_plus : vector; w_minus : vector }.

Definition Z (n : nat) (eta : R) (w : pair) (x : vector) (y : label) : R :=
  sum n (fun i => w_plus w i * exp (eta * (y * x i)) + w_minus w i * exp (- (eta * (y * x i)))).

Definition difference (w : pair) : vector := fun i => w_plus w i - w_minus w i.

Definition balanced_winnow (n : nat) (eta : R) : learner pair vector := {|
  start := {| w_plus := fun i => 1 / (2 * INR n); w_minus := fun i => 1 / (2 * INR n) |};
  predict w x := sign (dot n (difference w) x);
  update w x y :=
    if wrong (sign (dot n (difference w) x)) y
    then {| w_plus := fun i => w_plus w i * exp (eta * (y * x i)) / Z n eta w x y;
            w_minus := fun i => w_minus w i * exp (- (eta * (y * x i))) / Z n eta w x y |}
    else w
|}.

(** ** One vector is enough *)

Section Proof.
Variables (n : nat) (eta radius : R).
Hypothesis n_positive : (0 < n)%nat.
Hypothesis eta_positive : 0 < eta.
Hypothesis radius_positive : 0 < radius.

Notation L := (balanced_winnow n eta).
Notation M g := (INR (mistakes L g)).

(** s is the sum of y x over the mistakes. *)

Fixpoint s (g : game vector) : vector :=
  match g with
  | [] => zero
  | (x, y) :: past => if errs L past x y then add (s past) y x else s past
  end.

(** Step 1. The potential. *)

Definition potential (g : game vector) : R := sum n (fun i => cosh (eta * s g i)).

Lemma potential_pos g : 0 < potential g.
Proof. apply sum_pos; [easy | intros; apply cosh_pos]. Qed.

(** [lem-balanced-winnow-sinh] *)

Lemma one_vector g i :
  w_plus (state L g) i = exp (eta * s g i) / (2 * potential g)
  /\ w_minus (state L g) i = exp (- (eta * s g i)) / (2 * potential g).
Proof.
  assert (Hn : 0 < INR n) by now apply INR_pos.
  revert i. induction g as [|[x y] past IH]; intros i.
  - unfold potential. simpl.
    rewrite (sum_eq n _ (fun _ => 1))
      by (intros; unfold zero; rewrite Rmult_0_r; apply cosh_0).
    unfold zero. rewrite sum_const, Rmult_0_r, Ropp_0, exp_0. split; field; lra.
  - pose proof (potential_pos past) as Pos.
    simpl state. simpl s. unfold potential at 1 2. simpl s. unfold errs. simpl predict.
    destruct (wrong _ y) eqn:E; [|apply IH].
    assert (Split : forall j, eta * add (s past) y x j = eta * s past j + eta * (y * x j))
      by (intros; unfold add; ring).
    assert (W : Z n eta (state L past) x y =
      sum n (fun j => cosh (eta * add (s past) y x j)) / potential past).
    { unfold Rdiv at 1. rewrite Rmult_comm, <- sum_times. apply sum_eq; intros j _.
      destruct (IH j) as [-> ->]. rewrite Split. unfold cosh.
      rewrite Ropp_plus_distr, !exp_plus. field. lra. }
    assert (0 < sum n (fun j => cosh (eta * add (s past) y x j)))
      by (apply sum_pos; [easy | intros; apply cosh_pos]).
    simpl. rewrite W. destruct (IH i) as [-> ->]. rewrite Split, Ropp_plus_distr, !exp_plus.
    split; field; lra.
Qed.

(** So the score has the sign of this sum. *)

Lemma score g x : dot n (difference (state L g)) x
  = / potential g * sum n (fun i => sinh (eta * s g i) * x i).
Proof.
  unfold dot, difference. rewrite <- sum_times. apply sum_eq; intros i _.
  destruct (one_vector g i) as [-> ->]. pose proof (potential_pos g). unfold sinh. field. lra.
Qed.

(** Step 2. A mistake raises the potential by the factor cosh(eta radius) at most. *)

Lemma upper_bound g : every_round (in_range n radius) g ->
  potential g <= INR n * cosh (eta * radius) ^ mistakes L g.
Proof.
  intros H. induction H as [|[x y] past Range _ IH].
  - unfold potential. simpl. rewrite (sum_eq n _ (fun _ => 1))
      by (intros; unfold zero; rewrite Rmult_0_r; apply cosh_0). rewrite sum_const. lra.
  - simpl in Range. cbn [mistakes]. unfold potential. simpl s.
    destruct (errs L past x y) eqn:E; [|now rewrite Nat.add_0_r].
    set (c := cosh (eta * radius)) in *.
    apply wrong_sign in E. fold (state L past) in E. rewrite score in E.
    pose proof (potential_pos past) as Pos.
    assert (Score : y * sum n (fun i => sinh (eta * s past i) * x i) <= 0).
    { apply (Rmult_le_reg_l (/ potential past)); [now apply Rinv_0_lt_compat|]. lra. }
    enough (sum n (fun i => cosh (eta * add (s past) y x i)) <= c * potential past) as Step.
    { eapply Rle_trans; [exact Step|]. rewrite Nat.add_1_r; simpl.
      rewrite (Rmult_comm (INR n)), Rmult_assoc. apply Rmult_le_compat_l.
      - left. apply cosh_pos.
      - rewrite Rmult_comm. exact IH. }
    assert (Chord : sum n (fun i => cosh (eta * add (s past) y x i)) <=
      c * potential past + sinh (eta * radius) / radius
        * (y * sum n (fun i => sinh (eta * s past i) * x i))).
    { unfold potential. rewrite <- !sum_times, <- sum_plus. apply sum_le; intros i Hi.
      specialize (Range i Hi). set (a := eta * s past i). set (t := y * x i / radius).
      assert (-1 <= t <= 1) as T.
      { unfold t. split; apply (Rmult_le_reg_r radius); try easy; unfold Rdiv;
          rewrite (Rmult_assoc _ (/ radius)), Rinv_l by lra; destruct y; simpl; lra. }
      replace (eta * add (s past) y x i) with (a + eta * radius * t)
        by (unfold a, t, add; field; lra).
      pose proof (exp_chord (eta * radius) t T) as P.
      pose proof (exp_chord (eta * radius) (- t) ltac:(lra)) as Q.
      unfold cosh at 1. rewrite Ropp_plus_distr, !exp_plus.
      replace (- (eta * radius * t)) with (eta * radius * - t) by ring.
      apply (Rmult_le_compat_l (exp a)) in P; [|left; apply exp_pos].
      apply (Rmult_le_compat_l (exp (- a))) in Q; [|left; apply exp_pos]. fold c in P, Q.
      replace (sinh (eta * radius) / radius * (y * (sinh a * x i)))
        with (t * sinh (eta * radius) * sinh a) by (unfold t; field; lra).
      unfold cosh at 1. unfold sinh at 2. lra. }
    assert (0 <= sinh (eta * radius) / radius).
    { apply Rmult_le_pos; [apply sinh_nonneg, Rmult_le_pos; lra|].
      left; now apply Rinv_0_lt_compat. }
    assert (sinh (eta * radius) / radius
      * (y * sum n (fun i => sinh (eta * s past i) * x i)) <= 0).
    { rewrite <- (Rmult_0_r (sinh (eta * radius) / radius)). now apply Rmult_le_compat_l. }
    lra.
Qed.

(** Step 3. The target u, of any sign: each mistake raises its alignment by gamma. *)

Lemma alignment u gamma g : every_round (fun x y => y * dot n u x >= gamma) g ->
  M g * gamma <= dot n u (s g).
Proof.
  intros H. induction H as [|[x y] past D _ IH]; simpl in *; [rewrite dot_zero; lra|].
  rewrite plus_INR. destruct (errs L past x y); simpl INR; [rewrite dot_add|]; lra.
Qed.

(** z and -z are at most ln(2 cosh z), and a weighted mean of logarithms lies below the
    logarithm of a sum. *)

Lemma below_cosh z : z <= ln (2 * cosh z) /\ - z <= ln (2 * cosh z).
Proof.
  assert (Both : 2 * cosh z = exp z + exp (- z)) by (unfold cosh; field).
  pose proof (exp_pos z). pose proof (exp_pos (- z)). rewrite Both.
  split; [rewrite <- (ln_exp z) at 1 | rewrite <- (ln_exp (- z)) at 1];
    apply ln_mono; auto; lra.
Qed.

Lemma mean_below (q f : vector) : shares n q -> (forall i, 0 < f i) ->
  sum n (fun i => q i * ln (f i)) - sum n (fun i => q i * ln (q i)) <= ln (sum n f).
Proof.
  intros [Nonneg Sum] Pos. pose proof (sum_pos n f n_positive Pos) as F.
  enough (sum n (fun i => q i * ln (f i)) - sum n (fun i => q i * ln (q i))
    - ln (sum n f) * sum n q <= / sum n f * sum n f - sum n q).
  { rewrite Sum, Rinv_l in * by lra. lra. }
  rewrite <- !sum_times, <- !sum_minus. apply sum_le; intros i Hi. specialize (Pos i).
  destruct (Nonneg i Hi) as [P | <-].
  - pose proof (ln_below (f i / (sum n f * q i))
      ltac:(apply Rdiv_lt_0_compat; [easy | now apply Rmult_lt_0_compat])) as B.
    rewrite ln_div, ln_mult in B by (try apply Rmult_lt_0_compat; easy).
    apply (Rmult_le_compat_l (q i)) in B; [|lra].
    replace (q i * (f i / (sum n f * q i) - 1)) with (/ sum n f * f i - q i) in B
      by (field; lra). lra.
  - assert (0 <= / sum n f * f i)
      by (apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat | lra]). lra.
Qed.

(** Step 4. For |u| = q with shares q: M (eta gamma - ln cosh) is at most ln 2n less what q
    saves, which is nothing if it is one feature and ln k if it is k equal ones. *)

Lemma combine u q gamma g : shares n q -> (forall i, u i = q i \/ u i = - q i) ->
  every_round (in_range n radius) g ->
  every_round (fun x y => y * dot n u x >= gamma) g ->
  M g * (eta * gamma - ln (cosh (eta * radius))) <=
    ln (2 * INR n) + sum n (fun i => q i * ln (q i)).
Proof.
  intros Hq Hu Range Margin.
  assert (Hn : 0 < INR n) by now apply INR_pos.
  pose proof (upper_bound g Range) as Up. pose proof (alignment u gamma g Margin) as Low.
  assert (Mean := mean_below q (fun i => 2 * cosh (eta * s g i)) Hq
    (fun i => ltac:(pose proof (cosh_pos (eta * s g i)); lra))).
  rewrite sum_times in Mean. fold (potential g) in Mean.
  assert (Below : eta * dot n u (s g) <= sum n (fun i => q i * ln (2 * cosh (eta * s g i)))).
  { unfold dot. rewrite <- sum_times. apply sum_le; intros i Hi.
    destruct Hq as [Nonneg _]. specialize (Nonneg i Hi).
    destruct (below_cosh (eta * s g i)) as [Plus Minus].
    apply (Rmult_le_compat_l (q i)) in Plus; [|easy].
    apply (Rmult_le_compat_l (q i)) in Minus; [|easy]. destruct (Hu i) as [-> | ->]; lra. }
  pose proof (potential_pos g) as Pos. pose proof (cosh_pos (eta * radius)).
  assert (ln (2 * potential g) <= ln (2 * INR n) + M g * ln (cosh (eta * radius))).
  { rewrite <- ln_pow, <- ln_mult by (try apply pow_lt; lra). apply ln_mono; lra. }
  assert (eta * (M g * gamma) <= eta * dot n u (s g)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

End Proof.

(** ** The theorems

    [thm-balanced-winnow]: u is scaled so that the sum of |u| is 1. *)

Definition absolute_shares (n : nat) (u : vector) : Prop := sum n (fun i => Rabs (u i)) = 1.

Lemma absolute n u : absolute_shares n u ->
  shares n (fun i => Rabs (u i)) /\ forall i, u i = Rabs (u i) \/ u i = - Rabs (u i).
Proof.
  intros H. repeat split; [intros; apply Rabs_pos | easy |].
  intros i. unfold Rabs. destruct (Rcase_abs (u i)); lra.
Qed.

Lemma entropy_nonneg n q : shares n q -> sum n (fun i => q i * ln (q i)) <= 0.
Proof.
  intros [Nonneg Sum]. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; ring).
  apply sum_le; intros i Hi. destruct (Nonneg i Hi) as [P | <-]; [|lra].
  assert (q i <= 1) by (rewrite <- Sum; now apply sum_term).
  assert (ln (q i) <= 0) by (rewrite <- ln_1; now apply ln_mono).
  rewrite <- (Rmult_0_r (q i)). apply Rmult_le_compat_l; lra.
Qed.

Theorem balanced_winnow_bound :
  forall (n : nat) (eta radius gamma : R) (u : vector) (g : game vector),
    (0 < n)%nat -> 0 < eta -> 0 < radius -> 0 < gamma -> absolute_shares n u ->
    every_round (in_range n radius) g ->
    every_round (fun x y => y * dot n u x >= gamma) g ->
    let C := eta * gamma - ln (cosh (eta * radius)) in
    let M := INR (mistakes (balanced_winnow n eta) g) in
    (0 < C -> M <= ln (2 * INR n) / C)
    /\ (eta = gamma / radius ^ 2 -> M <= 2 * radius ^ 2 * ln (2 * INR n) / gamma ^ 2)
    /\ (gamma < radius -> eta = artanh (gamma / radius) / radius ->
        M <= 2 * radius ^ 2 * ln (2 * INR n) / gamma ^ 2).
Proof.
  intros n eta radius gamma u g Hn He HR Hg Hu Range Margin C M.
  destruct (absolute n u Hu) as [Hq Signs].
  pose proof (combine n eta radius Hn He HR u _ gamma g Hq Signs Range Margin) as Main.
  pose proof (entropy_nonneg n _ Hq) as Ent. fold C M in Main.
  assert (Main' : M * C <= ln (2 * INR n)) by (eapply Rle_trans; [exact Main | lra]).
  assert (HM : 0 <= M) by apply pos_INR.
  split; [|split].
  - intros HC. apply (Rmult_le_reg_r C); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - intros Rate. apply (solve M C); auto. now apply simple_rate.
  - intros Less Rate. apply (solve M C); auto. now apply artanh_rate.
Qed.

(** If u has k weights of equal size: ln 2N/k, here for a panel of any signs. *)

Definition equal_weights (n : nat) (k : R) (u : vector) : Prop :=
  absolute_shares n u /\ forall i, (i < n)%nat -> u i = 0 \/ Rabs (u i) = 1 / k.

Theorem balanced_winnow_equal_weights :
  forall (n : nat) (eta radius gamma k : R) (u : vector) (g : game vector),
    (0 < n)%nat -> 0 < eta -> 0 < radius -> 0 < k -> equal_weights n k u ->
    every_round (in_range n radius) g ->
    every_round (fun x y => y * dot n u x >= gamma) g ->
    INR (mistakes (balanced_winnow n eta) g) * (eta * gamma - ln (cosh (eta * radius)))
      <= ln (2 * INR n / k).
Proof.
  intros n eta radius gamma k u g Hn He HR Hk [Hu Equal] Range Margin.
  destruct (absolute n u Hu) as [Hq Signs].
  pose proof (combine n eta radius Hn He HR u _ gamma g Hq Signs Range Margin) as Main.
  assert (0 < INR n) by now apply INR_pos.
  rewrite ln_div by lra. eapply Rle_trans; [exact Main|].
  enough (sum n (fun i => Rabs (u i) * ln (Rabs (u i))) = - ln k) by lra.
  rewrite (sum_eq n _ (fun i => - ln k * Rabs (u i))).
  - rewrite sum_times. unfold absolute_shares in Hu. rewrite Hu. ring.
  - intros i Hi. destruct (Equal i Hi) as [-> | ->]; [rewrite Rabs_R0; ring|].
    rewrite ln_div, ln_1 by lra. ring.
Qed.

(** [thm-balanced-winnow-rates]: u has k weights 1 or -1, and any rate. *)

Definition signs (n : nat) (panel : nat -> bool) (u : vector) : Prop :=
  forall i, (i < n)%nat -> if panel i then u i = 1 \/ u i = -1 else u i = 0.

Theorem balanced_winnow_every_rate :
  forall (n : nat) (eta : R) (panel : nat -> bool) (u : vector) (g : game vector),
    (0 < n)%nat -> 0 < eta -> signs n panel u ->
    every_round (in_range n 1) g ->
    every_round (fun x y => y * dot n u x >= 1) g ->
    let k := members n panel in
    let M := mistakes (balanced_winnow n eta) g in
    0 < k ->
    INR n * cosh eta ^ M >= INR n - k + k * cosh (eta * INR M / k)
    /\ (eta = 1 / k -> INR M <= 2 * k ^ 2 * ln (2 * INR n / k)).
Proof.
  intros n eta panel u g Hn He Hu Range Margin k M Hk.
  pose proof (upper_bound n eta 1 Hn He ltac:(lra) g Range) as Up. rewrite Rmult_1_r in Up.
  pose proof (alignment n eta u 1 g Margin) as Low. rewrite Rmult_1_r in Low. fold M in Up, Low.
  assert (First : INR n * cosh eta ^ M >= INR n - k + k * cosh (eta * INR M / k)).
  { apply Rle_ge. eapply Rle_trans; [|exact Up].
    set (c := eta * INR M / k). set (z i := eta * (u i * s n eta g i)).
    assert (Jensen : INR n - k + (cosh c * k + sinh c * (sum n z - c * k)) <= potential n eta g).
    { unfold potential, k, members.
      replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_const; ring).
      rewrite <- (sum_times n c), <- (sum_minus n z), <- !sum_times, <- !sum_minus, <- !sum_plus.
      apply sum_le; intros i Hi. specialize (Hu i Hi). unfold z. destruct (panel i); simpl.
      - pose proof (cosh_tangent (eta * (u i * s n eta g i)) c) as T.
        replace (cosh (eta * s n eta g i)) with (cosh (eta * (u i * s n eta g i))); [lra|].
        destruct Hu as [-> | ->]; unfold cosh.
        + now rewrite Rmult_1_l.
        + replace (eta * (-1 * s n eta g i)) with (- (eta * s n eta g i)) by ring.
          rewrite Ropp_involutive. lra.
      - rewrite Hu. pose proof (cosh_ge_1 (eta * s n eta g i)). lra. }
    assert (0 <= sinh c * (sum n z - c * k)).
    { apply Rmult_le_pos.
      - apply sinh_nonneg. unfold c. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
        apply Rmult_le_pos; [lra | apply pos_INR].
      - unfold z. rewrite sum_times. fold (dot n u (s n eta g)).
        replace (c * k) with (eta * INR M) by (unfold c; field; lra).
        assert (eta * INR M <= eta * dot n u (s n eta g)) by (apply Rmult_le_compat_l; lra). lra. }
    lra. }
  split; [exact First|]. intros Rate.
  assert (Hkn : k <= INR n).
  { unfold k, members. replace (INR n) with (sum n (fun _ => 1)) by (rewrite sum_const; ring).
    apply sum_le; intros i _. destruct (panel i); simpl; lra. }
  assert (Half : k / 2 * exp (INR M / k ^ 2) <= INR n * exp (INR M / (2 * k ^ 2))).
  { apply Rle_trans with (INR n * cosh eta ^ M).
    - replace (eta * INR M / k) with (INR M / k ^ 2) in First by (rewrite Rate; field; lra).
      assert (exp (INR M / k ^ 2) / 2 <= cosh (INR M / k ^ 2)).
      { unfold cosh. pose proof (exp_pos (- (INR M / k ^ 2))). lra. }
      assert (k * (exp (INR M / k ^ 2) / 2) <= k * cosh (INR M / k ^ 2))
        by (apply Rmult_le_compat_l; lra). lra.
    - apply Rmult_le_compat_l; [apply pos_INR|].
      pose proof (ln_cosh eta ltac:(lra)) as L. pose proof (cosh_pos eta) as P.
      rewrite <- (exp_ln (cosh eta ^ M)) by now apply pow_lt. rewrite ln_pow by easy.
      apply exp_le. replace (INR M / (2 * k ^ 2)) with (INR M * (eta ^ 2 / 2))
        by (rewrite Rate; field; lra).
      apply Rmult_le_compat_l; [apply pos_INR | easy]. }
  assert (Hn' : 0 < INR n) by now apply INR_pos.
  apply ln_mono in Half; [|apply Rmult_lt_0_compat; [lra | apply exp_pos]].
  rewrite !ln_mult, !ln_exp, ln_div in Half by (try apply exp_pos; lra).
  rewrite ln_div, ln_mult by lra.
  apply (Rmult_le_reg_r (1 / (2 * k ^ 2))).
  - apply Rdiv_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; [lra | now apply pow_lt].
  - replace (2 * k ^ 2 * (ln 2 + ln (INR n) - ln k) * (1 / (2 * k ^ 2)))
      with (ln 2 + ln (INR n) - ln k) by (field; lra).
    replace (INR M / k ^ 2) with (INR M * (1 / (2 * k ^ 2)) + INR M / (2 * k ^ 2)) in Half
      by (field; lra). lra.
Qed.
