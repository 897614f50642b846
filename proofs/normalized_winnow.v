(** * Normalised Winnow

    Chapter [normalized_winnow]. *)

From OLC Require Import facts.

(** ** The algorithm *)

Definition boost (eta : R) (w x : vector) (y : label) : vector :=
  fun i => w i * exp (eta * (y * x i)).

Definition normalized_winnow (n : nat) (eta : R) : learner vector vector := {|
  start := fun i => 1 / INR n;
  predict w x := sign (dot n w x);
  update w x y :=
    if wrong (sign (dot n w x)) y
    then fun i => boost eta w x y i / sum n (boost eta w x y)
    else w
|}.

(** ** The proof

    The target is scaled: its weights are not negative and their sum is 1. *)

Definition shares (n : nat) (u : vector) : Prop :=
  (forall i, (i < n)%nat -> 0 <= u i) /\ sum n u = 1.

(** Its relative entropy to the first weights 1/n, of which each is u ln(u / (1/n)). *)

Definition entropy (n : nat) (u : vector) : R := sum n (fun i => u i * ln (u i * INR n)).

Section Proof.
Variables (n : nat) (eta radius gamma : R) (u : vector).
Hypothesis n_positive : (0 < n)%nat.
Hypothesis eta_positive : 0 < eta.
Hypothesis radius_positive : 0 < radius.
Hypothesis u_shares : shares n u.

Notation L := (normalized_winnow n eta).
Notation w g := (state L g).
Notation M g := (INR (mistakes L g)).
Notation Z g x y := (sum n (boost eta (w g) x y)).

Definition in_range (x : vector) (y : label) : Prop :=
  forall i, (i < n)%nat -> - radius <= x i <= radius.

(** The weights stay positive, and their sum 1. *)

Lemma boost_positive v x y i : 0 < v i -> 0 < boost eta v x y i.
Proof. intros. apply Rmult_lt_0_compat; [easy | apply exp_pos]. Qed.

Lemma distribution g : (forall i, 0 < w g i) /\ sum n (w g) = 1.
Proof.
  assert (0 < INR n) by now apply INR_pos.
  induction g as [|[x y] past [Pos One]].
  - simpl. split; [intros; apply Rdiv_lt_0_compat; lra|]. rewrite sum_const. field; lra.
  - simpl. destruct (wrong _ y); [|easy].
    assert (0 < Z past x y) by (apply sum_pos; auto using boost_positive).
    split.
    + intros i. apply Rdiv_lt_0_compat; auto using boost_positive.
    + rewrite (sum_eq n _ (fun i => / Z past x y * boost eta (w past) x y i))
        by (intros; unfold Rdiv; ring).
      rewrite sum_times. field. lra.
Qed.

Lemma Z_positive g x y : 0 < Z g x y.
Proof. apply sum_pos; [easy|]. intros. apply boost_positive, distribution. Qed.

(** Step 1. The potential is the relative entropy of u to the weights; it is kept here as
    the part that changes. *)

Notation potential g := (sum n (fun i => u i * ln (w g i))).

(** Step 2. At a mistake Z is at most cosh(eta radius), by the chord of exp. *)

Lemma Z_at_a_mistake g x y : in_range x y -> errs L g x y = true ->
  Z g x y <= cosh (eta * radius).
Proof.
  intros Range E. apply wrong_sign in E. fold (w g) in E.
  destruct (distribution g) as [Pos One].
  assert (Chord : Z g x y <=
    cosh (eta * radius) * sum n (w g) + sinh (eta * radius) / radius * (y * dot n (w g) x)).
  { unfold dot. rewrite <- !sum_times, <- sum_plus. apply sum_le; intros i Hi.
    unfold boost. specialize (Range i Hi). pose proof (Pos i).
    replace (eta * (y * x i)) with (eta * radius * (y * x i / radius)) by (field; lra).
    assert (-1 <= y * x i / radius <= 1) as T.
    { split; apply (Rmult_le_reg_r radius); try easy; unfold Rdiv;
        rewrite (Rmult_assoc _ (/ radius)), Rinv_l by lra; destruct y; simpl; lra. }
    pose proof (exp_chord (eta * radius) _ T) as C.
    apply (Rmult_le_compat_l (w g i)) in C; [|lra].
    eapply Rle_trans; [exact C|]. right. field. lra. }
  rewrite One in Chord.
  assert (0 < / radius) by now apply Rinv_0_lt_compat.
  assert (0 <= sinh (eta * radius) / radius).
  { apply Rmult_le_pos; [apply sinh_nonneg, Rmult_le_pos|]; lra. }
  assert (sinh (eta * radius) / radius * (y * dot n (w g) x) <= 0).
  { rewrite <- (Rmult_0_r (sinh (eta * radius) / radius)). now apply Rmult_le_compat_l. }
  lra.
