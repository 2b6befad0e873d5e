(** * Examples: the definitions can be met, and the hypotheses are needed *)
From LinearClassification Require Import Vectors Perceptron Margin.

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
