(** * Lesson 1c: prop-enclosure, thm-gordan *)
From LinearClassification Require Import Vectors Nearest.

Section Margin.
Variables (p n : nat) (z : nat -> vec).
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).

(** The simplex Δ, and Z^T alpha = Σ_i alpha_i z_i. *)
Definition simplex (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i) /\ Σ[i < n] alpha i = 1.
Notation "'Zᵀ' alpha" := (comb n alpha z) (at level 8, alpha at level 7).

(** m is the smallest margin: m <= ⟨a,z_i⟩ for all i, with equality for some i. *)
Definition smallest_margin (a : vec) (m : R) : Prop :=
  (forall i, (i < n)%nat -> m <= ⟨a, z i⟩) /\ (exists i, (i < n)%nat /\ m = ⟨a, z i⟩).

(** "For ‖a‖ <= 1 the smallest margin is at most the weighted mean" *)
Lemma minimum_le_mean a m alpha : smallest_margin a m -> simplex alpha ->
  m <= Σ[i < n] alpha i * ⟨a, z i⟩.
Proof.
  intros [Hm _] [Ha H1].
  assert (E : m = Σ[i < n] alpha i * m).
  { rewrite (sum_ext n _ (fun i => m * alpha i)) by (intros; lra).
    rewrite sum_scale. rewrite H1. lra. }
  rewrite E at 1. apply sum_le. intros i Hi. apply Rmult_le_compat_l; auto.
Qed.

(** eq-weak-duality, for ‖a‖ <= 1:
    min_i ⟨a,z_i⟩ <= Σ alpha_i ⟨a,z_i⟩ = ⟨a, Zᵀalpha⟩ <= ‖Zᵀalpha‖ *)
Lemma weak_duality_ball a m alpha : ‖a‖ <= 1 ->
  smallest_margin a m -> simplex alpha -> m <= ‖(Zᵀ alpha)‖.
Proof.
  intros Ha Hm Halpha.
  assert (H1 : m <= Σ[i < n] alpha i * ⟨a, z i⟩) by (apply minimum_le_mean; auto).
  assert (H2 : Σ[i < n] alpha i * ⟨a, z i⟩ = ⟨a, Zᵀ alpha⟩) by (symmetry; apply dot_comb).
  assert (H3 : ⟨a, Zᵀ alpha⟩ <= ‖a‖ * ‖(Zᵀ alpha)‖) by apply cauchy_schwarz.
  assert (H4 : 0 <= ‖(Zᵀ alpha)‖) by apply norm_nonneg.
  nra.
Qed.

(** gamma* = max over ‖a‖ <= 1 of the smallest margin (eq-hp-gamma) *)
Definition best_margin (g : R) : Prop :=
  (exists a, ‖a‖ <= 1 /\ smallest_margin a g) /\
  (forall a m, ‖a‖ <= 1 -> smallest_margin a m -> m <= g).

(** "a/‖a‖ is one of the vectors in the maximum" *)
Lemma left_end g a m : best_margin g -> ‖a‖ > 0 -> smallest_margin a m -> m / ‖a‖ <= g.
Proof.
  intros [_ Hmax] Ha [Hm [i [Hi Em]]].
  apply (Hmax (fun j => / ‖a‖ * a j)).
  - unfold norm at 1. rewrite dot_scale, dot_scale_r, <- norm_sq.
    replace (/ ‖a‖ * (/ ‖a‖ * (‖a‖ * ‖a‖))) with 1 by (field; lra). rewrite sqrt_1. lra.
  - assert (Hinv : / ‖a‖ > 0) by (apply Rinv_0_lt_compat; lra). split.
    + intros k Hk. rewrite dot_scale. specialize (Hm k Hk). unfold Rdiv. nra.
    + exists i. split; [ exact Hi | rewrite dot_scale, Em; unfold Rdiv; lra ].
Qed.

Definition separable : Prop := exists a, forall i, (i < n)%nat -> ⟨a, z i⟩ > 0.

Lemma not_both alpha : separable -> simplex alpha ->
  (forall j, (j < p)%nat -> (Zᵀ alpha) j = 0) -> False.
