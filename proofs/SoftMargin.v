(** * Lesson 9b: prop-sv-gap, and one direction of thm-sv-kkt *)
From LinearClassification Require Import Vectors.

Section SoftMargin.
Variables (d n : nat) (x : nat -> vec) (y : nat -> R) (C : R).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖²" := (dot d a a) (a at level 9).

(** The margins. That y_i is 1 or -1 is nowhere used. *)
Definition m (w : vec) (b : R) (i : nat) : R := y i * (⟨w, x i⟩ + b).

Definition P (w : vec) (b : R) : R := 1/2 * ‖w‖² + C * Σ[i < n] pos (1 - m w b i).

(** v = Σ alpha_i y_i x_i *)
Definition v (alpha : nat -> R) : vec := comb n (fun i => alpha i * y i) x.

Definition D (alpha : nat -> R) : R := (Σ[i < n] alpha i) - 1/2 * ‖(v alpha)‖².

Definition dual_feasible (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i <= C) /\ Σ[i < n] alpha i * y i = 0.

(** "Because Σ_i alpha_i y_i = 0, we have Σ_i alpha_i m_i = ⟨w,v⟩" *)
Lemma weighted_margins w b alpha : Σ[i < n] alpha i * y i = 0 ->
  Σ[i < n] alpha i * m w b i = ⟨w, v alpha⟩.
Proof.
  intros H0. unfold v. rewrite dot_comb.
  rewrite (sum_ext n _ (fun i => alpha i * y i * ⟨w, x i⟩ + b * (alpha i * y i)))
    by (intros; unfold m; lra).
  rewrite sum_plus, sum_scale, H0. lra.
Qed.

(** "The first line is ½‖w - v‖²" *)
Lemma square_of_difference w u :
  ‖(fun j => w j - u j)‖² = ‖w‖² + ‖u‖² - 2 * ⟨w, u⟩.
Proof.
  unfold dot.
  rewrite (sum_ext d _ (fun j => w j * w j + (u j * u j + -2 * (w j * u j)))) by (intros; lra).
  rewrite !sum_plus, sum_scale. lra.
Qed.

Theorem prop_sv_gap w b alpha :
  (dual_feasible alpha ->
   P w b - D alpha =
     1/2 * ‖(fun j => w j - v alpha j)‖²
     + (Σ[i < n] (C - alpha i) * pos (1 - m w b i))
     + Σ[i < n] alpha i * pos (m w b i - 1)) /\
  (* C = ∞: the objective is half the square of the length, and no dual variable is too large *)
  ((forall i, (i < n)%nat -> 0 <= alpha i) -> Σ[i < n] alpha i * y i = 0 ->
   (forall i, (i < n)%nat -> m w b i >= 1) ->
   1/2 * ‖w‖² - D alpha =
     1/2 * ‖(fun j => w j - v alpha j)‖² + Σ[i < n] alpha i * pos (m w b i - 1)).
Proof.
  split.
  - intros [_ H0]. unfold P, D. rewrite square_of_difference, <- (weighted_margins w b) by auto.
    (* "In the second, write 1 - m_i = (1 - m_i)_+ - (m_i - 1)_+" *)
    assert (E : (Σ[i < n] (C - alpha i) * pos (1 - m w b i)) + (Σ[i < n] alpha i * pos (m w b i - 1))
      = C * (Σ[i < n] pos (1 - m w b i)) + -1 * (Σ[i < n] alpha i) + Σ[i < n] alpha i * m w b i).
    { rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros i Hi.
      pose proof (pos_split (1 - m w b i)) as S.
      replace (- (1 - m w b i)) with (m w b i - 1) in S by lra. nra. }
    lra.
  - intros Ha H0 Hm. unfold D. rewrite square_of_difference, <- (weighted_margins w b) by auto.
    rewrite (sum_ext n (fun i => alpha i * pos (m w b i - 1))
                       (fun i => alpha i * m w b i + -1 * alpha i)).
    + rewrite sum_plus, sum_scale. lra.
    + intros i Hi. specialize (Hm i Hi). unfold pos. rewrite Rmax_right by lra. lra.
Qed.

Lemma weak_duality w b alpha : dual_feasible alpha -> D alpha <= P w b.
Proof.
  intros Hf. destruct (prop_sv_gap w b alpha) as [G _]. specialize (G Hf).
  assert (0 <= ‖(fun j => w j - v alpha j)‖²) by apply dot_self.
  assert (0 <= Σ[i < n] (C - alpha i) * pos (1 - m w b i)).
  { apply sum_nonneg. intros i Hi. destruct Hf as [Ha _]. destruct (Ha i Hi).
    apply Rmult_le_pos; [ lra | apply pos_nonneg ]. }
  assert (0 <= Σ[i < n] alpha i * pos (m w b i - 1)).
  { apply sum_nonneg. intros i Hi. destruct Hf as [Ha _]. destruct (Ha i Hi).
    apply Rmult_le_pos; [ lra | apply pos_nonneg ]. }
  lra.
Qed.

(** The staircase: w = v, alpha_i > 0 only where m_i <= 1, alpha_i < C only where m_i >= 1. *)
Definition staircase (w : vec) (b : R) (alpha : nat -> R) : Prop :=
  (forall j, (j < d)%nat -> w j = v alpha j) /\
  forall i, (i < n)%nat -> (alpha i > 0 -> m w b i <= 1) /\ (alpha i < C -> m w b i >= 1).

(** "The conditions make the three terms of zero." *)
Theorem thm_sv_kkt w b alpha : dual_feasible alpha -> staircase w b alpha ->
  (forall w' b', P w b <= P w' b') /\
  (forall alpha', dual_feasible alpha' -> D alpha' <= D alpha) /\
  P w b = D alpha.
Proof.
  intros Hf [Hw Hs]. destruct (prop_sv_gap w b alpha) as [G _]. specialize (G Hf).
  assert (E1 : ‖(fun j => w j - v alpha j)‖² = 0)
    by (apply dot_zero; intros j Hj; rewrite Hw by auto; ring).
  assert (E : forall f : nat -> R, (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0).
  { intros f Hz. rewrite (sum_ext n f (fun i => 0 * f i)), sum_scale; [ ring | ].
    intros i Hi. rewrite Hz; auto; ring. }
  assert (E2 : Σ[i < n] (C - alpha i) * pos (1 - m w b i) = 0).
  { apply E. intros i Hi. destruct Hf as [Ha _]. destruct (Ha i Hi) as [_ [L | ->]]; [ | ring ].
    destruct (Hs i Hi) as [_ H]. specialize (H L). unfold pos. rewrite Rmax_left by lra. ring. }
  assert (E3 : Σ[i < n] alpha i * pos (m w b i - 1) = 0).
  { apply E. intros i Hi. destruct Hf as [Ha _]. destruct (Ha i Hi) as [[L | <-] _]; [ | ring ].
    destruct (Hs i Hi) as [H _]. specialize (H L). unfold pos. rewrite Rmax_left by lra. ring. }
  assert (T : P w b = D alpha) by lra.
  split; [ | split ]; auto.
  - intros w' b'. rewrite T. apply weak_duality; auto.
  - intros alpha' Hf'. rewrite <- T. apply weak_duality; auto.
Qed.
End SoftMargin.
