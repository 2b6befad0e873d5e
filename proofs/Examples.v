(** * Examples: the definitions can be met, and the hypotheses are needed *)
From LinearClassification Require Import Vectors Perceptron Margin Fisher Logistic.

(** prop-pair with L = 1: z_0 = (1,0), z_1 = (-1,2); three updates on 0, 1, 0 (the last one at a
    tie) end at (1,2). So there are runs, and they end. *)
Definition z2 (i : nat) : vec := fun j =>
  match i, j with O, O => 1 | O, _ => 0 | _, O => -1 | _, _ => 2 end.
Definition picks (k : nat) : nat := match k with 2%nat => 1%nat | _ => O end.
Definition states (k : nat) : vec := fun j =>
  match k, j with
  | O, _ => 0 | 1%nat, O => 1 | 1%nat, _ => 0
  | 2%nat, O => 0 | 2%nat, _ => 2 | _, O => 1 | _, _ => 2 end.

Example a_run : run 2 2 z2 picks states 3 /\ separating 2 2 z2 (states 3).
Proof.
  split; [ split; [ reflexivity | ] | ].
  - intros [ | [ | [ | k]]] Hk; try lia; (split; [ simpl; lia | split ]);
      try (unfold dot; simpl; lra);
      intros [ | j]; simpl; lra.
  - intros [ | [ | i]] Hi; try lia; unfold dot; simpl; lra.
Qed.

(** Without "only mistakes" the upper curve is false: one sample of length 1, added twice. *)
Definition any_run (p n : nat) (z : nat -> vec) i (a : nat -> vec) (T : nat) : Prop :=
  (forall j, a O j = 0) /\
  (forall k, (k < T)%nat -> (i (S k) < n)%nat /\ forall j, a (S k) j = a k j + z (i (S k)) j).

Example mistakes_are_needed :
  ~ (forall p n z i a k bigR, any_run p n z i a k ->
       (forall l, (l < n)%nat -> norm p (z l) <= bigR) -> norm p (a k) ^ 2 <= bigR ^ 2 * INR k).
Proof.
  intros H.
  specialize (H 1%nat 1%nat (fun _ _ => 1) (fun _ => O) (fun k _ => INR k) 2%nat 1).
  rewrite norm_pow2 in H. unfold dot in H. simpl in H.
  assert (0 + (1 + 1) * (1 + 1) <= 1 * (1 * 1) * (1 + 1)); [ apply H | lra ].
  - split; [ reflexivity | ]. intros k Hk. split; [ lia | ]. intros j. apply S_INR.
  - intros l Hl. unfold norm, dot. simpl. replace (0 + 1 * 1) with 1 by lra. rewrite sqrt_1. lra.
Qed.

(** Without a positive gamma the perceptron need not stop: on z_0 = (1), z_1 = (-1) there are
    runs of any length. *)
Example separable_is_needed :
  exists z i a, forall T, run 1 2 z i a T.
Proof.
  exists (fun i _ => if Nat.even i then 1 else -1), (fun k => if Nat.even k then 1%nat else O),
    (fun k _ => if Nat.even k then 0 else 1). intros T. split; [ reflexivity | ]. intros k _.
  rewrite Nat.even_succ, <- Nat.negb_even. destruct (Nat.even k); unfold dot; simpl;
    (split; [ lia | split; [ lra | intros; lra ] ]).
Qed.

(** XOR without offset, signed: (1,1), (-1,-1), (1,-1), (-1,1) are balanced. *)
Example xor_balanced :
  balanced 2 4 (fun i j => match i, j with
    | O, _ => 1 | 1%nat, _ => -1 | 2%nat, O => 1 | 2%nat, _ => -1 | _, O => -1 | _, _ => 1 end).
Proof.
  exists (fun _ => 1/4). repeat split.
  - intros; lra.
  - exists O. split; [ lia | lra ].
  - intros [ | [ | j]] Hj; try lia; unfold comb; simpl; lra.
Qed.

(** What a theorem asks of S_W can be met: the samples -1, 1 | 3, 5 on a line have S_W w = 4 w. *)
Example scatter_can_be_inverted : invertible 1 4
  (fun i _ => match i with O => -1 | 1%nat => 1 | 2%nat => 3 | _ => 5 end)
  (fun i => match i with O | 1%nat => false | _ => true end).
Proof.
  set (x := fun i (_ : nat) => match i with O => -1 | 1%nat => 1 | 2%nat => 3 | _ => 5 end).
  set (y := fun i => match i with O | 1%nat => false | _ => true end).
  assert (E : forall w, SW 1 4 x y w O = 4 * w O).
  { intros w. unfold SW, comb, XW, deviation, mu, Fisher.mean, in_class, dot, x, y. simpl. field. }
  split.
  - intros v. exists (fun _ => v O / 4). intros [ | j] Hj; [ rewrite E; field | lia ].
  - intros w H [ | j] Hj; [ | lia ]. specialize (H O Hj). rewrite E in H. lra.
