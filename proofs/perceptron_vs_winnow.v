(** * The Perceptron against Winnow, on a panel

    Chapter [perceptron_vs_winnow]. The majority of k of n experts is right in every round. *)

From OLC Require Import facts perceptron normalized_winnow.

(** [thm-perceptron-panel]: Nk, from the theorem of the Perceptron. *)

Theorem perceptron_panel :
  forall (n : nat) (panel : nat -> bool) (g : game vector),
    let k := members n panel in
    0 < k -> every_round (opinions n) g -> every_round (majority n panel) g ->
    INR (mistakes (perceptron n 1 zero) g) <= INR n * k.
Proof.
  intros n panel g k Hk Op Maj. set (s := sqrt k).
  assert (Hs : 0 < s) by now apply sqrt_lt_R0. assert (Es : s * s = k) by (apply sqrt_sqrt; lra).
  set (u := fun i => panel i / s).
  assert (Sum : forall x, dot n u x = / s * sum n (fun i => panel i * x i)).
  { intros x. unfold dot, u. rewrite <- sum_times. apply sum_eq; intros. field. lra. }
  assert (Unit : norm n u = 1).
  { unfold norm. rewrite Sum.
    replace (sum n (fun i => panel i * u i)) with (/ s * k).
    - rewrite <- Es. replace (/ s * (/ s * (s * s))) with 1 by (field; lra). apply sqrt_1.
    - unfold k, members. rewrite <- sum_times. apply sum_eq; intros i _. unfold u.
      destruct (panel i); simpl; field; lra. }
  assert (Radius : every_round (fun x y => norm n x <= sqrt (INR n)) g).
  { clear Maj. induction Op as [|[x y] past Here _ IH]; constructor; [|easy]. simpl in *.
    right. unfold norm, dot. f_equal. rewrite (sum_eq n _ (fun _ => 1)).
    - rewrite sum_const. lra.
    - intros i Hi. destruct (Here i Hi) as [-> | ->]; lra. }
  assert (Margin : every_round (fun x y => y * dot n u x >= 1 / s) g).
  { induction Maj as [|[x y] past Here _ IH]; constructor.
    - inversion Op as [|? ? Ox _]; subst. simpl in *. rewrite Sum.
      pose proof (majority_wins n panel x y Ox Here) as Win.
      assert (0 < / s) by now apply Rinv_0_lt_compat.
      apply (Rmult_le_compat_l (/ s)) in Win; lra.
    - inversion Op as [|? ? _ Before]; subst. inversion Radius; subst. now apply IH. }
  pose proof (perceptron_convergence_from_zero n 1 u (sqrt (INR n)) (1 / s) g ltac:(lra)
    ltac:(apply Rdiv_lt_0_compat; lra) Unit Radius Margin) as B.
  rewrite pow2_sqrt in B by apply pos_INR. rewrite <- Es.
  replace (INR n * (s * s)) with (INR n / (1 / s) ^ 2) by (field; lra). exact B.
Qed.

(** Both bounds on one panel, in one statement. *)

Theorem both_on_a_panel :
  forall (n : nat) (panel : nat -> bool) (g : game vector),
    let k := members n panel in
    0 < k -> every_round (opinions n) g -> every_round (majority n panel) g ->
    INR (mistakes (perceptron n 1 zero) g) <= INR n * k
    /\ INR (mistakes (normalized_winnow n (1 / k)) g) <= 2 * k ^ 2 * ln (INR n / k).
Proof.
  intros n panel g k Hk Op Maj. split; [now apply perceptron_panel|].
  apply normalized_winnow_panel; auto.
Qed.

(** [thm-panel-no-crossover]: ln z <= z / e. *)

Theorem no_crossover :
  forall n k : R, 0 < k <= n ->
    2 * k ^ 2 * ln (n / k) <= 2 / exp 1 * (n * k) /\ 2 / exp 1 * (n * k) < n * k.
Proof.
  intros n k H. pose proof (exp_pos 1) as E. split.
  - assert (Pos : 0 < n / k) by (apply Rdiv_lt_0_compat; lra).
    assert (L : ln (n / k) <= n / k / exp 1).
    { pose proof (ln_below (n / k / exp 1) ltac:(now apply Rdiv_lt_0_compat)) as B.
      rewrite ln_div, ln_exp in B by easy. lra. }
    assert (0 <= 2 * k ^ 2) by (pose proof (pow2_ge_0 k); lra).
    apply (Rmult_le_compat_l (2 * k ^ 2)) in L; [|easy]. eapply Rle_trans; [exact L|].
    right. field. lra.
  - assert (2 < exp 1) by (pose proof (exp_ineq1 1 ltac:(lra)); lra).
    assert (0 < n * k) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_lt_reg_r (exp 1)); [easy|].
    replace (2 / exp 1 * (n * k) * exp 1) with (2 * (n * k)) by (field; lra).
    rewrite (Rmult_comm (n * k)). apply Rmult_lt_compat_r; lra.
Qed.
