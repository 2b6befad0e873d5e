(** * Lesson 3, in depth: lem-compression *)
From LinearClassification Require Import Vectors.
Require Import List Bool.
Import ListNotations.

(** ** The run *)
Section Run.
(** Of a sample only its signed vector z matters to the perceptron. *)
Variables (A : Type) (p : nat) (z : A -> vec).

(** Is the sample a mistake of a? What a becomes when it is read, and in a whole epoch over samples *)
Definition mistaken (a : vec) (x : A) : bool := if Rle_dec (dot p a (z x)) 0 then true else false.
Definition next (a : vec) (x : A) : vec := if mistaken a x then (fun j => a j + z x j) else a.
Definition epoch (a : vec) (s : list A) : vec := fold_left next s a.

(** The vector after N epochs from 0 *)
Fixpoint after (N : nat) (s : list A) : vec :=
  match N with O => fun _ => 0 | S k => epoch (after k s) s end.

(** Which positions have an update in one epoch, and in N epochs; and a epoch that has none *)
Fixpoint updated (a : vec) (s : list A) : list bool :=
  match s with [] => [] | x :: rest => mistaken a x :: updated (next a x) rest end.
Fixpoint either_one (I I' : list bool) : list bool :=
  match I, I' with b :: r, b' :: r' => (b || b') :: either_one r r' | _, _ => [] end.
Fixpoint used (N : nat) (s : list A) : list bool :=
  match N with
  | O => map (fun _ => false) s
  | S k => either_one (used k s) (updated (after k s) s)
  end.
Definition quiet (a : vec) (s : list A) : Prop := forall b, In b (updated a s) -> b = false.

(** The samples at the positions I, and those at the others, in the same order *)
Fixpoint at_positions (which : bool) (I : list bool) (s : list A) : list A :=
  match I, s with
  | b :: I', x :: rest => if eqb b which then x :: at_positions which I' rest else at_positions which I' rest
  | _, _ => []
  end.
Definition inside : list bool -> list A -> list A := at_positions true.
Definition others : list bool -> list A -> list A := at_positions false.

(** Updates are at positions I only. *)
Definition within : list bool -> list bool -> Prop := Forall2 (fun b b' => b = true -> b' = true).

Lemma updated_length a s : length (updated a s) = length s.
Proof. revert a. induction s; intros; simpl; [ reflexivity | f_equal; auto ]. Qed.

Lemma either_length I I' : length I = length I' -> length (either_one I I') = length I.
Proof. revert I'. induction I; intros [ | b' I'] H; simpl in *; try discriminate; auto. Qed.

Lemma used_length N s : length (used N s) = length s.
Proof.
  induction N; simpl; [ apply map_length | ]. rewrite either_length; [ exact IHN | ].
  rewrite updated_length. exact IHN.
Qed.

Lemma within_left I I' : length I = length I' -> within I (either_one I I').
Proof.
  revert I'. induction I as [ | b I IH]; intros [ | b' I'] H; simpl in *; try discriminate; constructor;
    [ intros ->; reflexivity | apply IH; lia ].
Qed.

Lemma within_right I I' : length I = length I' -> within I' (either_one I I').
Proof.
  revert I'. induction I as [ | b I IH]; intros [ | b' I'] H; simpl in *; try discriminate; constructor;
    [ intros ->; apply orb_true_r | apply IH; lia ].
Qed.

Lemma within_trans I I' I'' : within I I' -> within I' I'' -> within I I''.
Proof.
  intros H. revert I''. induction H; intros I'' H'; inversion H'; subst; constructor; [ auto | apply IHForall2; assumption ].
Qed.

Lemma epoch_within N s k : (k < N)%nat -> within (updated (after k s) s) (used N s).
Proof.
  induction N as [ | N IH]; intros Hk; [ lia | ]. simpl.
  assert (L : length (used N s) = length (updated (after N s) s)) by (rewrite used_length, updated_length; reflexivity).
  destruct (Nat.eq_dec k N) as [-> | ]; [ apply within_right, L | ].
  apply within_trans with (used N s); [ apply IH; lia | apply within_left, L ].
Qed.

(** "the short run reads nothing, while the long one reads samples outside" I, "which by definition of" I "never change" a *)
Lemma same_epoch I : forall s a, within (updated a s) I ->
  epoch a (inside I s) = epoch a s /\ (quiet a (inside I s) <-> quiet a s).
Proof.
  induction I as [ | b I IH]; intros [ | x s] a H; simpl in H; inversion H; subst; [ split; reflexivity | ].
  unfold inside, epoch, quiet in *. simpl. destruct b; simpl.
  - destruct (IH s (next a x) H5) as [E Q]. split; [ exact E | ].
    split; intros F c [<- | Hc]; try (apply F; left; reflexivity).
    + apply (proj1 Q); [ | exact Hc ]. intros c' Hc'. apply F. right. exact Hc'.
    + apply (proj2 Q); [ | exact Hc ]. intros c' Hc'. apply F. right. exact Hc'.
  - assert (F : mistaken a x = false) by (destruct (mistaken a x); [ specialize (H3 eq_refl); discriminate | reflexivity ]).
    assert (U : next a x = a) by (unfold next; rewrite F; reflexivity). rewrite U, F in *.
    destruct (IH s a H5) as [E Q]. split; [ exact E | ]. rewrite Q.
    split; [ intros G c [<- | Hc]; auto | intros G c Hc; apply G; right; exact Hc ].
Qed.

Theorem lem_compression N s :
  let I := used N s in
  after N (inside I s) = after N s /\
  (* the state is the same after each epoch, and the same epochs are quiet *)
  forall k, (k < N)%nat ->
    after k (inside I s) = after k s /\ (quiet (after k (inside I s)) (inside I s) <-> quiet (after k s) s).
Proof.
  intros I. assert (G : forall k, (k <= N)%nat -> after k (inside I s) = after k s).
  { induction k as [ | k IH]; intros Hk; [ reflexivity | ]. simpl. rewrite IH by lia.
    apply same_epoch, epoch_within. lia. }
  split; [ apply G; lia | ]. intros k Hk. split; [ apply G; lia | ]. rewrite G by lia.
  apply same_epoch, epoch_within. exact Hk.
Qed.
End Run.
