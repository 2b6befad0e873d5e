(** * Lessons 3, 3b and 3d: prop-update, prop-certificate, thm-start *)
From LinearClassification Require Import Vectors Perceptron Margin.

Section PerceptronDuality.
Variables (p n : nat) (z : nat -> vec).
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).

(** ** Proposition (What one update does) *)
(** The largest integer that is not above s. *)
Definition floor (s : R) : Z := (up s - 1)%Z.

Lemma floor_spec s k : (k > floor s)%Z <-> IZR k > s.
Proof.
  unfold floor. destruct (archimed s) as [H1 H2]. split; intros H.
  - assert (L : IZR (up s) <= IZR k) by (apply IZR_le; lia). lra.
  - assert (L : IZR k > IZR (up s - 1)%Z) by (rewrite minus_IZR; lra). apply lt_IZR in L. lia.
Qed.

(** [times k a i]: the state after k updates on sample i in a row. *)
Definition times (k : nat) (a : vec) (i : nat) : vec := fun j => a j + INR k * z i j.

Theorem prop_update a i :
  let a' : vec := fun j => a j + z i j in
  ⟨a', z i⟩ = ⟨a, z i⟩ + ‖(z i)‖ ^ 2 /\
  (forall j, ⟨a', z j⟩ = ⟨a, z j⟩ + ⟨z i, z j⟩) /\
  ‖a'‖ ^ 2 = ‖a‖ ^ 2 + 2 * ⟨a, z i⟩ + ‖(z i)‖ ^ 2 /\
  (‖(z i)‖ > 0 -> ⟨a, z i⟩ <= 0 -> forall k : nat,
     (* the margin is positive after k updates exactly if k is at least the number stated *)
     ⟨times k a i, z i⟩ > 0 <-> (Z.of_nat k >= floor (- ⟨a, z i⟩ / ‖(z i)‖ ^ 2) + 1)%Z).
Proof.
  cbv zeta. rewrite !norm_pow2. split; [ apply dot_plus | ].
  split; [ intros j; apply dot_plus | ]. split; [ apply dot_square | ].
  intros Hz Hm k. rewrite <- norm_pow2.
  assert (P : ‖(z i)‖ ^ 2 > 0) by nra.
  assert (E : ⟨times k a i, z i⟩ = ⟨a, z i⟩ + INR k * ‖(z i)‖ ^ 2).
  { unfold times. rewrite (dot_plus p a (fun j => INR k * z i j)), dot_scale, <- norm_pow2. reflexivity. }
  assert (F : (Z.of_nat k >= floor (- ⟨a, z i⟩ / ‖(z i)‖ ^ 2) + 1)%Z <->
              (Z.of_nat k > floor (- ⟨a, z i⟩ / ‖(z i)‖ ^ 2))%Z) by lia.
  rewrite F, floor_spec, <- INR_IZR_INZ, E.
  set (q := ‖(z i)‖ ^ 2) in *. set (s := ⟨a, z i⟩) in *.
  assert (D : - s / q * q = - s) by (field; lra).
  split; intros H.
  - apply Rmult_lt_reg_r with q; [ exact P | ]. rewrite D. lra.
  - assert (INR k * q > - s / q * q) by (apply Rmult_lt_compat_r; auto). lra.
Qed.

(** ** Proposition (The proportions of updates bound the margin) *)
(** How often the first k updates add sample l. *)
Definition count (i : nat -> nat) (k l : nat) : R :=
  Σ[j < k] if Nat.eq_dec (i (S j)) l then 1 else 0.
Definition update_shares (i : nat -> nat) (k : nat) : nat -> R := fun l => / INR k * count i k l.

Lemma one_of_them (f : nat -> R) r : (r < n)%nat ->
  Σ[l < n] (if Nat.eq_dec r l then 1 else 0) * f l = f r.
Proof.
  induction n as [ | k IH]; intros Hr; [ lia | simpl ].
  destruct (Nat.eq_dec r k) as [-> | N].
  - rewrite (sum_ext k _ (fun l => 0 * f l)), sum_scale; [ ring | ].
    intros l Hl. destruct (Nat.eq_dec k l); [ lia | ring ].
  - rewrite IH by lia. ring.