Qed.

(** The gradient can vanish: two samples at the same point, one of each label, w = 0 and b = 0. *)
Example a_stationary_plane :
  stationary 1 2 (fun _ _ => 1) (fun i => match i with O => 1 | _ => -1 end) 1 (fun _ => 0) 0.
Proof.
  assert (V : forall i, (i < 2)%nat ->
    dual_of 1 (fun _ _ => 1) (fun i => match i with O => 1 | _ => -1 end) (fun _ => 0) 0 i = 1 / 2).
  { intros i Hi. unfold dual_of, Logistic.m, sigma, dot. simpl.
    replace (- - (_ * (0 + 0 * 1 + 0))) with 0 by (destruct i; ring). rewrite exp_0. field. }
  split.
  - simpl. rewrite !V by lia. lra.
  - intros j _. unfold v, comb. simpl. rewrite !V by lia. lra.
Qed.

(** Points can be in general position: on a line all but 0 are. And without it there are fewer labellings than
    Cover counts: the point 0 has none. *)
From LinearClassification Require Import Cover Coins.
Require Import List.
Import ListNotations.

Example points_of_a_line : general_position 1 2 (fun _ _ => 1).
Proof.
  intros [ | [ | r]] pick Hr Hp Inj c Hc k Hk; [ lia | | lia ]. specialize (Hc O ltac:(lia)). simpl in Hc.
  replace k with O by lia. lra.
Qed.

Example the_point_0 labels : ~ labeling 1 1 (fun _ _ => 0) labels.
Proof.
  intros (Len & w & G). destruct labels as [ | b l]; [ discriminate | ]. specialize (G O b eq_refl).
  unfold dot in G. simpl in G. destruct b; lra.
Qed.

(** No word of 0, 10, 11 begins another, and none of 0, 10, 110, ...; of 0 and 01 one does. *)
Example three_words : prefix_free (option bool)
  (fun h => match h with None => [false] | Some b => [true; b] end).
Proof. intros [[ | ] | ] [[ | ] | ] N rest; try discriminate; contradiction. Qed.

Example infinitely_many_words : prefix_free nat (fun j => repeat true j ++ [false]).
Proof.
  intros i. induction i as [ | i IH]; intros [ | j] N rest; try (contradiction || discriminate).
  simpl. intros E. injection E. apply IH. lia.
Qed.

Example one_begins_the_other : ~ prefix_free bool (fun h => if h then [false] else [false; true]).
Proof. intros H. apply (H true false ltac:(discriminate) [true]). reflexivity. Qed.

(** thm-occam speaks of any test that says whether the bound holds. There is one, whatever the classifiers are. *)
Example there_is_a_test (A H : Type) (D : list (A * R)) (errs : H -> A -> bool) (gap : H -> R) (s : list A) :
  let bounded := forall h, er D errs h <= er_hat errs h s + gap h in {bounded} + {~ bounded}.
Proof.
  intros bounded. destruct (ClassicalDedekindReals.sig_not_dec bounded) as [T | F]; [ left | right; exact F ].
  intros h. destruct (Rle_dec (er D errs h) (er_hat errs h s + gap h)) as [L | N]; [ exact L | ].
  exfalso. apply T. intros B. apply N, B.
Qed.

(** Columns can be independent. *)
From LinearClassification Require Import Damped.
Example one_column : independent 1 1 (fun _ _ => 1).
Proof. intros u H [ | j] Hj; [ | lia ]. specialize (H O ltac:(lia)). unfold dot in H. simpl in H. lra. Qed.

(** What thm-slow asks of u: for z_0 = (1,0), z_1 = (-1,1) it is (1,2), which takes 5 updates. *)
From LinearClassification Require Import Slow Hulls.
Example slow_on_two : forall j, (j < 2)%nat ->
  dot 2 (fun k => match k with O => 1 | _ => 2 end) (Slow.z (fun _ _ => 1%nat) (fun _ => 1) j) = 1.
Proof. intros [ | [ | j]] Hj; try lia; unfold dot, Slow.z; simpl; lra. Qed.

(** Samples of both classes can be separable: -1 is negative, 1 positive. *)
Example two_classes : Hulls.separable 1 2 (fun i _ => match i with O => -1 | _ => 1 end) (fun i => Nat.eqb i 1).
Proof.
  exists (fun _ => 1), 0. intros [ | [ | i]] Hi; try lia; unfold Means.m, Means.score, dot; simpl; lra.
Qed.