Qed.

(** So the entropy falls by at least C at every mistake. *)

Notation C := (eta * gamma - ln (cosh (eta * radius))).

Lemma lower_bound g : every_round in_range g ->
  every_round (fun x y => y * dot n u x >= gamma) g ->
  - ln (INR n) + M g * C <= potential g.
Proof.
  assert (Hn : 0 < INR n) by now apply INR_pos. destruct u_shares as [_ Sum].
  intros Range Margin. induction Margin as [|[x y] past D _ IH].
  - simpl. rewrite ln_div, ln_1 by lra.
    rewrite (sum_eq n _ (fun i => - ln (INR n) * u i)) by (intros; ring).
    rewrite sum_times, Sum. lra.
  - inversion Range as [|? ? Here Before]; subst. simpl in D, Here. specialize (IH Before).
    cbn [mistakes]. rewrite plus_INR. destruct (errs L past x y) eqn:E; simpl INR.
    + pose proof (Z_at_a_mistake past x y Here E) as HZ. pose proof (Z_positive past x y) as Pos.
      enough (potential ((x, y) :: past)
        = potential past + eta * (y * dot n u x) + - ln (Z past x y) * sum n u) as ->.
      { rewrite Sum. apply ln_mono in HZ; [|easy].
        assert (eta * gamma <= eta * (y * dot n u x)) by (apply Rmult_le_compat_l; lra). lra. }
      unfold dot. rewrite <- !sum_times, <- !sum_plus. apply sum_eq; intros i _.
      destruct (distribution past) as [W _].
      simpl. unfold errs in E; simpl in E. rewrite E.
      rewrite ln_div by auto using boost_positive. unfold boost at 1.
      rewrite ln_mult, ln_exp by auto using exp_pos. ring.
    + enough (potential ((x, y) :: past) = potential past) by lra.
      simpl. unfold errs in E; simpl in E. now rewrite E.
Qed.

(** Step 3. It is never negative: ln z <= z - 1. *)

Lemma upper_bound g : potential g <= sum n (fun i => u i * ln (u i)).
Proof.
  destruct (distribution g) as [Pos One]. destruct u_shares as [Nonneg Sum].
  enough (potential g - sum n (fun i => u i * ln (u i)) <= sum n (w g) - sum n u)
    by (rewrite One, Sum in *; lra).
  rewrite <- !sum_minus. apply sum_le; intros i Hi. pose proof (Pos i).
  destruct (Nonneg i Hi) as [P | <-]; [|lra].
  pose proof (ln_below (w g i / u i) ltac:(now apply Rdiv_lt_0_compat)) as B.
  rewrite ln_div in B by easy. apply (Rmult_le_compat_l (u i)) in B; [|lra].
  replace (u i * (w g i / u i - 1)) with (w g i - u i) in B by (field; lra). lra.
Qed.

Lemma entropy_split : entropy n u = sum n (fun i => u i * ln (u i)) + ln (INR n).
Proof.
  destruct u_shares as [Nonneg Sum]. assert (0 < INR n) by now apply INR_pos.
  replace (ln (INR n)) with (ln (INR n) * sum n u) by (rewrite Sum; ring).
  unfold entropy. rewrite <- sum_times, <- sum_plus. apply sum_eq; intros i Hi.
  destruct (Nonneg i Hi) as [P | <-]; [rewrite ln_mult by easy|]; ring.
Qed.

(** Step 4. *)

Lemma combine g : every_round in_range g ->
  every_round (fun x y => y * dot n u x >= gamma) g -> M g * C <= entropy n u.
Proof.
  intros Range Margin. rewrite entropy_split.
  pose proof (lower_bound g Range Margin). pose proof (upper_bound g). lra.
Qed.

