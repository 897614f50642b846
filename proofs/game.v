(** * The words of all proofs: vectors, labels, learners, the game

    A statement of another file can be read with this page alone. What is needed to
    prove it, and is in every textbook, is in [facts.v]. *)

Require Export Reals List Bool.
Export ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

(** ** Vectors

    A vector of n numbers is a function of the index; the entries 0, ..., n - 1 count. *)

Definition vector := nat -> R.

Definition zero : vector := fun i => 0.

Definition add (w : vector) (c : R) (x : vector) : vector := fun i => w i + c * x i.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.

Definition dot (n : nat) (u v : vector) : R := sum n (fun i => u i * v i).

Definition norm (n : nat) (u : vector) : R := sqrt (dot n u u).

(** ** Labels and bits

    Both can be used as numbers: a label is 1 or -1, a bit is 1 or 0. *)

Inductive label := plus | minus.

Definition number (y : label) : R := match y with plus => 1 | minus => -1 end.
Coercion number : label >-> R.

Definition bit (b : bool) : R := if b then 1 else 0.
Coercion bit : bool >-> R.

(** A prediction is a label, or none where the score is 0. *)

Definition sign (score : R) : option label :=
  if Rlt_dec 0 score then Some plus else if Rlt_dec score 0 then Some minus else None.

(** No prediction is right. *)

Definition wrong (prediction : option label) (y : label) : bool :=
  match prediction, y with
  | Some plus, plus | Some minus, minus => false
  | _, _ => true
  end.

(** ** Learners and their games

    A learner has a state. It predicts the label of an example, hears the label and
    changes its state. *)

Record learner (State Example : Type) := {
  start : State;
  predict : State -> Example -> option label;
  update : State -> Example -> label -> State
}.
Arguments start {State Example}.
Arguments predict {State Example}.
Arguments update {State Example}.

(** A game is the list of its rounds, the latest first: [(x, y) :: past] is the round
    with the example x and the label y, after the rounds [past]. Whoever chooses x
    and y may have seen all that came before: a theorem is about every list. *)

Definition game (Example : Type) := list (Example * label).

Section Game.
Context {State Example : Type} (L : learner State Example).

Fixpoint state (g : game Example) : State :=
  match g with
  | [] => start L
  | (x, y) :: past => update L (state past) x y
  end.

(** Is the learner wrong in the round [(x, y)], and how often was it wrong in all? *)

Definition errs (past : game Example) (x : Example) (y : label) : bool :=
  wrong (predict L (state past) x) y.

Fixpoint mistakes (g : game Example) : nat :=
  match g with
  | [] => 0
  | (x, y) :: past => mistakes past + if errs past x y then 1 else 0
  end.

(** A sum over the rounds in which the learner is wrong. *)

Fixpoint at_mistakes (f : Example -> label -> R) (g : game Example) : R :=
  match g with
  | [] => 0
  | (x, y) :: past => at_mistakes f past + if errs past x y then f x y else 0
  end.

End Game.

(** What holds in every round of a game, and a sum over all of them. *)

Definition every_round {Example} (P : Example -> label -> Prop) (g : game Example) : Prop :=
  Forall (fun round => P (fst round) (snd round)) g.

Fixpoint total {Example} (f : Example -> label -> R) (g : game Example) : R :=
  match g with
  | [] => 0
  | (x, y) :: past => total f past + f x y
  end.
