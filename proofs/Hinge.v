(** * Lesson 8: prop-lp-weak *)
From LinearClassification Require Import Vectors.

Section Hinge.
Variables (p n : nat) (z : nat -> vec) (c : nat -> R).
Notation "⟨ a , b ⟩" := (dot p a b).

(** F(a) = Σ c_i (1 - m_i)_+ with m_i = ⟨a,z_i⟩ *)
Definition F (a : vec) : R := Σ[i < n] c i * pos (1 - ⟨a, z i⟩).

(** alpha is feasible if 0 <= alpha <= c and Zᵀalpha = 0 *)
Definition feasible (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i <= c i) /\
  (forall j, (j < p)%nat -> comb n alpha z j = 0).

(** "Because Zᵀalpha = 0, Σ_i alpha_i m_i = ⟨a, Σ_i alpha_i z_i⟩ = 0" *)
Lemma first_line a alpha : feasible alpha ->
  Σ[i < n] alpha i = Σ[i < n] alpha i * (1 - ⟨a, z i⟩).
Proof.
  intros [_ H0].
  assert (E : Σ[i < n] alpha i * ⟨a, z i⟩ = 0)
    by (rewrite <- dot_comb, dot_sym; apply dot_zero; auto).
  rewrite (sum_ext n (fun i => alpha i * (1 - ⟨a, z i⟩))
                     (fun i => alpha i + -1 * (alpha i * ⟨a, z i⟩))) by (intros; lra).
  rewrite sum_plus, sum_scale, E. lra.
Qed.

(** the second "because alpha >= 0", the third "because alpha <= c" *)
Lemma second_line a alpha i : feasible alpha -> (i < n)%nat ->
  alpha i * (1 - ⟨a, z i⟩) <= alpha i * pos (1 - ⟨a, z i⟩).
Proof.
  intros [Ha _] Hi. destruct (Ha i Hi).
  apply Rmult_le_compat_l; [ auto | apply pos_ge ].
Qed.

Lemma third_line a alpha i : feasible alpha -> (i < n)%nat ->
  alpha i * pos (1 - ⟨a, z i⟩) <= c i * pos (1 - ⟨a, z i⟩).
Proof.
  intros [Ha _] Hi. destruct (Ha i Hi).
  apply Rmult_le_compat_r; [ apply pos_nonneg | auto ].
Qed.

Lemma weak_duality a alpha : feasible alpha -> Σ[i < n] alpha i <= F a.
Proof.
  intros Hf. rewrite (first_line a alpha Hf).
  apply Rle_trans with (Σ[i < n] alpha i * pos (1 - ⟨a, z i⟩));
    apply sum_le; intros; [ apply second_line | apply third_line ]; auto.
Qed.

(** "Equality holds if and only if alpha_i = c_i wherever m_i < 1
    and alpha_i = 0 wherever m_i > 1" *)
Lemma complementary_slackness a alpha : feasible alpha ->
  (Σ[i < n] alpha i = F a <->
   forall i, (i < n)%nat -> (⟨a, z i⟩ < 1 -> alpha i = c i) /\ (⟨a, z i⟩ > 1 -> alpha i = 0)).
Proof.
  intros Hf.
  (* the difference is a sum of terms >= 0 *)
  set (gap := fun i => c i * pos (1 - ⟨a, z i⟩) - alpha i * (1 - ⟨a, z i⟩)).
  assert (G : F a - (Σ[i < n] alpha i) = Σ[i < n] gap i).
  { rewrite (first_line a alpha Hf). unfold F, gap.
    rewrite (sum_ext n (fun i => _ - _)
      (fun i => c i * pos (1 - ⟨a, z i⟩) + -1 * (alpha i * (1 - ⟨a, z i⟩)))) by (intros; lra).
    rewrite sum_plus, sum_scale. lra. }
  assert (N : forall i, (i < n)%nat -> 0 <= gap i).
  { intros i Hi. pose proof (second_line a alpha i Hf Hi).
    pose proof (third_line a alpha i Hf Hi). unfold gap. lra. }
  assert (each : forall i, (i < n)%nat ->
    (gap i = 0 <-> (⟨a, z i⟩ < 1 -> alpha i = c i) /\ (⟨a, z i⟩ > 1 -> alpha i = 0))).
  { intros i Hi. unfold gap, pos, Rmax. destruct (Rle_dec 0 (1 - ⟨a, z i⟩)).
    - split; [ intros E; split; intros; [ nra | lra ] | intros [E1 E2] ].
      destruct (Req_dec ⟨a, z i⟩ 1) as [-> | ]; [ lra | rewrite E1; lra ].
    - split; [ intros E; split; intros; [ lra | nra ] | intros [E1 E2]; rewrite E2; lra ]. }
  split.
  - intros E i Hi. apply each; auto. apply (sum_zero n gap N); auto. change (Σ[i < n] gap i = 0). lra.
  - intros H. assert (Z : Σ[i < n] gap i = Σ[i < n] 0 * gap i)
      by (apply sum_ext; intros; assert (gap i = 0) by (apply each; auto); lra).
    rewrite sum_scale in Z. lra.
Qed.

(** "If it holds, a and alpha are both optimal" *)
Lemma both_optimal a alpha : feasible alpha -> Σ[i < n] alpha i = F a ->
  (forall a', F a <= F a') /\
  (forall alpha', feasible alpha' -> Σ[i < n] alpha' i <= Σ[i < n] alpha i).
Proof.
  intros Hf E. split.
  - intros a'. rewrite <- E. apply weak_duality; auto.
  - intros alpha' Hf'. rewrite E. apply weak_duality; auto.
Qed.

Theorem prop_lp_weak a alpha : feasible alpha ->
  Σ[i < n] alpha i <= F a /\
  (Σ[i < n] alpha i = F a <->
     forall i, (i < n)%nat -> (⟨a, z i⟩ < 1 -> alpha i = c i) /\ (⟨a, z i⟩ > 1 -> alpha i = 0)) /\
  (Σ[i < n] alpha i = F a ->
     (forall a', F a <= F a') /\
     (forall alpha', feasible alpha' -> Σ[i < n] alpha' i <= Σ[i < n] alpha i)).
Proof.
  intros Hf. split; [ | split ].
  - exact (weak_duality a alpha Hf).
  - exact (complementary_slackness a alpha Hf).
  - exact (both_optimal a alpha Hf).
Qed.
End Hinge.