Lemma entropy_at_most : entropy n u <= ln (INR n).
Proof.
  destruct u_shares as [Nonneg Sum]. assert (Hn : 0 < INR n) by now apply INR_pos.
  rewrite entropy_split.
  enough (sum n (fun i => u i * ln (u i)) <= sum n (fun _ => 0)) by (rewrite sum_const in *; lra).
  apply sum_le; intros i Hi. destruct (Nonneg i Hi) as [P | <-]; [|lra].
  assert (u i <= 1) by (rewrite <- Sum; now apply sum_term).
  assert (ln (u i) <= 0) by (rewrite <- ln_1; now apply ln_mono).
  rewrite <- (Rmult_0_r (u i)). apply Rmult_le_compat_l; lra.
Qed.

End Proof.

(** The inverse of tanh, which is the best rate. *)

Definition artanh (z : R) : R := ln ((1 + z) / (1 - z)) / 2.

Lemma tanh_artanh z : 0 < z < 1 ->
  0 < artanh z /\ sinh (artanh z) = z * cosh (artanh z).
Proof.
  intros H. unfold artanh. set (q := (1 + z) / (1 - z)).
  assert (Hq : 1 < q).
  { unfold q. apply (Rmult_lt_reg_r (1 - z)); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l; lra. }
  split.
  - enough (0 < ln q) by lra. rewrite <- ln_1. apply ln_increasing; lra.
  - assert (Ratio : exp (ln q / 2) = q * exp (- (ln q / 2))).
    { rewrite <- (exp_ln q) at 2 by lra. rewrite <- exp_plus. f_equal. field. }
    unfold sinh, cosh. rewrite Ratio. unfold q. field. lra.
Qed.

(** It is the best: e z - ln cosh e is largest at artanh z, because
    cosh (a + d) = cosh a (cosh d + z sinh d) >= cosh a exp(d z). *)

Lemma best_rate e z : 0 < z < 1 ->
  e * z - ln (cosh e) <= artanh z * z - ln (cosh (artanh z)).
Proof.
  intros Hz. destruct (tanh_artanh z Hz) as [_ Slope]. set (a := artanh z) in *.
  pose proof (exp_chord (e - a) z ltac:(lra)) as Chord.
  assert (cosh e = cosh a * (cosh (e - a) + z * sinh (e - a))) as ->.
  { replace (cosh a * (cosh (e - a) + z * sinh (e - a)))
      with (cosh a * cosh (e - a) + z * cosh a * sinh (e - a)) by ring.
    rewrite <- Slope. unfold cosh, sinh.
    replace e with (a + (e - a)) at 1 2 by ring.
    replace (- (a + (e - a))) with (- a + - (e - a)) by ring.
    rewrite !exp_plus. field. }
  pose proof (cosh_pos a).
  assert (0 < cosh (e - a) + z * sinh (e - a)) by (pose proof (exp_pos ((e - a) * z)); lra).
  rewrite ln_mult by easy.
  apply ln_mono in Chord; [|apply exp_pos]. rewrite ln_exp in Chord. lra.
Qed.

(** Both rates of the theorem have C at least gamma^2 / (2 radius^2). *)

Lemma simple_rate eta radius gamma : 0 < gamma -> 0 < radius -> eta = gamma / radius ^ 2 ->
  gamma ^ 2 / (2 * radius ^ 2) <= eta * gamma - ln (cosh (eta * radius)).
Proof.
  intros Hg HR ->.
  assert (0 < gamma / radius ^ 2) by (apply Rdiv_lt_0_compat; [easy | now apply pow_lt]).
  pose proof (ln_cosh (gamma / radius ^ 2 * radius) ltac:(apply Rmult_le_pos; lra)).
  replace (gamma ^ 2 / (2 * radius ^ 2))
    with (gamma / radius ^ 2 * gamma - (gamma / radius ^ 2 * radius) ^ 2 / 2) by (field; lra).
  lra.
Qed.

Lemma artanh_rate eta radius gamma : 0 < gamma < radius ->
  eta = artanh (gamma / radius) / radius ->
  gamma ^ 2 / (2 * radius ^ 2) <= eta * gamma - ln (cosh (eta * radius)).