Proof.
  intros [a Ha] [Hnonneg H1] H0.
  assert (E : Σ[i < n] alpha i * ⟨a, z i⟩ = 0) by (rewrite <- dot_comb, dot_sym; apply dot_zero; auto).
  assert (T : forall i, (i < n)%nat -> 0 <= alpha i * ⟨a, z i⟩).
  { intros k Hk. assert (0 <= alpha k) by auto. assert (⟨a, z k⟩ > 0) by auto. nra. }
  assert (A : forall i, (i < n)%nat -> alpha i = 0 * alpha i).
  { intros i Hi. pose proof (sum_zero n _ T E i Hi) as Z. simpl in Z.
    assert (⟨a, z i⟩ > 0) by auto. nra. }
  rewrite (sum_ext n (fun i => alpha i) (fun i => 0 * alpha i)), sum_scale in H1 by auto. lra.
Qed.

Theorem prop_enclosure alpha : simplex alpha ->
  (forall gammastar, best_margin gammastar ->
     (forall a m, ‖a‖ > 0 -> smallest_margin a m -> m / ‖a‖ <= gammastar) /\
     gammastar <= ‖(Zᵀ alpha)‖) /\
  ((forall j, (j < p)%nat -> (Zᵀ alpha) j = 0) -> ~ separable).
Proof.
  intros Halpha. split.
  - intros g Hg. split; [ intros a m; apply left_end; exact Hg | ].
    destruct Hg as [[b [Hb Hg]] _]. apply (weak_duality_ball b g alpha); auto.
  - intros H0 Hs. apply (not_both alpha); auto.
Qed.

(** ** The largest margin exists, and is the least length *)
Definition least_length (g : R) : Prop :=
  (exists alpha, simplex alpha /\ ‖(Zᵀ alpha)‖ = g) /\
  (forall alpha, simplex alpha -> g <= ‖(Zᵀ alpha)‖).

Lemma some_smallest a : (0 < n)%nat -> exists m, smallest_margin a m.
Proof.
  unfold smallest_margin. clear. induction n as [ | k IH]; intros Hn; [ lia | ].
  destruct (Nat.eq_dec k 0) as [-> | N].
  - exists ⟨a, z O⟩. split; [ | exists O; auto ].
    intros i Hi. replace i with O by lia. apply Rle_refl.
  - destruct (IH ltac:(lia)) as (m & L & i & Hi & E). destruct (Rle_dec m ⟨a, z k⟩) as [C | C].
    + exists m. split; [ | exists i; split; [ lia | exact E ] ].
      intros l Hl. destruct (Nat.eq_dec l k) as [-> | ]; [ exact C | apply L; lia ].
    + exists ⟨a, z k⟩. split; [ | exists k; split; [ lia | reflexivity ] ].
      intros l Hl. destruct (Nat.eq_dec l k) as [-> | ]; [ lra | specialize (L l ltac:(lia)); lra ].
Qed.

(** At the nearest point v no sample lies before the plane through v at a right angle to v: a step towards
    such a sample would come nearer. *)
Lemma beyond_nearest alpha i : simplex alpha ->
  (forall beta, simplex beta -> ‖(Zᵀ alpha)‖ <= ‖(Zᵀ beta)‖) -> (i < n)%nat ->
  ⟨Zᵀ alpha, Zᵀ alpha⟩ <= ⟨Zᵀ alpha, z i⟩.
