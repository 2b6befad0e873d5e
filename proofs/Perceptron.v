(** * Lesson 3: lem-upper, thm-convergence *)
From LinearClassification Require Import Vectors.

Section Perceptron.
Variables (p n : nat) (z : nat -> vec).       (* the samples z_0, ..., z_(n-1) of R^p *)
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).

(** [run i a T]: T updates. Update k+1 adds the sample number i_(k+1), which is a
    mistake at a_k (ties included), chosen in any way. *)
Definition run (i : nat -> nat) (a : nat -> vec) (T : nat) : Prop :=
  (forall j, a O j = 0) /\
  (forall k, (k < T)%nat ->
     (i (S k) < n)%nat /\
     ⟨a k, z (i (S k))⟩ <= 0 /\
     forall j, a (S k) j = a k j + z (i (S k)) j).

Definition separating (a : vec) : Prop := forall i, (i < n)%nat -> ⟨a, z i⟩ > 0.

(** The start is 0, so every inner product with it is 0. *)
Lemma start i a T c : run i a T -> ⟨a O, c⟩ = 0.
Proof. intros [H _]. apply dot_zero; auto. Qed.

(** A run may be stopped earlier. *)
Lemma shorter i a T k : run i a T -> (k <= T)%nat -> run i a k.
Proof. intros [H0 H] Hk. split; [ exact H0 | intros; apply H; lia ]. Qed.

(** One update (prop-update, second and third formula). *)
Lemma update i a T k c : run i a T -> (k < T)%nat ->
  ⟨a (S k), c⟩ = ⟨a k, c⟩ + ⟨z (i (S k)), c⟩.
Proof.
  intros [_ H] Hk. destruct (H k Hk) as (_ & _ & U).
  rewrite <- dot_plus. apply dot_ext; auto.
Qed.

Lemma update_square i a T k : run i a T -> (k < T)%nat ->
  ⟨a (S k), a (S k)⟩ = ⟨a k, a k⟩ + 2 * ⟨a k, z (i (S k))⟩ + ⟨z (i (S k)), z (i (S k))⟩.
Proof.
  intros Hr Hk.
  rewrite (update _ _ _ _ _ Hr Hk), 2!(dot_sym _ _ (a (S k))),
    2!(update _ _ _ _ _ Hr Hk), (dot_sym _ (z _) (a k)). lra.
Qed.

(** ** Lemma (The upper curve) *)
Lemma upper_sum i a k : run i a k ->
  ⟨a k, a k⟩ <= Σ[j < k] ⟨z (i (S j)), z (i (S j))⟩.
Proof.
  induction k; intros Hr.
  - rewrite (start i a O) by auto. simpl. lra.
  - (* "update j changes the squared length by 2⟨a_(j-1), z_(i_j)⟩ + ‖z_(i_j)‖²" *)
    rewrite (update_square i a (S k) k) by (auto; lia).
    (* "and the first term is at most 0" *)
    assert (Hm : ⟨a k, z (i (S k))⟩ <= 0) by (destruct Hr as [_ H]; apply H; lia).
    (* "Add these for j = 1, ..., k" *)
    assert (IH := IHk (shorter i a (S k) k Hr ltac:(lia))). simpl. lra.
Qed.