Proof.
  intros [Hg Less] Best. set (z := gamma / radius) in *.
  assert (Hz : 0 < z < 1).
  { unfold z. split; [apply Rdiv_lt_0_compat; lra|].
    apply (Rmult_lt_reg_r radius); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  eapply Rle_trans; [apply (simple_rate (gamma / radius ^ 2)); auto; lra|].
  assert (eta * radius = artanh z) as Ea by (rewrite Best; field; lra).
  pose proof (best_rate (gamma / radius ^ 2 * radius) z Hz) as B. rewrite <- Ea in B.
  replace (gamma / radius ^ 2 * radius * z) with (gamma / radius ^ 2 * gamma) in B
    by (unfold z; field; lra).
  replace (eta * radius * z) with (eta * gamma) in B by (unfold z; field; lra). exact B.
Qed.

(** Step 5. Solve for M. *)

Lemma solve M C E radius gamma : 0 <= M -> 0 < gamma -> 0 < radius -> M * C <= E ->
  gamma ^ 2 / (2 * radius ^ 2) <= C -> M <= 2 * radius ^ 2 * E / gamma ^ 2.
Proof.
  intros HM Hg HR Main HC.
  assert (0 < gamma ^ 2) by now apply pow_lt. assert (0 < radius ^ 2) by now apply pow_lt.
  apply (Rmult_le_reg_r (gamma ^ 2 / (2 * radius ^ 2))); [apply Rdiv_lt_0_compat; lra|].
  replace (2 * radius ^ 2 * E / gamma ^ 2 * (gamma ^ 2 / (2 * radius ^ 2))) with E by (field; lra).
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact HM | exact HC] | exact Main].
Qed.

(** ** The theorems

    [thm-normalized-winnow] *)

Theorem normalized_winnow_bound :
  forall (n : nat) (eta radius gamma : R) (u : vector) (g : game vector),
    (0 < n)%nat -> 0 < eta -> 0 < radius -> 0 < gamma -> shares n u ->
    every_round (in_range n radius) g ->
    every_round (fun x y => y * dot n u x >= gamma) g ->
    let C := eta * gamma - ln (cosh (eta * radius)) in
    let M := INR (mistakes (normalized_winnow n eta) g) in
    (0 < C -> M <= entropy n u / C /\ entropy n u / C <= ln (INR n) / C)
    /\ (eta = gamma / radius ^ 2 -> M <= 2 * radius ^ 2 * ln (INR n) / gamma ^ 2)
    /\ (gamma < radius -> eta = artanh (gamma / radius) / radius ->
        M <= 2 * radius ^ 2 * ln (INR n) / gamma ^ 2).
Proof.
  intros n eta radius gamma u g Hn He HR Hg Hu Range Margin C M.
  pose proof (combine n eta radius gamma u Hn He HR Hu g Range Margin) as Main. fold C M in Main.
  pose proof (entropy_at_most n u Hn Hu) as Ent.
  assert (HM : 0 <= M) by apply pos_INR.
  repeat split.
  - apply (Rmult_le_reg_r C); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | easy].
  - intros Rate. apply (solve M C); auto; [lra | now apply simple_rate].
  - intros Less Rate. apply (solve M C); auto; [lra | now apply artanh_rate].
Qed.

(** ** A panel

    The target is the majority of k experts; an opinion is 1 or -1. *)

Definition opinions (n : nat) (x : vector) (y : label) : Prop :=
  forall i, (i < n)%nat -> x i = 1 \/ x i = -1.

Definition members (n : nat) (panel : nat -> bool) : R := sum n (fun i => panel i).

Definition majority (n : nat) (panel : nat -> bool) (x : vector) (y : label) : Prop :=
  sign (sum n (fun i => panel i * x i)) = Some y.

(** A majority of whole votes is a majority by one vote or more. *)

Lemma majority_wins n panel x y : opinions n x y -> majority n panel x y ->
  1 <= y * sum n (fun i => panel i * x i).
Proof.
  intros Op H. unfold majority in H. unfold opinions in Op.
  assert (exists z, sum n (fun i => panel i * x i) = IZR z) as [z Hz].
  { clear H. induction n as [|m IH]; [now exists 0%Z|].
    destruct IH as [z Hz]; [auto with arith|]. simpl. rewrite Hz.
    destruct (Op m (Nat.lt_succ_diag_r m)) as [-> | ->]; destruct (panel m); simpl;
      [exists (z + 1)%Z | exists z | exists (z - 1)%Z | exists z];
      rewrite ?plus_IZR, ?minus_IZR; lra. }
  rewrite Hz in *. unfold sign in H.
  destruct (Rlt_dec 0 (IZR z)) as [P|]; [|destruct (Rlt_dec (IZR z) 0) as [P|]; [|easy]];
    injection H as <-; simpl; apply lt_IZR in P.
  - assert (1 <= z)%Z as Q by lia. apply IZR_le in Q. lra.
  - assert (z <= -1)%Z as Q by lia. apply IZR_le in Q. lra.
Qed.

