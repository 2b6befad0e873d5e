(** * Lesson 1b: prop-hp-pair *)
From LinearClassification Require Import Vectors.

Section Means.
(** [y i] is true for the label +1, false for -1. *)
Variables (d n : nat) (x : nat -> vec) (y : nat -> bool).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖" := (norm d a) (a at level 9).

Definition score (w : vec) (b : R) (u : vec) : R := ⟨w, u⟩ + b.

Definition m (w : vec) (b : R) (i : nat) : R :=
  if y i then score w b (x i) else - score w b (x i).

Definition smallest_margin (w : vec) (b : R) (g : R) : Prop :=
  (forall i, (i < n)%nat -> g <= m w b i) /\ exists i, (i < n)%nat /\ g = m w b i.

(** The weights of one class, and its weighted mean: p for true, q for false. *)
Definition weights (s : bool) (alpha : nat -> R) (i : nat) : R :=
  if Bool.eqb (y i) s then alpha i else 0.

Definition mean (s : bool) (alpha : nat -> R) : vec := comb n (weights s alpha) x.

(** "The mean of the scores of a class is the score of its mean, because the weights sum to one" *)
Lemma score_of_mean w b s alpha : Σ[i < n] weights s alpha i = 1 ->
  score w b (mean s alpha) = Σ[i < n] weights s alpha i * score w b (x i).
Proof.
  intros H1. unfold score, mean. rewrite dot_comb.
  rewrite (sum_ext n (fun i => weights s alpha i * (⟨w, x i⟩ + b))
    (fun i => weights s alpha i * ⟨w, x i⟩ + b * weights s alpha i)) by (intros; ring).
  rewrite sum_plus, sum_scale, H1. ring.
Qed.

(** "The smallest number is at most a weighted mean." *)
Lemma worst_at_most_mean g s alpha (f : nat -> R) :
  (forall i, (i < n)%nat -> 0 <= alpha i) -> Σ[i < n] weights s alpha i = 1 ->
  (forall i, (i < n)%nat -> y i = s -> g <= f i) ->
  g <= Σ[i < n] weights s alpha i * f i.
Proof.
  intros Ha H1 Hf.
  assert (E : g = Σ[i < n] g * weights s alpha i) by (rewrite sum_scale, H1; ring).
  rewrite E at 1. apply sum_le. intros i Hi. unfold weights.
  destruct (Bool.eqb (y i) s) eqn:B; [ | lra ].
  apply Bool.eqb_prop in B. specialize (Hf i Hi B). specialize (Ha i Hi). nra.
Qed.

Theorem prop_hp_pair alpha w b g :
  (forall i, (i < n)%nat -> 0 <= alpha i) ->
  Σ[i < n] weights true alpha i = 1 -> Σ[i < n] weights false alpha i = 1 ->
  ‖w‖ > 0 -> smallest_margin w b g ->
  g / ‖w‖ <= 1/2 * ‖(fun j => mean true alpha j - mean false alpha j)‖ /\
  ((forall j, (j < d)%nat -> mean true alpha j = mean false alpha j) -> ~ g / ‖w‖ > 0).
Proof.
  intros Ha Hp Hq Hw [Hg _].
  assert (Gp : g <= score w b (mean true alpha)).
  { rewrite score_of_mean by auto. apply worst_at_most_mean; auto.
    intros i Hi E. specialize (Hg i Hi). unfold m in Hg. rewrite E in Hg. exact Hg. }
  assert (Gq : - score w b (mean false alpha) >= g).
  { rewrite score_of_mean by auto.
    replace (- (Σ[i < n] weights false alpha i * score w b (x i)))
      with (Σ[i < n] weights false alpha i * - score w b (x i))
      by (rewrite (sum_ext n (fun i => _ * - _) (fun i => -1 * (weights false alpha i * score w b (x i))))
            by (intros; ring); rewrite sum_scale; ring).
    apply Rle_ge, worst_at_most_mean; auto.
    intros i Hi E. specialize (Hg i Hi). unfold m in Hg. rewrite E in Hg. exact Hg. }
  (* "Add the two. The intercept b cancels" *)
  set (r := fun j => mean true alpha j - mean false alpha j).
  assert (E : score w b (mean true alpha) - score w b (mean false alpha) = ⟨w, r⟩).
  { unfold score, r. rewrite dot_minus_r. ring. }
  (* "and an inner product is at most the product of the lengths" *)
  assert (CS : ⟨w, r⟩ <= ‖w‖ * ‖r‖) by apply cauchy_schwarz.
  (* "Divide by 2‖w‖" *)
  assert (B : g / ‖w‖ <= 1/2 * ‖r‖).
  { apply Rmult_le_reg_r with ‖w‖; [ exact Hw | ].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  split; [ exact B | ]. intros Z P.
  assert (N : ‖r‖ = 0).
  { unfold norm. rewrite dot_zero, sqrt_0; [ reflexivity | ]. intros j Hj. unfold r. rewrite Z by auto. ring. }
  lra.
Qed.
End Means.
