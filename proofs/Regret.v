(** * Lesson 7d: cor-lo-mistakes *)
From LinearClassification Require Import Vectors Perceptron.

Section Regret.
Variables (p n : nat) (z : nat -> vec).
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).

(** Along u a run gains at least 1, less what the sample falls short under u. *)
Lemma gains u i a k : run p n z i a k ->
  INR k - (Σ[j < k] pos (1 - ⟨u, z (i (S j))⟩)) <= ⟨a k, u⟩.
Proof.
  induction k; intros Hr.
  - rewrite (start p n z i a O) by auto. simpl. lra.
  - rewrite (update p n z i a (S k) k) by (auto; lia).
    assert (IH := IHk (shorter p n z i a (S k) k Hr ltac:(lia))).
    rewrite (dot_sym p (z _)), S_INR, sum_S. pose proof (pos_ge (1 - ⟨u, z (i (S k))⟩)). lra.
Qed.

Theorem cor_lo_mistakes u bigR i a T :
  run p n z i a T -> (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->
  INR T <= (Σ[k < T] pos (1 - ⟨u, z (i (S k))⟩)) + ‖u‖ * bigR * sqrt (INR T) /\
  (forall astar gamma, margin_at_least p n z astar gamma -> gamma > 0 -> INR T <= (bigR / gamma) ^ 2).
Proof.
  intros Hr HR. split.
  - pose proof (gains u i a T Hr) as G. pose proof (cauchy_schwarz p (a T) u) as CS.
    pose proof (upper p n z i a T bigR Hr HR) as U. pose proof (norm_nonneg p u) as N.
    assert (‖(a T)‖ * ‖u‖ <= bigR * sqrt (INR T) * ‖u‖) by (apply Rmult_le_compat_r; auto). lra.
  - intros astar gamma M Hg. apply (bound p n z astar gamma bigR i a); auto.
Qed.
End Regret.