(** Update k+1 adds the sample i_(k+1): the sum over j <= k in the book is over i_1, ..., i_k. *)
Theorem lem_upper i a k bigR :
  run i a k ->
  (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->
  ‖(a k)‖ ^ 2 <= Σ[j < k] ‖(z (i (S j)))‖ ^ 2 /\
  Σ[j < k] ‖(z (i (S j)))‖ ^ 2 <= bigR ^ 2 * INR k.
Proof.
  intros Hr HR. split.
  - rewrite norm_pow2, (sum_ext k _ (fun j => ⟨z (i (S j)), z (i (S j))⟩))
      by (intros; apply norm_pow2). apply upper_sum; auto.
  - assert (Hz : forall j, (j < k)%nat -> ‖(z (i (S j)))‖ ^ 2 <= bigR ^ 2).
    { intros j Hj. assert (‖(z (i (S j)))‖ <= bigR) by (apply HR; destruct Hr as [_ H]; apply H; auto).
      assert (0 <= ‖(z (i (S j)))‖) by apply norm_nonneg. nra. }
    apply Rle_trans with (1 := sum_le k _ (fun _ => bigR ^ 2) Hz).
    clear. set (q := bigR ^ 2). induction k; [ simpl; lra | rewrite S_INR; simpl; lra ].
Qed.

(** ** Theorem (Perceptron convergence)
    a* is any vector no longer than 1 whose margins are all at least gamma. *)
Definition margin_at_least (astar : vec) (gamma : R) : Prop :=
  ‖astar‖ <= 1 /\ forall i, (i < n)%nat -> ⟨astar, z i⟩ >= gamma.

(** "Each update adds ⟨z_(i_k), a*⟩ ≥ γ* to ⟨a, a*⟩, which begins at 0" *)
Lemma progress astar gamma i a k : margin_at_least astar gamma -> run i a k ->
  INR k * gamma <= ⟨a k, astar⟩.
Proof.
  intros [_ margin]. induction k; intros Hr.
  - rewrite (start i a O) by auto. simpl. lra.
  - rewrite (update i a (S k) k) by (auto; lia).
    assert (⟨astar, z (i (S k))⟩ >= gamma) by (apply margin; destruct Hr as [_ H]; apply H; lia).
    assert (IH := IHk (shorter i a (S k) k Hr ltac:(lia))).
    rewrite (dot_sym p (z _)), S_INR. lra.
Qed.

(** "An inner product is at most the product of the lengths (Cauchy and Schwarz), and ‖a*‖ = 1" *)
Lemma lower astar gamma i a k : margin_at_least astar gamma -> run i a k ->
  INR k * gamma <= ‖(a k)‖.
Proof.
  intros M Hr.
  assert (H1 : INR k * gamma <= ⟨a k, astar⟩) by (apply (progress astar gamma i); auto).
  assert (H2 : ⟨a k, astar⟩ <= ‖(a k)‖ * ‖astar‖) by apply cauchy_schwarz.
  assert (H3 : 0 <= ‖(a k)‖) by apply norm_nonneg. destruct M as [unit _]. nra.
Qed.

(** "the upper curve", with its root *)
Lemma upper i a k bigR : run i a k ->
  (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) -> ‖(a k)‖ <= bigR * sqrt (INR k).
Proof.
  intros Hr HR. destruct k as [ | k ].
  { unfold norm. rewrite (start i a O) by auto. simpl. rewrite sqrt_0. lra. }
  assert (0 <= bigR).
  { apply Rle_trans with ‖(z (i 1%nat))‖; [ apply norm_nonneg | ].
    apply HR. destruct Hr as [_ H]. apply (H O). lia. }
  destruct (lem_upper i a (S k) bigR Hr HR) as [H1 H2].
  assert (Hs : sqrt (INR (S k)) * sqrt (INR (S k)) = INR (S k)) by (apply sqrt_sqrt, pos_INR).
  assert (0 <= sqrt (INR (S k))) by apply sqrt_pos.
  assert (0 <= ‖(a (S k))‖) by apply norm_nonneg.
  apply Rsqr_incr_0_var; [ unfold Rsqr | nra ].
  replace (bigR * sqrt (INR (S k)) * (bigR * sqrt (INR (S k)))) with (bigR ^ 2 * INR (S k))
    by (rewrite <- Hs at 1; ring).
  replace (‖(a (S k))‖ * ‖(a (S k))‖) with (‖(a (S k))‖ ^ 2) by ring. lra.
Qed.

(** "we may divide k γ* ≤ R √k by γ* √k and square" *)
Lemma bound astar gamma bigR i a T : margin_at_least astar gamma -> gamma > 0 ->
  (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->
  run i a T -> INR T <= (bigR / gamma) ^ 2.
Proof.
  intros M Hgamma HR Hr.
  pose proof (lower astar gamma i a T M Hr) as H1. pose proof (upper i a T bigR Hr HR) as H2.
  assert (0 <= sqrt (INR T)) by apply sqrt_pos.
  assert (Hs : sqrt (INR T) * sqrt (INR T) = INR T) by (apply sqrt_sqrt, pos_INR).
  destruct (Req_dec (sqrt (INR T)) 0) as [E | E].
  { rewrite <- Hs, E. assert (0 <= (bigR / gamma) ^ 2) by apply pow2_ge_0. lra. }
  assert (H3 : sqrt (INR T) * gamma <= bigR) by nra.
  assert (H4 : sqrt (INR T) <= bigR / gamma) by
    (apply Rmult_le_reg_r with gamma; [ lra | unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra ]).
  rewrite <- Hs. simpl. nra.
Qed.

(** A plane separates or it does not: n tests decide. *)
Lemma separates_or_not (b : vec) : separating b \/ ~ separating b.
Proof.
  unfold separating. induction n as [ | m [IH | IH] ].
  - left; intros; lia.
  - destruct (Rgt_dec ⟨b, z m⟩ 0) as [H | H].
    + left; intros l Hl. destruct (Nat.eq_dec l m) as [-> | ]; auto. apply IH; lia.
    + right; intros H0; apply H, H0; lia.
  - right; intros H; apply IH; intros; apply H; lia.
Qed.

Lemma beyond x : exists N, INR N > x.
Proof.
  exists (Z.to_nat (up (Rabs x))). destruct (archimed (Rabs x)) as [Hup _].
  pose proof (Rabs_pos x). pose proof (Rle_abs x).
  rewrite INR_IZR_INZ, Z2Nat.id; [ lra | apply le_IZR; lra ].
Qed.

(** An order may depend on everything: an endless sequence is given in which, at every
    k, *if* a_k has a mistake, a mistake is added. "So no run has more updates. When none
    is possible any more, every margin is positive." *)
Definition keeps_picking_mistakes (i : nat -> nat) (a : nat -> vec) : Prop :=
  (forall j, a O j = 0) /\
  (forall k, ~ separating (a k) ->
     (i (S k) < n)%nat /\ ⟨a k, z (i (S k))⟩ <= 0 /\
     forall j, a (S k) j = a k j + z (i (S k)) j).

Theorem thm_convergence astar gamma bigR :
  margin_at_least astar gamma -> gamma > 0 ->
  (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->
  (* the two curves, for every run *)
  (forall i a k, run i a k ->
     INR k * gamma <= ‖(a k)‖ /\ ‖(a k)‖ <= bigR * sqrt (INR k)) /\
  (* the bound, for every run *)
  (forall i a T, run i a T -> INR T <= (bigR / gamma) ^ 2) /\
  (* every order stops, at a separating plane *)
  (forall i a, keeps_picking_mistakes i a ->
     exists T, run i a T /\ separating (a T) /\ INR T <= (bigR / gamma) ^ 2).
Proof.
  intros M Hgamma HR. split; [ | split ].
  - intros i a k Hr. split; [ apply (lower astar gamma i) | apply (upper i) ]; auto.
  - intros i a T. apply (bound astar gamma bigR); auto.
  - intros i a [H0 Hstep].
    (* as long as none of a_0, ..., a_(k-1) separates, there is a run of k updates *)
    assert (A : forall k, (exists T, (T < k)%nat /\ run i a T /\ separating (a T)) \/ run i a k).
    { induction k as [ | k [(T & HT & HrT) | IH] ].
      - right. split; [ exact H0 | intros; lia ].
      - left. exists T. split; [ lia | exact HrT ].
      - destruct (separates_or_not (a k)) as [Sep | Not].
        + left. exists k. split; [ lia | split; auto ].
        + right. split; [ exact H0 | ]. intros l Hl.
          destruct (Nat.eq_dec l k) as [-> | ]; [ apply Hstep; exact Not | ].
          destruct IH as [_ IH]; apply IH; lia. }
    (* a run longer than the bound does not exist *)
    destruct (beyond ((bigR / gamma) ^ 2)) as [N HN].
    destruct (A N) as [(T & _ & HrT & Sep) | HrN].
    + exists T. repeat split; auto; try apply HrT; auto. apply (bound astar gamma bigR i a); auto.
    + apply (bound astar gamma bigR i a) in HrN; auto. lra.
Qed.
End Perceptron.
