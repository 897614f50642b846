(** * The kernel Perceptron

    Chapter [kernel_perceptron]. The features have a finite dimension n. *)

From OLC Require Import facts perceptron.

(** ** The algorithm: a list of examples with coefficients *)

Section Kernel.
Context {Example : Type} (kappa : Example -> Example -> R).

Fixpoint score (kept : list (R * Example)) (x : Example) : R :=
  match kept with [] => 0 | (c, z) :: more => score more x + c * kappa z x end.

Definition kernel_perceptron : learner (list (R * Example)) Example := {|
  start := [];
  predict kept x := sign (score kept x);
  update kept x y := if wrong (sign (score kept x)) y then (number y, x) :: kept else kept
|}.

(** ** The proof: it is the Perceptron on the features *)

Variables (n : nat) (phi : Example -> vector).
Hypothesis inner_product : forall x z, kappa x z = dot n (phi x) (phi z).

Notation features g := (map (fun round => (phi (fst round), snd round)) g).

Lemma same_score g x :
  score (state kernel_perceptron g) x = dot n (state (perceptron n 1 zero) (features g)) (phi x).
Proof.
  revert x. induction g as [|[z y] past IH]; intros x; simpl.
  - now rewrite dot_sym, dot_zero.
  - rewrite IH. destruct (wrong _ y); [|easy]. simpl.
    rewrite IH, inner_product, (dot_sym n (add _ _ _)), dot_add, !(dot_sym n (phi x)). ring.
Qed.

Lemma same_mistakes g :
  mistakes kernel_perceptron g = mistakes (perceptron n 1 zero) (features g).
Proof.
  induction g as [|[x y] past IH]; [easy|]. simpl. rewrite IH. unfold errs; simpl.
  now rewrite same_score.
Qed.

(** ** The theorem

    [thm-kernel-perceptron] *)

Theorem kernel_perceptron_convergence :
  forall (u : vector) (radius margin : R) (g : game Example),
    0 <= radius -> 0 < margin -> norm n u = 1 ->
    every_round (fun x y => kappa x x <= radius ^ 2) g ->
    every_round (fun x y => y * dot n u (phi x) >= margin) g ->
    INR (mistakes kernel_perceptron g) <= radius ^ 2 / margin ^ 2.
Proof.
  intros u radius margin g HR Hm Hu Radius Margin. rewrite same_mistakes.
  apply (perceptron_convergence_from_zero n 1 u); auto; [lra | |].
  - clear Margin. induction Radius as [|[x y] past Hx _ IH]; constructor; [|easy]. simpl in *.
    rewrite inner_product, norm_square in Hx. now apply square_le.
  - clear Radius. induction Margin as [|[x y] past Hx _ IH]; constructor; easy.
Qed.

End Kernel.

(** ** Building kernels

    [thm-kernel-building], the sum and the product with a function of one example; the
    features of a sum stand behind one another. *)

Definition is_kernel {Example : Type} (kappa : Example -> Example -> R) : Prop :=
  exists n (phi : Example -> vector), forall x z, kappa x z = dot n (phi x) (phi z).

Lemma sum_split n m f : sum (n + m) f = sum n f + sum m (fun i => f (n + i)%nat).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lra|].
  rewrite Nat.add_succ_r. simpl. rewrite IH. lra.
Qed.

Theorem kernel_sum : forall (Example : Type) (kappa lambda : Example -> Example -> R),
  is_kernel kappa -> is_kernel lambda -> is_kernel (fun x z => kappa x z + lambda x z).
Proof.
  intros Example kappa lambda [n [phi Hphi]] [m [psi Hpsi]].
  exists (n + m)%nat, (fun x i => if Nat.ltb i n then phi x i else psi x (i - n)%nat).
  intros x z. rewrite Hphi, Hpsi. unfold dot. rewrite sum_split. f_equal.
  - apply sum_eq; intros i Hi. apply Nat.ltb_lt in Hi. now rewrite Hi.
  - apply sum_eq; intros i _. rewrite (proj2 (Nat.ltb_ge (n + i) n)) by lia.
    now replace (n + i - n)%nat with i by lia.
Qed.

Theorem kernel_scaled : forall (Example : Type) (kappa : Example -> Example -> R)
    (f : Example -> R),
  is_kernel kappa -> is_kernel (fun x z => f x * kappa x z * f z).
Proof.
  intros Example kappa f [n [phi H]]. exists n, (fun x i => f x * phi x i).
  intros x z. rewrite H. unfold dot.
  replace (f x * _ * f z) with (f x * f z * sum n (fun i => phi x i * phi z i)) by ring.
  rewrite <- sum_times. apply sum_eq; intros; ring.
Qed.
