(** * One proof for all of them

    Chapter [one_proof]. A learner adds y x to its state s at every mistake; its potential
    Phi(s) starts at 0 and a mistake raises it by c at most. *)

From OLC Require Import facts perceptron.

Section Additive.
Variables (n : nat) (decide : vector -> vector -> option label).

Definition additive : learner vector vector := {|
  start := zero;
  predict := decide;
  update s x y := if wrong (decide s x) y then add s y x else s
|}.

Variables (Phi : vector -> R) (c : R).
Hypothesis starts_at_0 : Phi zero = 0.

(** A mistake raises the potential by c at most: this is what the class of learners, the
    examples and the norm have to provide. *)

Definition cheap (g : game vector) : Prop :=
  forall past x y later, g = later ++ (x, y) :: past ->
    errs additive past x y = true ->
    Phi (add (state additive past) y x) <= Phi (state additive past) + c.

Lemma upper_bound g : cheap g -> Phi (state additive g) <= INR (mistakes additive g) * c.
Proof.
  intros H. induction g as [|[x y] past IH]; [simpl; lra|].
  assert (Before : cheap past).
  { intros p x' y' later -> E. apply (H p x' y' ((x, y) :: later)); easy. }
  specialize (IH Before). cbn [mistakes]. rewrite plus_INR.
  destruct (errs additive past x y) eqn:E.
  - pose proof (H past x y [] eq_refl E) as Step. unfold errs in E. simpl in *. rewrite E. lra.
  - unfold errs in E. simpl in *. rewrite E. lra.
Qed.

Lemma lower_bound u margin g :
  INR (mistakes additive g) * margin - total (hinge n u margin) g <= dot n u (state additive g).
Proof.
  induction g as [|[x y] past IH]; simpl; [rewrite dot_zero; lra|].
  pose proof (Rmax_r 0 (margin - y * dot n u x)) as Lack. fold (hinge n u margin x y) in Lack.
  pose proof (hinge_nonneg n u margin x y). unfold errs; simpl.
  destruct (wrong _ y); rewrite plus_INR; simpl INR; [rewrite dot_add|]; lra.
Qed.

(** [thm-one-proof]. [conjugate] is any number that the inequality of Fenchel allows:
    <lambda u, s> - Phi(s) for no s more than it; the least of them is Phi*(lambda u). *)

Theorem one_bound :
  forall (u : vector) (margin lambda conjugate : R) (g : game vector),
    0 < margin -> 0 < lambda -> cheap g ->
    (forall s, lambda * dot n u s - Phi s <= conjugate) ->
    let M := INR (mistakes additive g) in
    let D := total (hinge n u margin) g in
    lambda * (M * margin - D) - conjugate <= M * c
    /\ (lambda * margin > c -> M <= (conjugate + lambda * D) / (lambda * margin - c)).
Proof.
  intros u margin lambda conjugate g Hm Hl H Fenchel M D.
  pose proof (upper_bound g H) as Up. pose proof (lower_bound u margin g) as Low.
  specialize (Fenchel (state additive g)). fold M in Up, Low. fold D in Low.
  assert (First : lambda * (M * margin - D) - conjugate <= M * c).
  { apply (Rmult_le_compat_l lambda) in Low; lra. }
  split; [easy|]. intros Big. apply (Rmult_le_reg_r (lambda * margin - c)); [lra|].
  unfold Rdiv. rewrite (Rmult_assoc _ (/ _)), Rinv_l; lra.
Qed.

End Additive.
