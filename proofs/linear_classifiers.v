(** * Linear classifiers: a bias, and what no line can do

    Chapter [linear_classifiers]. *)

From OLC Require Import facts.

(** [thm-xor]: no threshold function of two bits is the exclusive or. *)

Theorem exclusive_or :
  forall w1 w2 b : R,
    ~ (forall x1 x2 : bool, w1 * x1 + w2 * x2 + b > 0 <-> xorb x1 x2 = true).
Proof.
  intros w1 w2 b H.
  pose proof (proj2 (H true false) eq_refl) as One.
  pose proof (proj2 (H false true) eq_refl) as Two.
  assert (Both : ~ w1 * true + w2 * true + b > 0) by (intros C; now apply H in C).
  assert (None : ~ w1 * false + w2 * false + b > 0) by (intros C; now apply H in C).
  simpl in *. lra.
Qed.

(** [thm-homogenise]: a bias becomes a weight, of a feature that is always c. The vector
    (w, b/c), of the length [sqrt (1 + b^2/c^2)], has the score of the line with its bias;
    so in units of its length the margin is as stated, and the square of the radius is at
    most R^2 + c^2. *)

Definition append (n : nat) (x : vector) (c : R) : vector :=
  fun i => if Nat.ltb i n then x i else c.

Lemma dot_append n u a x c : dot (S n) (append n u a) (append n x c) = dot n u x + a * c.
Proof.
  unfold dot, append; simpl. rewrite Nat.ltb_irrefl. f_equal. apply sum_eq; intros i Hi.
  apply Nat.ltb_lt in Hi. now rewrite Hi.
Qed.

Theorem what_a_bias_costs :
  forall (n : nat) (w x : vector) (y : label) (b c radius margin : R),
    0 < c -> 0 < margin -> norm n w = 1 ->
    norm n x <= radius -> y * (dot n w x + b) >= margin ->
    let x' := append n x c in
    let length := sqrt (1 + b ^ 2 / c ^ 2) in
    let u := append n (fun i => w i / length) (b / c / length) in
    norm (S n) u = 1
    /\ norm (S n) x' <= sqrt (radius ^ 2 + c ^ 2)
    /\ y * dot (S n) u x' >= margin / length
    /\ (sqrt (radius ^ 2 + c ^ 2) / (margin / length)) ^ 2
         = (radius ^ 2 + c ^ 2) * (1 + b ^ 2 / c ^ 2) / margin ^ 2.
Proof.
  intros n w x y b c radius margin Hc Hm Hw Hx Hy x' length u.
  assert (Hin : 0 < 1 + b ^ 2 / c ^ 2).
  { assert (0 <= b ^ 2 / c ^ 2); [|lra]. apply Rmult_le_pos; [apply pow2_ge_0|].
    left. apply Rinv_0_lt_compat, pow_lt. easy. }
  assert (Hl : 0 < length) by now apply sqrt_lt_R0.
  assert (El : length * length = 1 + b ^ 2 / c ^ 2) by (apply sqrt_sqrt; lra).
  assert (Scale : forall v, dot n (fun i => w i / length) v = / length * dot n w v).
  { intros v. unfold dot. rewrite <- sum_times. apply sum_eq; intros. field. lra. }
  repeat split.
  - unfold norm, u. rewrite dot_append, Scale, dot_sym, Scale, norm_square, Hw.
    replace (/ length * (/ length * 1 ^ 2) + b / c / length * (b / c / length))
      with ((1 + b ^ 2 / c ^ 2) / (length * length)) by (field; lra).
    rewrite El. unfold Rdiv at 1. rewrite Rinv_r by lra. apply sqrt_1.
  - unfold norm, x'. rewrite dot_append. apply sqrt_le_1_alt.
    pose proof (square_le_radius n x radius Hx). lra.
  - unfold u, x'. rewrite dot_append, Scale.
    replace (y * (/ length * dot n w x + b / c / length * c))
      with (y * (dot n w x + b) / length) by (field; lra).
    apply Rle_ge. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
  - pose proof (pow2_ge_0 radius). pose proof (pow2_ge_0 c).
    replace ((sqrt (radius ^ 2 + c ^ 2) / (margin / length)) ^ 2) with
      (sqrt (radius ^ 2 + c ^ 2) * sqrt (radius ^ 2 + c ^ 2) * (length * length) / margin ^ 2)
      by (field; lra).
    rewrite sqrt_sqrt, El by lra. field. lra.
Qed.

(** The best constant: c = sqrt (R |b|) gives (R + |b|)^2 / margin^2, and none gives less. *)

Theorem the_best_constant :
  forall radius b margin : R, 0 < radius -> 0 < b -> 0 < margin ->
    let bound c := (radius ^ 2 + c ^ 2) * (1 + b ^ 2 / c ^ 2) / margin ^ 2 in
    bound (sqrt (radius * b)) = (radius + b) ^ 2 / margin ^ 2
    /\ (forall c, 0 < c -> (radius + b) ^ 2 / margin ^ 2 <= bound c)
    /\ (b <= radius -> bound radius <= 4 * radius ^ 2 / margin ^ 2).
Proof.
  intros radius b margin HR Hb Hm bound. unfold bound.
  assert (Hi : 0 < / margin ^ 2) by now apply Rinv_0_lt_compat, pow_lt.
  repeat split.
  - assert (0 < radius * b) by now apply Rmult_lt_0_compat.
    rewrite pow2_sqrt by lra. field. lra.
  - intros c Hc. apply Rmult_le_compat_r; [lra|].
    replace ((radius ^ 2 + c ^ 2) * (1 + b ^ 2 / c ^ 2))
      with ((radius + b) ^ 2 + ((radius * b - c ^ 2) / c) ^ 2) by (field; lra).
    pose proof (pow2_ge_0 ((radius * b - c ^ 2) / c)). lra.
  - intros Small. apply Rmult_le_compat_r; [lra|].
    replace ((radius ^ 2 + radius ^ 2) * (1 + b ^ 2 / radius ^ 2))
      with (2 * radius ^ 2 + 2 * b ^ 2) by (field; lra).
    assert (b ^ 2 <= radius ^ 2) by (apply pow_incr; lra). lra.
Qed.