Qed.

(** Σ over samples of count times f is the sum of f along the run. *)
Lemma along_the_run i a k (f : nat -> R) : run p n z i a k ->
  Σ[l < n] count i k l * f l = Σ[j < k] f (i (S j)).
Proof.
  intros [_ H]. unfold count.
  rewrite (sum_ext n _ (fun l => Σ[j < k] (if Nat.eq_dec (i (S j)) l then 1 else 0) * f l)).
  - rewrite sum_swap. apply sum_ext. intros j Hj. apply one_of_them. apply H; auto.
  - intros l Hl. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros; ring.
Qed.

(** "a_k is the sum of the added samples" *)
Lemma sum_of_added i a k j : run p n z i a k -> a k j = Σ[q < k] z (i (S q)) j.
Proof.
  induction k; intros Hr; [ apply Hr | ].
  destruct Hr as [H0 H]. destruct (H k ltac:(lia)) as (_ & _ & U).
  rewrite U, IHk; [ reflexivity | split; [ exact H0 | intros; apply H; lia ] ].
Qed.

Theorem prop_certificate i a k :
  run p n z i a k -> (k >= 1)%nat ->
  let alpha := update_shares i k in
  simplex n alpha /\
  (forall j, comb n alpha z j = / INR k * a k j) /\
  forall gammastar m bigR,
    best_margin p n z gammastar -> (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->
    (‖(a k)‖ > 0 -> smallest_margin p n z (a k) m -> m / ‖(a k)‖ <= gammastar) /\
    gammastar <= ‖(a k)‖ / INR k /\ ‖(a k)‖ / INR k <= bigR / sqrt (INR k).
Proof.
  intros Hr Hk alpha.
  assert (P : INR k > 0) by (apply lt_0_INR; lia).
  assert (I : / INR k > 0) by (apply Rinv_0_lt_compat; exact P).
  assert (Sx : simplex n alpha).
  { split.
    - intros l Hl. unfold alpha, update_shares, count.
      apply Rmult_le_pos; [ lra | apply sum_nonneg; intros; destruct (Nat.eq_dec _ _); lra ].
    - unfold alpha, update_shares. rewrite sum_scale.
      rewrite (sum_ext n (fun l => count i k l) (fun l => count i k l * 1)) by (intros; ring).
      rewrite (along_the_run i a k (fun _ => 1) Hr).
      assert (E : forall q, Σ[j < q] 1 = INR q) by (induction q; [ reflexivity | rewrite S_INR; simpl; lra ]).
      rewrite E. field. lra. }
  assert (C : forall j, comb n alpha z j = / INR k * a k j).
  { intros j. unfold comb, alpha, update_shares.
    rewrite (sum_ext n _ (fun l => / INR k * (count i k l * z l j))) by (intros; ring).
    rewrite sum_scale, (along_the_run i a k (fun l => z l j) Hr), <- (sum_of_added i a k j Hr). reflexivity. }
  split; [ exact Sx | split; [ exact C | ] ]. intros g m bigR Hg HR. split; [ | split ].
  - (* "The first two inequalities are" prop-enclosure *)
    intros Ha Hm. apply (left_end p n z g (a k) m); auto.
  - destruct Hg as [[b [Hb Hg]] _]. pose proof (weak_duality_ball p n z b g alpha Hb Hg Sx) as W.
    assert (E : ‖(comb n alpha z)‖ = ‖(a k)‖ / INR k).
    { unfold norm. rewrite (dot_ext p _ (fun j => / INR k * a k j)), (dot_ext_r p _ (fun j => / INR k * a k j))
        by (intros; apply C).
      rewrite dot_scale, dot_scale_r, <- Rmult_assoc, sqrt_mult by (try apply dot_self; nra).
      rewrite sqrt_square by lra. unfold Rdiv. ring. }
    rewrite E in W. exact W.
  - (* "The third is" lem-upper *)
    pose proof (upper p n z i a k bigR Hr HR) as U.
    assert (Q : sqrt (INR k) > 0) by (apply sqrt_lt_R0; exact P).
    assert (Hs : sqrt (INR k) * sqrt (INR k) = INR k) by (apply sqrt_sqrt; lra).
    apply Rmult_le_reg_r with (INR k); [ exact P | ].
    replace (‖(a k)‖ / INR k * INR k) with ‖(a k)‖ by (field; lra).
    replace (bigR / sqrt (INR k) * INR k) with (bigR * sqrt (INR k)); [ exact U | ].
    transitivity (bigR / sqrt (INR k) * (sqrt (INR k) * sqrt (INR k))); [ field; lra | rewrite Hs; reflexivity ].
Qed.

(** ** Theorem (Any start, any rate) *)
(** T updates from a_0, each with eta times the sample. *)
Definition run_from (a0 : vec) (eta : R) (i : nat -> nat) (a : nat -> vec) (T : nat) : Prop :=
  (forall j, a O j = a0 j) /\
  (forall k, (k < T)%nat ->
     (i (S k) < n)%nat /\
     ⟨a k, z (i (S k))⟩ <= 0 /\
     forall j, a (S k) j = a k j + eta * z (i (S k)) j).

Lemma step_from a0 eta i a T k c : run_from a0 eta i a T -> (k < T)%nat ->
  ⟨a (S k), c⟩ = ⟨a k, c⟩ + eta * ⟨z (i (S k)), c⟩.
Proof.
  intros [_ H] Hk. destruct (H k Hk) as (_ & _ & U).
  rewrite (dot_ext p (a (S k)) (fun j => a k j + eta * z (i (S k)) j)) by auto.
  rewrite (dot_plus p (a k) (fun j => eta * z (i (S k)) j)), dot_scale. reflexivity.
Qed.

Theorem thm_start a0 eta i a T : eta > 0 ->
  (forall astar gamma bigR,
     margin_at_least p n z astar gamma -> gamma > 0 ->
     (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) -> run_from a0 eta i a T ->
     INR T <= (bigR / gamma) ^ 2 + 2 * ‖a0‖ / (eta * gamma)) /\
  (* from 0 the rate is irrelevant: a run, divided by eta, is a run with the rate 1, and the other way *)
  ((forall j, a0 j = 0) -> (run_from a0 eta i a T <-> run_from a0 1 i (fun k j => a k j / eta) T)).
Proof.
  intros He. split.
  - intros astar gamma bigR M Hg HR Hr. destruct M as [unit margin].
    assert (Z0 : forall c, ⟨a O, c⟩ = ⟨a0, c⟩) by (intros c; apply dot_ext; intros; apply Hr).
    (* along a* *)
    assert (A : forall k, (k <= T)%nat -> INR k * eta * gamma - ‖a0‖ <= ⟨a k, astar⟩).
    { induction k; intros Hk.
      - rewrite Z0. simpl. pose proof (cauchy_schwarz p (fun j => -1 * a0 j) astar) as CS.
        rewrite dot_scale in CS.
        assert (N : norm p (fun j => -1 * a0 j) = ‖a0‖)
          by (unfold norm; rewrite dot_scale, dot_scale_r; f_equal; ring).
        rewrite N in CS. pose proof (norm_nonneg p a0). nra.
      - rewrite (step_from a0 eta i a T k) by (auto; lia). specialize (IHk ltac:(lia)).
        assert (⟨astar, z (i (S k))⟩ >= gamma) by (apply margin; destruct Hr as [_ H]; apply H; lia).
        rewrite (dot_sym p (z _)), S_INR. nra. }
    (* the length *)
    assert (B : forall k, (k <= T)%nat -> ⟨a k, a k⟩ <= ⟨a0, a0⟩ + INR k * (eta * bigR) ^ 2).
    { induction k; intros Hk.
      - rewrite Z0, dot_sym, Z0. simpl. lra.
      - rewrite (step_from a0 eta i a T k), (dot_sym p (a k) (a (S k))), (step_from a0 eta i a T k),
          (dot_sym p (z _) (a (S k))), (step_from a0 eta i a T k) by (auto; lia).
        specialize (IHk ltac:(lia)). destruct Hr as [_ H]. destruct (H k ltac:(lia)) as (Hi & Hm & _).
        rewrite (dot_sym p (z _) (a k)).
        assert (L : ⟨z (i (S k)), z (i (S k))⟩ <= bigR ^ 2).
        { rewrite <- norm_pow2. pose proof (HR _ Hi). pose proof (norm_nonneg p (z (i (S k)))). nra. }
        rewrite S_INR. assert (E2 : eta * eta > 0) by nra.
        assert (eta * eta * ⟨z (i (S k)), z (i (S k))⟩ <= eta * eta * bigR ^ 2) by nra. nra. }
    specialize (A T (Nat.le_refl T)). specialize (B T (Nat.le_refl T)).
    pose proof (cauchy_schwarz p (a T) astar) as CS. pose proof (norm_nonneg p (a T)) as N.
    assert (C : ⟨a T, astar⟩ <= ‖(a T)‖) by nra.
    rewrite <- !norm_pow2 in B. pose proof (norm_nonneg p a0) as N0. pose proof (pos_INR T) as PT.
    set (s := ‖a0‖) in *. set (l := ‖(a T)‖) in *. set (t := INR T) in *.
    assert (G : eta * gamma > 0) by nra.
    (* divide by (eta gamma)² *)
    assert (K : t * (eta * gamma) <= eta * bigR ^ 2 / gamma + 2 * s).
    { destruct (Rle_dec (t * (eta * gamma)) s) as [Small | Large].
      - assert (0 <= eta * bigR ^ 2 / gamma)
          by (apply Rmult_le_pos; [ nra | apply Rlt_le, Rinv_0_lt_compat; lra ]). lra.
      - assert (Q : (t * (eta * gamma) - s) ^ 2 <= s ^ 2 + t * (eta * bigR) ^ 2).
        { apply Rle_trans with (l ^ 2); [ | lra ]. apply pow_incr. lra. }
        assert (T0 : t > 0) by (destruct (Req_dec t 0) as [E | E]; [ rewrite E in Large; nra | lra ]).
        assert (W : t * (eta * gamma) * (eta * gamma) - 2 * s * (eta * gamma) <= (eta * bigR) ^ 2).
        { apply Rmult_le_reg_l with t; [ exact T0 | ]. simpl in *. nra. }
        apply Rmult_le_reg_r with (eta * gamma); [ exact G | ].
        replace ((eta * bigR ^ 2 / gamma + 2 * s) * (eta * gamma)) with ((eta * bigR) ^ 2 + 2 * s * (eta * gamma))
          by (field; lra). lra. }
    apply Rmult_le_reg_r with (eta * gamma); [ exact G | ].
    replace (((bigR / gamma) ^ 2 + 2 * s / (eta * gamma)) * (eta * gamma)) with (eta * bigR ^ 2 / gamma + 2 * s)
      by (field; split; lra). exact K.
  - intros Z0.
    assert (Scaled : forall k c, ⟨fun j => a k j / eta, c⟩ = / eta * ⟨a k, c⟩).
    { intros k c. rewrite <- dot_scale. apply dot_ext. intros; field; lra. }
    assert (I : / eta > 0) by (apply Rinv_0_lt_compat; lra).
    assert (one_step : forall k, (forall j, a (S k) j = a k j + eta * z (i (S k)) j) <->
              (forall j, a (S k) j / eta = a k j / eta + 1 * z (i (S k)) j)).
    { intros k. split; intros U j; specialize (U j).
      - rewrite U. field. lra.
      - apply Rmult_eq_reg_r with (/ eta); [ | lra ]. unfold Rdiv in U. rewrite U. field. lra. }
    split; intros [H0 H]; (split; [ intros j; specialize (H0 j); rewrite Z0 in * | ]).
    + rewrite H0. field. lra.
    + intros k Hk. destruct (H k Hk) as (Hi & Hm & U). split; [ exact Hi | split; [ | apply one_step, U ] ].
      rewrite Scaled. nra.
    + replace (a O j) with (a O j / eta * eta) by (field; lra). rewrite H0. ring.
    + intros k Hk. destruct (H k Hk) as (Hi & Hm & U). split; [ exact Hi | split; [ | apply one_step, U ] ].
      rewrite Scaled in Hm. apply Rmult_le_reg_l with (/ eta); lra.
Qed.
End PerceptronDuality.