Definition panel_shares (n : nat) (panel : nat -> bool) : vector :=
  fun i => panel i / members n panel.

Lemma panel_margin n panel g : 0 < members n panel ->
  every_round (opinions n) g -> every_round (majority n panel) g ->
  shares n (panel_shares n panel)
  /\ entropy n (panel_shares n panel) = ln (INR n / members n panel)
  /\ every_round (in_range n 1) g
  /\ every_round (fun x y => y * dot n (panel_shares n panel) x >= 1 / members n panel) g.
Proof.
  intros Hk Op Maj. set (k := members n panel) in *.
  assert (Hn : (0 < n)%nat) by (destruct n; [unfold k, members in Hk; simpl in Hk; lra | lia]).
  assert (0 < INR n) by now apply INR_pos.
  assert (One : sum n (panel_shares n panel) = 1).
  { unfold panel_shares. fold k. rewrite (sum_eq n _ (fun i => / k * panel i))
      by (intros; unfold Rdiv; ring).
    rewrite sum_times. fold (members n panel). fold k. field. lra. }
  repeat split.
  - intros i _. unfold panel_shares. fold k. apply Rmult_le_pos;
      [destruct (panel i); simpl; lra | left; now apply Rinv_0_lt_compat].
  - easy.
  - unfold entropy. rewrite (sum_eq n _ (fun i => ln (INR n / k) * panel_shares n panel i)).
    + rewrite sum_times, One. ring.
    + intros i _. unfold panel_shares. fold k. destruct (panel i); simpl.
      * replace (1 / k * INR n) with (INR n / k) by (field; lra). ring.
      * unfold Rdiv. ring.
  - clear Maj. induction Op as [|[x y] past Here _ IH]; constructor; [|easy].
    simpl in *. intros i Hi. destruct (Here i Hi) as [-> | ->]; lra.
  - induction Maj as [|[x y] past Here _ IH]; constructor;
      [|apply IH; now inversion Op]. inversion Op as [|? ? Ox _]; subst. simpl in *.
    pose proof (majority_wins n panel x y Ox Here) as Win.
    assert (dot n (panel_shares n panel) x = / k * sum n (fun i => panel i * x i)) as ->.
    { unfold dot. rewrite <- sum_times. apply sum_eq; intros. unfold panel_shares. fold k.
      unfold Rdiv. ring. }
    assert (0 < / k) by now apply Rinv_0_lt_compat.
    apply (Rmult_le_compat_l (/ k)) in Win; lra.
Qed.

(** [thm-normalized-winnow-panel] *)

Theorem normalized_winnow_panel :
  forall (n : nat) (panel : nat -> bool) (eta : R) (g : game vector),
    let k := members n panel in
    0 < k -> every_round (opinions n) g -> every_round (majority n panel) g ->
    eta = 1 / k \/ 1 < k /\ eta = artanh (1 / k) ->
    INR (mistakes (normalized_winnow n eta) g) <= 2 * k ^ 2 * ln (INR n / k).
Proof.
  intros n panel eta g k Hk Op Maj Rate.
  destruct (panel_margin n panel g Hk Op Maj) as [Shares [Ent [Range Margin]]].
  fold k in Ent, Margin.
  assert (Hn : (0 < n)%nat) by (destruct n; [unfold k, members in Hk; simpl in Hk; lra | lia]).
  assert (Hg : 0 < 1 / k) by (apply Rdiv_lt_0_compat; lra).
  assert (He : 0 < eta).
  { destruct Rate as [-> | [K ->]]; [easy|]. apply tanh_artanh. split; [easy|].
    apply (Rmult_lt_reg_r k); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  pose proof (combine n eta 1 (1 / k) _ Hn He ltac:(lra) Shares g Range Margin) as Main.
  rewrite Ent in Main.
  assert (C : (1 / k) ^ 2 / (2 * 1 ^ 2) <= eta * (1 / k) - ln (cosh (eta * 1))).
  { destruct Rate as [-> | [K ->]]; [apply simple_rate; lra|].
    apply artanh_rate; [|replace (1 / k / 1) with (1 / k) by (field; lra); field]. split; [easy|].
    apply (Rmult_lt_reg_r k); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  pose proof (solve _ _ _ _ _ (pos_INR _) Hg Rlt_0_1 Main C) as B.
  replace (2 * k ^ 2 * ln (INR n / k)) with (2 * 1 ^ 2 * ln (INR n / k) / (1 / k) ^ 2)
    by (field; lra). exact B.
Qed.