Proof.
  intros [Ha H1] M Hi. set (v := Zᵀ alpha).
  assert (E1 : forall m, (i < m)%nat -> Σ[l < m] (if Nat.eq_dec l i then 1 else 0) = 1).
  { induction m as [ | m IH]; intros Hm; [ lia | ]. rewrite sum_S. destruct (Nat.eq_dec m i) as [-> | N'].
    - rewrite (sum_ext i _ (fun _ => 0 * 0)), sum_scale; [ ring | ].
      intros l Hl. destruct (Nat.eq_dec l i); [ lia | ring ].
    - rewrite IH by lia. ring. }
  assert (E2 : forall m j, (i < m)%nat -> comb m (fun l => if Nat.eq_dec l i then 1 else 0) z j = z i j).
  { unfold comb. induction m as [ | m IH]; intros j Hm; [ lia | ]. rewrite sum_S. destruct (Nat.eq_dec m i) as [-> | N'].
    - rewrite (sum_ext i _ (fun _ => 0 * 0)), sum_scale; [ ring | ].
      intros l Hl. destruct (Nat.eq_dec l i); [ lia | ring ].
    - rewrite IH by lia. ring. }
  assert (U : 0 <= ⟨v, fun j => z i j - v j⟩).
  { apply uphill. intros t T.
    pose (beta := fun l => (1 - t) * alpha l + t * (if Nat.eq_dec l i then 1 else 0)).
    assert (Hb : simplex beta).
    { split.
      - intros l Hl. unfold beta. specialize (Ha l Hl). destruct (Nat.eq_dec l i); nra.
      - unfold beta. rewrite sum_plus, !sum_scale, E1, H1 by exact Hi. ring. }
    rewrite (dot_self_ext p (fun j => v j + t * (z i j - v j)) (Zᵀ beta)).
    - rewrite <- !norm_sq. pose proof (norm_nonneg p v). specialize (M beta Hb). apply Rmult_le_compat; auto.
    - intros j Hj. unfold beta. rewrite comb_mix, E2 by exact Hi. fold v. ring. }
  rewrite dot_minus_r in U. lra.
Qed.

Lemma largest_margin_exists : (0 < n)%nat -> exists g, best_margin g /\ least_length g.
Proof.
  intros Hn. destruct (nearest p n z Hn) as (alpha & Sx & M0).
  assert (M : forall beta, simplex beta -> ‖(Zᵀ alpha)‖ <= ‖(Zᵀ beta)‖) by (intros beta [B1 B2]; apply M0; auto).
  exists ‖(Zᵀ alpha)‖. split; [ | split; [ exists alpha; split; [ exact Sx | reflexivity ] | exact M ] ].
  set (v := Zᵀ alpha) in *.
  assert (Up : forall a m, ‖a‖ <= 1 -> smallest_margin a m -> m <= ‖v‖)
    by (intros a m Ha Hm; apply (weak_duality_ball a m alpha Ha Hm Sx)).
  split; [ | exact Up ].
  (* a plane of length at most 1 all of whose margins are at least the length of v *)
  assert (A : exists a, ‖a‖ <= 1 /\ forall i, (i < n)%nat -> ‖v‖ <= ⟨a, z i⟩).
  { destruct (Req_dec ‖v‖ 0) as [Z | N].
    - exists (fun _ => 0). split; [ unfold norm; rewrite dot_zero, sqrt_0 by auto; lra | ].
      intros i Hi. rewrite Z, dot_zero by auto. lra.
    - pose proof (norm_nonneg p v) as N0. exists (fun j => / ‖v‖ * v j). split.
      + unfold norm at 1. rewrite dot_scale, dot_scale_r, <- norm_sq.
        replace (/ ‖v‖ * (/ ‖v‖ * (‖v‖ * ‖v‖))) with 1 by (field; lra). rewrite sqrt_1. lra.
      + intros i Hi. rewrite dot_scale. pose proof (beyond_nearest alpha i Sx M Hi) as B. fold v in B.
        rewrite <- norm_sq in B. apply Rmult_le_reg_l with ‖v‖; [ lra | ].
        rewrite <- Rmult_assoc, Rinv_r; lra. }
  destruct A as (a & Ha & L). destruct (some_smallest a Hn) as (m & Hm).
  exists a. split; [ exact Ha | ]. replace ‖v‖ with m; [ exact Hm | ].
  apply Rle_antisym; [ apply (Up a); auto | ]. destruct Hm as [_ (i & Hi & ->)]. auto.
Qed.
End Margin.

(** ** Gordan: exactly one of the two *)
Section Gordan.
Variable p : nat.
Notation "⟨ a , b ⟩" := (dot p a b).

(** Weights alpha >= 0, not all zero, with Σ alpha_i z_i = 0; later divided by their sum. *)
Definition balanced (n : nat) (z : nat -> vec) : Prop :=
  exists alpha, (forall i, (i < n)%nat -> 0 <= alpha i) /\
                (exists i, (i < n)%nat /\ alpha i > 0) /\
                (forall j, (j < p)%nat -> comb n alpha z j = 0).

(** Small steps keep finitely many strict inequalities. *)
Lemma small n (f g : nat -> R) : (forall i, (i < n)%nat -> f i > 0) ->
  exists e, e > 0 /\ forall i, (i < n)%nat -> f i + e * g i > 0.
Proof.
  induction n; intros H; [ exists 1; split; [ lra | intros; lia ] | ].
  destruct IHn as (e & He & IH); auto. assert (Hn : f n > 0) by auto.
  (* the step d e with 0 < d <= 1 keeps the first n; choose d for the last one *)
  assert (Hd : exists d, 0 < d <= 1 /\ f n + d * (e * g n) > 0).
  { destruct (Rle_dec 0 (g n)) as [G | G].
    - exists 1. split; [ lra | ]. nra.
    - assert (P : f n - e * g n > 0) by nra.
      exists (f n / (f n - e * g n)). split.
      + split; [ apply Rdiv_lt_0_compat; lra | ].
        apply Rmult_le_reg_r with (f n - e * g n); [ lra | ].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
      + replace (f n + f n / (f n - e * g n) * (e * g n))
          with (f n * (f n / (f n - e * g n))) by (field; lra).
        apply Rmult_lt_0_compat; [ lra | apply Rdiv_lt_0_compat; lra ]. }
  destruct Hd as (d & [Hd0 Hd1] & Hd).
  exists (d * e). split; [ nra | ]. intros i Hi.
  destruct (Nat.eq_dec i n) as [-> | ]; [ nra | ].
  assert (f i > 0) by (apply H; lia). assert (f i + e * g i > 0) by (apply IH; lia).
  nra.
Qed.

(** "One of them." Not the book's proof (nearest point of the hull, which needs
    compactness) but one by induction on the number of samples, with no limit in
    it. *)
Lemma gordan_one n : forall z, separable p n z \/ balanced n z.
Proof.
  induction n; intros z.
  { left. exists (fun _ => 0). intros; lia. }
  destruct (IHn z) as [[a Ha] | (alpha & H1 & (i & Hi & Hp) & H3)].
  2:{ (* the first n samples are balanced: give the last one weight 0 *)
      right. exists (fun i => if Nat.eq_dec i n then 0 else alpha i).
      assert (old : forall i, (i < n)%nat -> (if Nat.eq_dec i n then 0 else alpha i) = alpha i)
        by (intros l Hl; destruct (Nat.eq_dec l n); [ lia | reflexivity ]).
      repeat split.
      - intros l Hl. destruct (Nat.eq_dec l n); [ lra | apply H1; lia ].
      - exists i. split; [ lia | rewrite old; auto ].
      - intros j Hj. unfold comb in *. simpl.
        rewrite (sum_ext n _ (fun i => alpha i * z i j)) by (intros; rewrite old; auto).
        rewrite H3 by auto. destruct (Nat.eq_dec n n); [ lra | lia ]. }
  (* a is right on the first n; let z_n be the last sample *)
  destruct (Rgt_dec ⟨a, z n⟩ 0) as [Hn | Hn].
  { left. exists a. intros i Hi. destruct (Nat.eq_dec i n) as [-> | ]; auto. apply Ha; lia. }
  destruct (Req_dec ⟨a, z n⟩ 0) as [H0 | H0].
  - (* a tie on z_n *)
    destruct (Req_dec ⟨z n, z n⟩ 0) as [Z0 | Z0].
    + (* z_n = 0: all the weight on it *)
      right. exists (fun i => if Nat.eq_dec i n then 1 else 0).
      assert (old : forall i, (i < n)%nat -> (if Nat.eq_dec i n then 1 else 0) = 0)
        by (intros l Hl; destruct (Nat.eq_dec l n); [ lia | reflexivity ]).
      repeat split.
      * intros l Hl. destruct (Nat.eq_dec l n); lra.
      * exists n. split; [ lia | destruct (Nat.eq_dec n n); [ lra | lia ] ].
      * intros j Hj. unfold comb. simpl.
        rewrite (sum_ext n _ (fun i => 0 * z i j)) by (intros; rewrite old; auto).
        rewrite sum_scale. destruct (Nat.eq_dec n n); [ | lia ].
        assert (z n j * z n j = 0)
          by (apply (sum_zero p (fun j => z n j * z n j)); auto; intros; nra).
        nra.
    + (* tilt a a little towards z_n *)
      assert (Zpos : ⟨z n, z n⟩ > 0) by (pose proof (dot_self p (z n)); lra).
      destruct (small n (fun i => ⟨a, z i⟩) (fun i => ⟨z n, z i⟩) Ha) as (e & He & Hs).
      left. exists (fun j => a j + e * z n j). intros i Hi.
      rewrite dot_plus, dot_scale.
      destruct (Nat.eq_dec i n) as [-> | ]; [ nra | apply Hs; lia ].
  - (* a is wrong on z_n: c = -⟨a,z_n⟩ > 0. Project the others along z_n on a^⊥. *)
    set (c := - ⟨a, z n⟩). assert (Hc : c > 0) by (unfold c; lra).
    set (lam := fun i => ⟨a, z i⟩ / c).
    assert (Hlam : forall i, (i < n)%nat -> lam i > 0)
      by (intros l Hl; apply Rdiv_lt_0_compat; [ apply Ha; auto | lra ]).
    destruct (IHn (fun i j => z i j + lam i * z n j)) as [[b Hb] | (beta & B1 & (i & Hi & Bp) & B3)].
    + (* b is right on the projections. b' = b + mu a is so too, and mu is free:
         choose it such that ⟨b', z_n⟩ is positive and small *)
      assert (Hb' : forall i, (i < n)%nat -> ⟨b, z i⟩ + lam i * ⟨b, z n⟩ > 0).
      { intros l Hl. specialize (Hb l Hl).
        rewrite dot_sym, dot_plus, dot_scale, (dot_sym p (z l)), (dot_sym p (z n)) in Hb.
        exact Hb. }
      destruct (small n _ (fun i => - lam i) Hb') as (e & He & Hs).
      left. exists (fun j => b j + (⟨b, z n⟩ - e) / c * a j). intros i Hi.
      rewrite dot_plus, dot_scale.
      destruct (Nat.eq_dec i n) as [-> | Hin].
      * replace ⟨a, z n⟩ with (- c) by (unfold c; lra).
        replace (⟨b, z n⟩ + (⟨b, z n⟩ - e) / c * - c) with e by (field; lra). exact He.
      * assert (Hi' : (i < n)%nat) by lia. specialize (Hs i Hi'). simpl in Hs.
        replace ⟨a, z i⟩ with (c * lam i) by (unfold lam; field; lra).
        replace (⟨b, z i⟩ + (⟨b, z n⟩ - e) / c * (c * lam i))
          with (⟨b, z i⟩ + lam i * ⟨b, z n⟩ + e * - lam i) by (field; lra). exact Hs.
    + (* the projections are balanced: z_n gets what was subtracted *)
      right.
      set (last := Σ[i < n] beta i * lam i).
      exists (fun i => if Nat.eq_dec i n then last else beta i).
      assert (old : forall i, (i < n)%nat -> (if Nat.eq_dec i n then last else beta i) = beta i)
        by (intros l Hl; destruct (Nat.eq_dec l n); [ lia | reflexivity ]).
      repeat split.
      * intros l Hl. destruct (Nat.eq_dec l n); [ | apply B1; lia ].
        apply sum_nonneg. intros k Hk. assert (0 <= beta k) by auto.
        assert (lam k > 0) by auto. nra.
      * exists i. split; [ lia | rewrite old; auto ].
      * intros j Hj. unfold comb in *. simpl.
        rewrite (sum_ext n _ (fun i => beta i * z i j)) by (intros; rewrite old; auto).
        destruct (Nat.eq_dec n n); [ | lia ].
        specialize (B3 j Hj). simpl in B3.
        rewrite (sum_ext n _ (fun i => beta i * z i j + z n j * (beta i * lam i))) in B3
          by (intros; lra).
        rewrite sum_plus, sum_scale in B3. unfold last. lra.
Qed.

Theorem thm_gordan n z :
  let one := exists a, forall i, (i < n)%nat -> ⟨a, z i⟩ > 0 in
  let two := exists alpha, simplex n alpha /\ forall j, (j < p)%nat -> comb n alpha z j = 0 in
  (one \/ two) /\ ~ (one /\ two) /\
  (* the maximum and the minimum exist, and are equal *)
  ((0 < n)%nat -> exists gammastar, best_margin p n z gammastar /\ least_length p n z gammastar).
Proof.
  simpl. split; [ | split; [ intros [S (alpha & A & H0)]; exact (not_both p n z alpha S A H0)
                           | apply largest_margin_exists ] ].
  destruct (gordan_one n z) as [H | (alpha & H1 & (i & Hi & Hp) & H3)]; [ left; exact H | right ].
  assert (P : sum n alpha > 0) by (pose proof (sum_term n alpha i H1 Hi); lra).
  exists (fun i => / sum n alpha * alpha i). split; [ split | ].
  - intros l Hl. assert (0 <= alpha l) by auto. assert (/ sum n alpha > 0) by (apply Rinv_0_lt_compat; lra). nra.
  - rewrite sum_scale. change (/ sum n alpha * sum n alpha = 1). field. lra.
  - intros j Hj. unfold comb in *. rewrite (sum_ext n _ (fun i => / sum n alpha * (alpha i * z i j))) by (intros; ring).
    rewrite sum_scale, H3 by auto. ring.
Qed.
End Gordan.
