(** * Lesson 9: thm-sv-hulls, thm-sv-unique, prop-sv-hold *)
From LinearClassification Require Import Vectors Nearest Means.

Section Hulls.
(** [y i] is true for the label +1, false for -1. *)
Variables (d n : nat) (x : nat -> vec) (y : nat -> bool).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖" := (norm d a) (a at level 9).

(** Nonnegative weights that sum to one in each class. They give a point of each hull, and every pair of such points. *)
Definition convex_weights (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i) /\
  Σ[i < n] weights y true alpha i = 1 /\ Σ[i < n] weights y false alpha i = 1.
Definition plus (alpha : nat -> R) : vec := mean n x y true alpha.
Definition minus (alpha : nat -> R) : vec := mean n x y false alpha.
Definition difference (alpha : nat -> R) : vec := fun j => plus alpha j - minus alpha j.
Definition nearest_pair (alpha : nat -> R) : Prop :=
  convex_weights alpha /\ forall beta, convex_weights beta -> ‖(difference alpha)‖ <= ‖(difference beta)‖.

Definition feasible (w : vec) (b : R) : Prop := forall i, (i < n)%nat -> m d x y w b i >= 1.
Definition separable : Prop := exists w b, forall i, (i < n)%nat -> m d x y w b i > 0.

(** A part t of the way to sample k, in its class *)
Definition walk (t : R) (k : nat) (alpha : nat -> R) (i : nat) : R :=
  if Bool.eqb (y i) (y k) then (1 - t) * alpha i + t * (if Nat.eq_dec i k then 1 else 0) else alpha i.

Lemma weights_walk s t k alpha i : weights y s (walk t k alpha) i =
  if Bool.eqb (y k) s then (1 - t) * weights y s alpha i + t * (if Nat.eq_dec i k then 1 else 0)
  else weights y s alpha i.
Proof.
  unfold weights, walk. destruct (Nat.eq_dec i k) as [-> | N]; destruct (y k), s; try destruct (y i); simpl; ring.
Qed.

Lemma only_one (f : nat -> R) k : (k < n)%nat -> Σ[i < n] (if Nat.eq_dec i k then 1 else 0) * f i = f k.
Proof.
  induction n as [ | q IH]; intros Hk; [ lia | simpl ]. destruct (Nat.eq_dec q k) as [-> | N].
  - rewrite (sum_ext k _ (fun i => 0 * f i)), sum_scale; [ ring | ].
    intros i Hi. destruct (Nat.eq_dec i k); [ lia | ring ].
  - rewrite IH by lia. ring.
Qed.

Lemma walk_sum s t k alpha : (k < n)%nat -> Σ[i < n] weights y s alpha i = 1 ->
  Σ[i < n] weights y s (walk t k alpha) i = 1.
Proof.
  intros Hk H1. rewrite (sum_ext n _ (fun i => if Bool.eqb (y k) s
    then (1 - t) * weights y s alpha i + t * ((if Nat.eq_dec i k then 1 else 0) * 1) else weights y s alpha i)).
  - destruct (Bool.eqb (y k) s); [ | exact H1 ]. rewrite sum_plus, !sum_scale, H1, only_one by exact Hk. ring.
  - intros i Hi. rewrite weights_walk. destruct (Bool.eqb (y k) s); [ f_equal | reflexivity ].
    destruct (Nat.eq_dec i k); ring.
Qed.

Lemma walk_mean s t k alpha j : (k < n)%nat -> mean n x y s (walk t k alpha) j =
  if Bool.eqb (y k) s then (1 - t) * mean n x y s alpha j + t * x k j else mean n x y s alpha j.
Proof.
  intros Hk. unfold mean, comb. rewrite (sum_ext n _ (fun i => if Bool.eqb (y k) s
    then (1 - t) * (weights y s alpha i * x i j) + t * ((if Nat.eq_dec i k then 1 else 0) * x i j)
    else weights y s alpha i * x i j)).
  - destruct (Bool.eqb (y k) s); [ | reflexivity ].
    rewrite sum_plus, !sum_scale, (only_one (fun i => x i j)) by exact Hk. reflexivity.
  - intros i Hi. rewrite weights_walk. destruct (Bool.eqb (y k) s); [ | reflexivity ].
    destruct (Nat.eq_dec i k); ring.
Qed.

(** ** A nearest pair exists: the points of least length among the differences *)
Lemma sum_app k l f : sum (k + l) f = sum k f + Σ[i < l] f (k + i)%nat.
Proof.
  induction l as [ | l IH]; [ rewrite Nat.add_0_r; simpl; ring | ].
  rewrite Nat.add_succ_r, !sum_S, IH. ring.
Qed.

Lemma sum_pairs k l (f : nat -> nat -> R) : (0 < l)%nat ->
  Σ[i < k * l] f (i / l)%nat (i mod l)%nat = Σ[i < k] Σ[j < l] f i j.
Proof.
  intros Hl. induction k as [ | k IH]; [ reflexivity | ].
  replace (S k * l)%nat with (k * l + l)%nat by lia. rewrite sum_app, IH, sum_S. f_equal.
  apply sum_ext. intros j Hj. f_equal.
  - rewrite Nat.div_add_l, Nat.div_small by lia. lia.
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

Lemma nearest_pair_exists : (exists i, (i < n)%nat /\ y i = true) -> (exists i, (i < n)%nat /\ y i = false) ->
  exists alpha, nearest_pair alpha.
Proof.
  intros (i0 & Hi0 & Y0) (j0 & Hj0 & Z0). assert (Hn : (0 < n)%nat) by lia.
  set (valid := fun k => andb (y (k / n)) (negb (y (k mod n)))).
  set (I := fun k => if valid k then (k / n)%nat else i0).
  set (J := fun k => if valid k then (k mod n)%nat else j0).
  assert (HI : forall k, (k < n * n)%nat -> (I k < n)%nat /\ y (I k) = true).
  { intros k Hk. unfold I, valid. destruct (y (k / n)) eqn:A, (y (k mod n)) eqn:B; simpl; auto.
    split; [ apply Nat.div_lt_upper_bound; lia | exact A ]. }
  assert (HJ : forall k, (k < n * n)%nat -> (J k < n)%nat /\ y (J k) = false).
  { intros k Hk. unfold J, valid. destruct (y (k / n)) eqn:A, (y (k mod n)) eqn:B; simpl; auto.
    split; [ apply Nat.mod_upper_bound; lia | exact B ]. }
  destruct (nearest d (n * n) (fun k j => x (I k) j - x (J k) j)) as (c & [Pc Sc] & Mc); [ nia | ].
  set (K := (n * n)%nat) in *.
  set (one := fun k i : nat => if Nat.eq_dec i k then 1 else 0).
  set (alpha := fun i => Σ[k < K] c k * (one (I k) i + one (J k) i)).
  assert (WI : forall i, weights y true alpha i = Σ[k < K] c k * one (I k) i).
  { intros i. unfold weights, alpha. destruct (y i) eqn:Y; simpl.
    - apply sum_ext. intros k Hk. f_equal. unfold one. destruct (Nat.eq_dec i (J k)) as [E | N]; [ | ring ].
      exfalso. destruct (HJ k Hk) as [_ F]. rewrite <- E in F. congruence.
    - rewrite (sum_ext K _ (fun k => 0 * c k)), sum_scale; [ ring | ]. intros k Hk. unfold one.
      destruct (Nat.eq_dec i (I k)) as [E | N]; [ | ring ].
      exfalso. destruct (HI k Hk) as [_ F]. rewrite <- E in F. congruence. }
  assert (WJ : forall i, weights y false alpha i = Σ[k < K] c k * one (J k) i).
  { intros i. unfold weights, alpha. destruct (y i) eqn:Y; simpl.
    - rewrite (sum_ext K _ (fun k => 0 * c k)), sum_scale; [ ring | ]. intros k Hk. unfold one.
      destruct (Nat.eq_dec i (J k)) as [E | N]; [ | ring ].
      exfalso. destruct (HJ k Hk) as [_ F]. rewrite <- E in F. congruence.
    - apply sum_ext. intros k Hk. f_equal. unfold one. destruct (Nat.eq_dec i (I k)) as [E | N]; [ | ring ].
      exfalso. destruct (HI k Hk) as [_ F]. rewrite <- E in F. congruence. }
  assert (Pull : forall (L : nat -> nat) (f : nat -> R), (forall k, (k < K)%nat -> (L k < n)%nat) ->
    Σ[i < n] (Σ[k < K] c k * one (L k) i) * f i = Σ[k < K] c k * f (L k)).
  { intros L f HL. rewrite (sum_ext n _ (fun i => Σ[k < K] c k * (one (L k) i * f i))).
    - rewrite sum_swap. apply sum_ext. intros k Hk. rewrite sum_scale. f_equal. apply only_one. auto.
    - intros i Hi. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros; ring. }
  assert (SI : Σ[i < n] weights y true alpha i = 1).
  { rewrite (sum_ext n _ (fun i => (Σ[k < K] c k * one (I k) i) * 1)) by (intros; rewrite WI; ring).
    rewrite (Pull I (fun _ => 1)) by (intros; apply HI; auto). transitivity (Σ[k < K] c k); [ apply sum_ext; intros; ring | exact Sc ]. }
  assert (SJ : Σ[i < n] weights y false alpha i = 1).
  { rewrite (sum_ext n _ (fun i => (Σ[k < K] c k * one (J k) i) * 1)) by (intros; rewrite WJ; ring).
    rewrite (Pull J (fun _ => 1)) by (intros; apply HJ; auto). transitivity (Σ[k < K] c k); [ apply sum_ext; intros; ring | exact Sc ]. }
  assert (Diff : forall j, difference alpha j = comb K c (fun k j => x (I k) j - x (J k) j) j).
  { intros j. unfold difference, plus, minus, mean, comb.
    rewrite (sum_ext n (fun i => weights y true alpha i * x i j) (fun i => (Σ[k < K] c k * one (I k) i) * x i j))
      by (intros; rewrite WI; ring).
    rewrite (sum_ext n (fun i => weights y false alpha i * x i j) (fun i => (Σ[k < K] c k * one (J k) i) * x i j))
      by (intros; rewrite WJ; ring).
    rewrite (Pull I (fun i => x i j)), (Pull J (fun i => x i j)) by (intros; try apply HI; try apply HJ; auto).
    rewrite (sum_ext K (fun k => c k * (x (I k) j - x (J k) j)) (fun k => c k * x (I k) j + -1 * (c k * x (J k) j)))
      by (intros; ring).
    rewrite sum_plus, sum_scale. ring. }
  exists alpha. split; [ split; [ | split; [ exact SI | exact SJ ] ] | ].
  - intros i Hi. unfold alpha. apply sum_nonneg. intros k Hk. apply Rmult_le_pos; [ auto | ].
    unfold one. destruct (Nat.eq_dec i (I k)), (Nat.eq_dec i (J k)); lra.
  - intros beta (Hb & Hp & Hq).
    set (eta := fun k => weights y true beta (k / n)%nat * weights y false beta (k mod n)%nat).
    assert (W0 : forall s i, (i < n)%nat -> 0 <= weights y s beta i)
      by (intros s i Hi; unfold weights; destruct (Bool.eqb (y i) s); [ auto | lra ]).
    assert (E0 : forall k, (k < K)%nat -> 0 <= eta k).
    { intros k Hk. unfold K in Hk. apply Rmult_le_pos; apply W0;
        [ apply Nat.div_lt_upper_bound; lia | apply Nat.mod_upper_bound; lia ]. }
    assert (S1 : Σ[k < K] eta k = 1).
    { unfold K, eta. rewrite (sum_pairs n n (fun i j => weights y true beta i * weights y false beta j)) by exact Hn.
      rewrite (sum_ext n _ (fun i => 1 * weights y true beta i)), sum_scale.
      - change (1 * (Σ[i < n] weights y true beta i) = 1). rewrite Hp. ring.
      - intros i Hi. rewrite sum_scale. change (weights y true beta i * (Σ[j < n] weights y false beta j) = 1 * weights y true beta i).
        rewrite Hq. ring. }
    assert (D1 : forall j, comb K eta (fun k j => x (I k) j - x (J k) j) j = difference beta j).
    { intros j. unfold comb.
      rewrite (sum_ext K _ (fun k => (fun i l => weights y true beta i * weights y false beta l * (x i j - x l j))
        (k / n)%nat (k mod n)%nat)).
      - unfold K. rewrite (sum_pairs n n (fun i l => weights y true beta i * weights y false beta l * (x i j - x l j)))
          by exact Hn.
        unfold difference, plus, minus, mean, comb.
        rewrite (sum_ext n _ (fun i => weights y true beta i * x i j +
          - (Σ[l < n] weights y false beta l * x l j) * weights y true beta i)).
        + rewrite sum_plus, sum_scale. change (sum n (fun i => weights y true beta i)) with (Σ[i < n] weights y true beta i).
          rewrite Hp. ring.
        + intros i Hi. rewrite (sum_ext n _ (fun l => weights y true beta i * x i j * weights y false beta l +
            - weights y true beta i * (weights y false beta l * x l j))) by (intros; ring).
          rewrite sum_plus, !sum_scale.
          change (sum n (fun l => weights y false beta l)) with (Σ[l < n] weights y false beta l). rewrite Hq. ring.
      - intros k Hk. unfold eta, I, J, valid, weights.
        destruct (y (k / n)) eqn:A, (y (k mod n)) eqn:B; simpl; ring. }
    specialize (Mc eta E0 S1). unfold norm in *.
    rewrite (dot_self_ext d _ _ (fun j _ => Diff j)), <- (dot_self_ext d _ _ (fun j _ => D1 j)). exact Mc.
Qed.

(** "are in the hull, so none of them is nearer to" the other end *)
Lemma never_nearer alpha k : nearest_pair alpha -> (k < n)%nat ->
  if y k then ⟨difference alpha, fun j => x k j - plus alpha j⟩ >= 0
  else ⟨difference alpha, fun j => x k j - minus alpha j⟩ <= 0.
Proof.
  intros [(Ha & Hp & Hq) M] Hk.
  assert (V : forall t, 0 < t <= 1 -> convex_weights (walk t k alpha)).
  { intros t T. split; [ | split; apply walk_sum; auto ]. intros i Hi. specialize (Ha i Hi). unfold walk.
    destruct (Bool.eqb (y i) (y k)); [ | exact Ha ]. destruct (Nat.eq_dec i k); nra. }
  assert (Sq : forall t, 0 < t <= 1 ->
    ⟨difference alpha, difference alpha⟩ <= ⟨difference (walk t k alpha), difference (walk t k alpha)⟩).
  { intros t T. rewrite <- !norm_sq. pose proof (norm_nonneg d (difference alpha)).
    specialize (M _ (V t T)). apply Rmult_le_compat; auto. }
  destruct (y k) eqn:Y.
  - apply Rle_ge, uphill. intros t T.
    rewrite (dot_self_ext d (fun j => difference alpha j + t * (x k j - plus alpha j)) (difference (walk t k alpha))); [ apply Sq, T | ].
    intros j Hj. unfold difference, plus, minus. rewrite !walk_mean, Y by exact Hk. simpl. ring.
  - assert (U : 0 <= ⟨difference alpha, fun j => -1 * (x k j - minus alpha j)⟩).
    { apply uphill. intros t T.
      rewrite (dot_self_ext d (fun j => difference alpha j + t * (-1 * (x k j - minus alpha j))) (difference (walk t k alpha))); [ apply Sq, T | ].
      intros j Hj. unfold difference, plus, minus. rewrite !walk_mean, Y by exact Hk. simpl. ring. }
    rewrite dot_scale_r in U. lra.
Qed.

Lemma margins_at_means alpha w b g : convex_weights alpha -> (forall i, (i < n)%nat -> m d x y w b i >= g) ->
  score d w b (plus alpha) >= g /\ - score d w b (minus alpha) >= g.
Proof.
  intros (Ha & Hp & Hq) H. unfold plus, minus. rewrite !score_of_mean by auto. split.
  - apply Rle_ge, worst_at_most_mean; auto. intros i Hi E. specialize (H i Hi). unfold m in H. rewrite E in H. lra.
  - replace (- (Σ[i < n] weights y false alpha i * score d w b (x i)))
      with (Σ[i < n] weights y false alpha i * - score d w b (x i)).
    + apply Rle_ge, worst_at_most_mean; auto. intros i Hi E. specialize (H i Hi). unfold m in H. rewrite E in H. lra.
    + rewrite (sum_ext n (fun i => _ * - _) (fun i => -1 * (weights y false alpha i * score d w b (x i))))
        by (intros; ring). rewrite sum_scale. ring.
Qed.

Lemma not_empty alpha : convex_weights alpha -> (0 < n)%nat.
Proof. unfold convex_weights. destruct n; [ simpl; intros (_ & H & _); lra | lia ]. Qed.

Lemma some_smallest w b : (0 < n)%nat -> exists g, smallest_margin d n x y w b g.
Proof.
  unfold smallest_margin. induction n as [ | k IH]; intros Hn; [ lia | ]. destruct (Nat.eq_dec k 0) as [-> | N].
  - exists (m d x y w b O). split; [ | exists O; auto ]. intros i Hi. replace i with O by lia. apply Rle_refl.
  - destruct (IH ltac:(lia)) as (g & L & i & Hi & E). destruct (Rle_dec g (m d x y w b k)) as [C | C].
    + exists g. split; [ | exists i; split; [ lia | exact E ] ].
      intros l Hl. destruct (Nat.eq_dec l k) as [-> | ]; [ exact C | apply L; lia ].
    + exists (m d x y w b k). split; [ | exists k; split; [ lia | reflexivity ] ].
      intros l Hl. destruct (Nat.eq_dec l k) as [-> | ]; [ lra | specialize (L l ltac:(lia)); lra ].
Qed.

Theorem thm_sv_hulls :
  (* a nearest pair exists *)
  ((exists i, (i < n)%nat /\ y i = true) -> (exists i, (i < n)%nat /\ y i = false) ->
     exists alpha, nearest_pair alpha) /\
  (* 1 *)
  (forall w b g alpha, ‖w‖ > 0 -> smallest_margin d n x y w b g -> convex_weights alpha ->
     g / ‖w‖ <= 1/2 * ‖(difference alpha)‖) /\
  (forall alpha, nearest_pair alpha ->
     let r := ‖(difference alpha)‖ in
     let wstar : vec := fun j => 2 * difference alpha j / r ^ 2 in
     let bstar := (‖(minus alpha)‖ ^ 2 - ‖(plus alpha)‖ ^ 2) / r ^ 2 in
     (* 2 *)
     (r > 0 ->
        (* the largest geometric margin is r/2, and this hyperplane has it *)
        ‖wstar‖ > 0 /\ (exists g, smallest_margin d n x y wstar bstar g /\ g / ‖wstar‖ = r / 2) /\
        (forall w b g, ‖w‖ > 0 -> smallest_margin d n x y w b g -> g / ‖w‖ <= r / 2) /\
        (* it is the unique shortest feasible one *)
        feasible wstar bstar /\
        forall w b, feasible w b ->
          ‖wstar‖ <= ‖w‖ /\ (‖w‖ <= ‖wstar‖ -> (forall j, (j < d)%nat -> w j = wstar j) /\ b = bstar)) /\
     (* 3 *)
     (separable <-> r > 0)).
Proof.
  assert (One : forall w b g alpha, ‖w‖ > 0 -> smallest_margin d n x y w b g -> convex_weights alpha ->
     g / ‖w‖ <= 1/2 * ‖(difference alpha)‖).
  { intros w b g alpha Hw Hm (Ha & Hp & Hq). apply (prop_hp_pair d n x y alpha w b g); auto. }
  split; [ exact nearest_pair_exists | split; [ exact One | ] ]. intros alpha Near r wstar bstar. destruct Near as [Hv M].
  set (D := difference alpha) in *. set (p := plus alpha) in *. set (q := minus alpha) in *.
  assert (ED : forall w b, score d w b p - score d w b q = ⟨w, D⟩)
    by (intros w b; unfold score, D, difference; fold p q; rewrite dot_minus_r; ring).
  (* "the hyperplane" *)
  assert (Good : r > 0 -> score d wstar bstar p = 1 /\ score d wstar bstar q = -1 /\ feasible wstar bstar).
  { intros R0. assert (N : r ^ 2 <> 0) by (assert (r * r > 0) by nra; lra).
    assert (RR : r ^ 2 = ⟨D, D⟩) by (unfold r; apply norm_pow2).
    assert (W : forall u, ⟨wstar, u⟩ = 2 / r ^ 2 * ⟨D, u⟩).
    { intros u. rewrite <- dot_scale. apply dot_ext. intros j Hj. unfold wstar. field; lra. }
    assert (DD : ⟨D, D⟩ = ⟨p, p⟩ - 2 * ⟨p, q⟩ + ⟨q, q⟩).
    { unfold D, difference. fold p q. rewrite dot_minus, !dot_minus_r, (dot_sym d q p). ring. }
    assert (Fp : score d wstar bstar p = 1).
    { unfold score, bstar. rewrite W. fold p q. rewrite (norm_pow2 d q), (norm_pow2 d p).
      replace ⟨D, p⟩ with (⟨p, p⟩ - ⟨p, q⟩) by (unfold D, difference; fold p q; rewrite dot_minus, (dot_sym d q p); ring).
      assert (G : 2 * (⟨p, p⟩ - ⟨p, q⟩) + (⟨q, q⟩ - ⟨p, p⟩) = r ^ 2) by (rewrite RR, DD; ring).
      replace (2 / r ^ 2 * (⟨p, p⟩ - ⟨p, q⟩) + (⟨q, q⟩ - ⟨p, p⟩) / r ^ 2)
        with ((2 * (⟨p, p⟩ - ⟨p, q⟩) + (⟨q, q⟩ - ⟨p, p⟩)) / r ^ 2) by (field; lra).
      rewrite G. field. lra. }
    assert (Fq : score d wstar bstar q = -1).
    { pose proof (ED wstar bstar) as E. rewrite Fp, W, <- RR in E.
      replace (2 / r ^ 2 * r ^ 2) with 2 in E by (field; lra). lra. }
    split; [ exact Fp | split; [ exact Fq | ] ]. intros k Hk.
    pose proof (never_nearer alpha k (conj Hv M) Hk) as U. fold D p q in U.
    assert (P2 : 2 / r ^ 2 > 0) by (apply Rdiv_lt_0_compat; [ lra | assert (r * r > 0) by nra; lra ]).
    unfold m. destruct (y k).
    - rewrite dot_minus_r in U. unfold score in *. rewrite W in *. nra.
    - rewrite dot_minus_r in U. unfold score in *. rewrite W in *. nra. }
  assert (Apart : forall w b, feasible w b -> 2 <= ⟨w, D⟩).
  { intros w b H. destruct (margins_at_means alpha w b 1 Hv H) as [A B]. fold p q in A, B. rewrite <- (ED w b). lra. }
  split; [ | split ].
  - intros R0. destruct (Good R0) as (Fp & Fq & Feasible).
    assert (N : r ^ 2 <> 0) by (assert (r * r > 0) by nra; lra).
    assert (RR : r ^ 2 = ⟨D, D⟩) by (unfold r; apply norm_pow2).
    assert (W : forall u, ⟨wstar, u⟩ = 2 / r ^ 2 * ⟨D, u⟩).
    { intros u. rewrite <- dot_scale. apply dot_ext. intros j Hj. unfold wstar. field; lra. }
    assert (WW : ⟨wstar, wstar⟩ = (2 / r) ^ 2).
    { rewrite W, dot_sym, W, <- RR. field. lra. }
    assert (Len : ‖wstar‖ = 2 / r).
    { unfold norm. rewrite WW. rewrite <- Rsqr_pow2. apply sqrt_Rsqr. apply Rlt_le, Rdiv_lt_0_compat; lra. }
    assert (Pos : ‖wstar‖ > 0) by (rewrite Len; apply Rdiv_lt_0_compat; lra).
    assert (All : forall w b g, ‖w‖ > 0 -> smallest_margin d n x y w b g -> g / ‖w‖ <= r / 2).
    { intros w b g Hw Hm. pose proof (One w b g alpha Hw Hm Hv) as O. fold D r in O. lra. }
    split; [ exact Pos | split; [ | split; [ exact All | split; [ exact Feasible | ] ] ] ].
    + pose proof (not_empty alpha Hv) as Hn. destruct (some_smallest wstar bstar Hn) as (g & Hg). exists g. split; [ exact Hg | ].
      pose proof (All wstar bstar g Pos Hg) as U. apply Rle_antisym; [ exact U | ].
      destruct Hg as [_ (i & Hi & ->)]. specialize (Feasible i Hi). rewrite Len.
      replace (m d x y wstar bstar i / (2 / r)) with (m d x y wstar bstar i * (r / 2)) by (field; lra). nra.
    + intros w b H. pose proof (Apart w b H) as A.
      assert (L : ⟨w, wstar⟩ >= (2 / r) ^ 2).
      { rewrite dot_sym, W, dot_sym. replace ((2 / r) ^ 2) with (2 / r ^ 2 * 2) by (field; lra).
        assert (P2 : 2 / r ^ 2 > 0) by (apply Rdiv_lt_0_compat; [ lra | assert (r * r > 0) by nra; lra ]). nra. }
      pose proof (cauchy_schwarz d w wstar) as CS. rewrite Len in *.
      assert (Q : 2 / r > 0) by (apply Rdiv_lt_0_compat; lra).
      split; [ nra | ]. intros Short.
      (* as short, hence the same *)
      assert (Z : ⟨fun j => w j - 1 * wstar j, fun j => w j - 1 * wstar j⟩ = 0).
      { apply Rle_antisym; [ | apply dot_self ]. rewrite less_square, WW, <- norm_sq.
        pose proof (norm_nonneg d w). nra. }
      assert (Same : forall j, (j < d)%nat -> w j = wstar j)
        by (intros j Hj; pose proof (dot_self_zero d _ Z j Hj) as E; cbv beta in E; lra).
      split; [ exact Same | ].
      destruct (margins_at_means alpha w b 1 Hv H) as [B1 B2]. fold p q in B1, B2.
      unfold score in *. rewrite !(dot_ext d w wstar _ Same) in *. lra.
  - intros (w & b & S0).
    assert (Z : ⟨w, D⟩ > 0).
    { rewrite <- (ED w b). pose proof (not_empty alpha Hv) as Hn.
      (* the smallest margin is positive, and the scores of the means are beyond it *)
      destruct (some_smallest w b Hn) as (g & L & i & Hi & E).
      assert (G : g > 0) by (rewrite E; auto).
      destruct (margins_at_means alpha w b g Hv) as [A B]; [ intros; apply Rle_ge, L; auto | ].
      fold p q in A, B. lra. }
    unfold r. pose proof (norm_nonneg d D). destruct (Req_dec ‖D‖ 0) as [E | E]; [ exfalso | lra ].
    pose proof (cauchy_schwarz d w D) as CS. rewrite E in CS. lra.
  - intros R0. destruct (Good R0) as (_ & _ & Feasible). exists wstar, bstar. intros i Hi. specialize (Feasible i Hi). lra.
Qed.

Theorem thm_sv_unique : separable ->
  (exists i, (i < n)%nat /\ y i = true) -> (exists i, (i < n)%nat /\ y i = false) ->
  exists wstar bstar,
    (* the one solution *)
    feasible wstar bstar /\
    (forall w b, feasible w b -> 1/2 * ‖wstar‖ ^ 2 <= 1/2 * ‖w‖ ^ 2) /\
    (forall w b, feasible w b -> 1/2 * ‖w‖ ^ 2 <= 1/2 * ‖wstar‖ ^ 2 ->
       (forall j, (j < d)%nat -> w j = wstar j) /\ b = bstar) /\
    ‖wstar‖ > 0 /\
    (forall s, exists i, (i < n)%nat /\ y i = s /\ m d x y wstar bstar i = 1) /\
    (* the largest geometric margin, of this hyperplane only *)
    (exists g, smallest_margin d n x y wstar bstar g /\ g / ‖wstar‖ = 1 / ‖wstar‖) /\
    forall w b g, ‖w‖ > 0 -> smallest_margin d n x y w b g ->
      g / ‖w‖ <= 1 / ‖wstar‖ /\
      (g / ‖w‖ = 1 / ‖wstar‖ -> exists lambda, lambda > 0 /\
         (forall j, (j < d)%nat -> w j = lambda * wstar j) /\ b = lambda * bstar).
Proof.
  intros Sep HY HN. destruct thm_sv_hulls as (Ex & _ & H). destruct (Ex HY HN) as (alpha & Near).
  destruct (H alpha Near) as [A B]. cbv zeta in A, B.
  set (r := ‖(difference alpha)‖) in *.
  set (wstar := fun j => 2 * difference alpha j / r ^ 2) in *.
  set (bstar := (‖(minus alpha)‖ ^ 2 - ‖(plus alpha)‖ ^ 2) / r ^ 2) in *.
  assert (R0 : r > 0) by (apply B, Sep). destruct (A R0) as (Pos & (g0 & Hg0 & Eg0) & All & Feasible & Best).
  pose proof Near as [Hv _].
  assert (Sq : forall w : vec, ‖w‖ ^ 2 <= ‖wstar‖ ^ 2 -> ‖w‖ <= ‖wstar‖).
  { intros w Q. pose proof (norm_nonneg d w). nra. }
  (* a sample of each class at margin one: the mean of its margins is one *)
  assert (Tight : forall s, exists i, (i < n)%nat /\ y i = s /\ m d x y wstar bstar i = 1).
  { intros s.
    destruct (margins_at_means alpha wstar bstar 1 Hv Feasible) as [L1 L2].
    (* both means are at distance one: else the scores would be farther apart than ⟨w*, D⟩ = 2 *)
    assert (W2 : score d wstar bstar (plus alpha) - score d wstar bstar (minus alpha) = 2).
    { unfold score. replace (⟨wstar, plus alpha⟩ + bstar - (⟨wstar, minus alpha⟩ + bstar))
        with ⟨wstar, difference alpha⟩ by (unfold difference; rewrite dot_minus_r; ring).
      assert (N : r <> 0) by lra.
      rewrite (dot_ext d wstar (fun j => 2 / r ^ 2 * difference alpha j)) by (intros; unfold wstar; field; exact N).
      rewrite dot_scale, <- norm_sq. fold r. field. exact N. }
    assert (Mean : Σ[i < n] weights y s alpha i * m d x y wstar bstar i = 1).
    { destruct s.
      - transitivity (score d wstar bstar (plus alpha)); [ | lra ]. unfold plus. rewrite score_of_mean by apply Hv.
        apply sum_ext. intros i Hi. unfold weights, m. destruct (y i); simpl; ring.
      - transitivity (-1 * score d wstar bstar (minus alpha)); [ | lra ]. unfold minus.
        rewrite score_of_mean by apply Hv. rewrite <- sum_scale.
        apply sum_ext. intros i Hi. unfold weights, m. destruct (y i); simpl; ring. }
    destruct Hv as (Ha & Hp & Hq).
    assert (W0 : forall i, (i < n)%nat -> 0 <= weights y s alpha i)
      by (intros i Hi; unfold weights; destruct (Bool.eqb (y i) s); [ auto | lra ]).
    assert (Sum : Σ[i < n] weights y s alpha i = 1) by (destruct s; assumption).
    assert (T : forall i, (i < n)%nat -> 0 <= weights y s alpha i * (m d x y wstar bstar i - 1)).
    { intros i Hi. specialize (Feasible i Hi). apply Rmult_le_pos; [ auto | lra ]. }
    assert (Z : Σ[i < n] weights y s alpha i * (m d x y wstar bstar i - 1) = 0).
    { rewrite (sum_ext n _ (fun i => weights y s alpha i * m d x y wstar bstar i + -1 * weights y s alpha i))
        by (intros; ring).
      rewrite sum_plus, sum_scale. change (sum n (fun i => weights y s alpha i)) with (Σ[i < n] weights y s alpha i).
      rewrite Mean, Sum. ring. }
    destruct (zero_or_not n (weights y s alpha)) as [None | (i & Hi & Ni)].
    - exfalso. rewrite (sum_ext n _ (fun i => 0 * 0)), sum_scale in Sum; [ lra | ]. intros i Hi. rewrite None by exact Hi. ring.
    - exists i. split; [ exact Hi | split ].
      + unfold weights in Ni. destruct (Bool.eqb (y i) s) eqn:E; [ apply Bool.eqb_prop in E; exact E | contradiction ].
      + pose proof (sum_zero n _ T Z i Hi) as F. cbv beta in F.
        assert (G : m d x y wstar bstar i - 1 = 0) by (apply Rmult_eq_reg_l with (weights y s alpha i); [ lra | exact Ni ]).
        lra. }
  (* ρ* = 1/‖w*‖ *)
  assert (Smallest : smallest_margin d n x y wstar bstar 1).
  { destruct (Tight true) as (i & Hi & _ & E). split; [ intros k Hk; apply Rge_le, Feasible; exact Hk | ].
    exists i. split; [ exact Hi | symmetry; exact E ]. }
  assert (Half : r / 2 = 1 / ‖wstar‖).
  { rewrite <- Eg0. f_equal. destruct Smallest as [L (i & Hi & E)], Hg0 as [L0 (k & Hk & E0)].
    apply Rle_antisym; [ rewrite E; apply L0; exact Hi | rewrite E0; apply L; exact Hk ]. }
  exists wstar, bstar. split; [ exact Feasible | split; [ | split; [ | split; [ exact Pos | split; [ exact Tight | split ] ] ] ] ].
  - intros w b Hw. destruct (Best w b Hw) as [Le _]. pose proof (norm_nonneg d wstar). nra.
  - intros w b Hw Short. apply (Best w b Hw). apply Sq. lra.
  - exists 1. split; [ exact Smallest | reflexivity ].
  - intros w b g Hw Hg. pose proof (All w b g Hw Hg) as U. rewrite Half in U. split; [ exact U | ]. intros E.
    assert (G : g > 0).
    { assert (P1 : 1 / ‖wstar‖ > 0) by (apply Rdiv_lt_0_compat; lra). rewrite <- E in P1.
      replace g with (g / ‖w‖ * ‖w‖) by (field; lra). apply Rmult_lt_0_compat; lra. }
    assert (I : / g > 0) by (apply Rinv_0_lt_compat; exact G).
    (* its canonical form is feasible and is as short *)
    assert (C : feasible (fun j => / g * w j) (/ g * b)).
    { intros i Hi. destruct Hg as [L _]. specialize (L i Hi).
      assert (M1 : m d x y (fun j => / g * w j) (/ g * b) i = / g * m d x y w b i).
      { unfold m, score. rewrite dot_scale. destruct (y i); ring. }
      rewrite M1. apply Rle_ge, Rmult_le_reg_l with g; [ exact G | ]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    assert (Len : norm d (fun j => / g * w j) = / g * ‖w‖).
    { unfold norm at 1. rewrite dot_scale, dot_scale_r, <- norm_sq.
      replace (/ g * (/ g * (‖w‖ * ‖w‖))) with ((/ g * ‖w‖) * (/ g * ‖w‖)) by ring. apply sqrt_square, Rmult_le_pos; lra. }
    destruct (Best _ _ C) as [_ Eq]. destruct Eq as [E1 E2].
    + rewrite Len. right. apply Rmult_eq_reg_l with (g / ‖w‖ * ‖wstar‖).
      * transitivity ‖wstar‖; [ field; split; lra | ]. rewrite E. field. lra.
      * rewrite E. replace (1 / ‖wstar‖ * ‖wstar‖) with 1 by (field; lra). lra.
    + exists g. split; [ exact G | split ].
      * intros j Hj. transitivity (g * (/ g * w j)); [ field; lra | f_equal; exact (E1 j Hj) ].
      * transitivity (g * (/ g * b)); [ field; lra | f_equal; exact E2 ].
Qed.

(** ** Dual variables that prove a hyperplane optimal *)
Definition certifies (alpha : nat -> R) (w : vec) (b : R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i) /\
  Σ[i < n] weights y true alpha i = Σ[i < n] weights y false alpha i /\
  (forall j, (j < d)%nat -> difference alpha j = w j) /\
  forall i, (i < n)%nat -> m d x y w b i > 1 -> alpha i = 0.

(** The solution: no feasible hyperplane has a shorter w, and no other one as short. *)
Definition optimal (w : vec) (b : R) : Prop := feasible w b /\
  forall w' b', feasible w' b' ->
    1/2 * ‖w‖ ^ 2 <= 1/2 * ‖w'‖ ^ 2 /\
    (1/2 * ‖w'‖ ^ 2 <= 1/2 * ‖w‖ ^ 2 -> (forall j, (j < d)%nat -> w' j = w j) /\ b' = b).

(** Margins, weighted by dual variables with the same total in both classes: the intercept drops out. *)
Lemma weighed alpha w b : Σ[i < n] weights y true alpha i = Σ[i < n] weights y false alpha i ->
  Σ[i < n] alpha i * m d x y w b i = ⟨w, difference alpha⟩.
Proof.
  intros E. unfold difference, plus, minus. rewrite dot_minus_r. unfold mean. rewrite !dot_comb.
  rewrite (sum_ext n (fun i => alpha i * m d x y w b i) (fun i =>
    (weights y true alpha i * ⟨w, x i⟩ + b * weights y true alpha i) +
    -1 * (weights y false alpha i * ⟨w, x i⟩ + b * weights y false alpha i))).
  - rewrite sum_plus, sum_scale, !sum_plus, !sum_scale.
    change (sum n (fun i => weights y true alpha i)) with (Σ[i < n] weights y true alpha i).
    change (sum n (fun i => weights y false alpha i)) with (Σ[i < n] weights y false alpha i).
    rewrite E. ring.
  - intros i Hi. unfold weights, m, score. destruct (y i); simpl; ring.
Qed.

Lemma total alpha : Σ[i < n] alpha i = (Σ[i < n] weights y true alpha i) + Σ[i < n] weights y false alpha i.
Proof. rewrite <- sum_plus. apply sum_ext. intros i Hi. unfold weights. destruct (y i); simpl; ring. Qed.

Theorem prop_sv_hold wstar bstar : separable ->
  (exists i, (i < n)%nat /\ y i = true) -> (exists i, (i < n)%nat /\ y i = false) ->
  optimal wstar bstar ->
  (* 1 *)
  (forall mu, nearest_pair mu -> certifies (fun i => 2 * mu i / ‖(difference mu)‖ ^ 2) wstar bstar) /\
  (* 2 *)
  (forall alpha w b, feasible w b -> certifies alpha w b -> (forall j, (j < d)%nat -> w j = wstar j) /\ b = bstar).
Proof.
  intros Sep HY HN [Feasible Best]. split.
  - intros mu Near. destruct thm_sv_hulls as (_ & _ & H). destruct (H mu Near) as [A B]. cbv zeta in A, B. clear H.
    set (r := ‖(difference mu)‖) in *. assert (R0 : r > 0) by (apply B, Sep). assert (N : r <> 0) by lra.
    destruct (A R0) as (_ & _ & _ & D0 & Best0). clear A B.
    (* the hyperplane of the pair is this one *)
    destruct (Best0 wstar bstar Feasible) as [L _]. destruct (Best _ _ D0) as [_ Same].
    assert (S0 : forall u v : vec, ‖u‖ <= ‖v‖ -> 1/2 * ‖u‖ ^ 2 <= 1/2 * ‖v‖ ^ 2)
      by (intros u v Q; pose proof (norm_nonneg d u); nra).
    destruct (Same (S0 _ _ L)) as [Ew _].
    assert (P2 : 2 / r ^ 2 > 0) by (apply Rdiv_lt_0_compat; [ lra | assert (r * r > 0) by nra; lra ]).
    set (alpha := fun i => 2 * mu i / r ^ 2).
    assert (Al : forall i, alpha i = 2 / r ^ 2 * mu i) by (intros; unfold alpha; field; exact N).
    assert (We : forall s i, weights y s alpha i = 2 / r ^ 2 * weights y s mu i)
      by (intros s i; unfold weights; rewrite Al; destruct (Bool.eqb (y i) s); ring).
    assert (Tot : forall s, Σ[i < n] weights y s alpha i = 2 / r ^ 2 * Σ[i < n] weights y s mu i)
      by (intros s; rewrite <- sum_scale; apply sum_ext; intros; apply We).
    assert (Df : forall j, difference alpha j = 2 / r ^ 2 * difference mu j).
    { intros j. unfold difference, plus, minus, mean, comb.
      rewrite (sum_ext n (fun i => weights y true alpha i * x i j) (fun i => 2 / r ^ 2 * (weights y true mu i * x i j)))
        by (intros; rewrite We; ring).
      rewrite (sum_ext n (fun i => weights y false alpha i * x i j) (fun i => 2 / r ^ 2 * (weights y false mu i * x i j)))
        by (intros; rewrite We; ring).
      rewrite !sum_scale. ring. }
    destruct Near as [(Hm & Hp & Hq) _].
    assert (Eq : Σ[i < n] weights y true alpha i = Σ[i < n] weights y false alpha i) by (rewrite !Tot, Hp, Hq; reflexivity).
    assert (A0 : forall i, (i < n)%nat -> 0 <= alpha i)
      by (intros i Hi; rewrite Al; apply Rmult_le_pos; [ lra | auto ]).
    assert (Ed : forall j, (j < d)%nat -> difference alpha j = wstar j).
    { intros j Hj. rewrite <- (Ew j Hj), Df. field. exact N. }
    split; [ exact A0 | split; [ exact Eq | split; [ exact Ed | ] ] ].
    (* the weighted mean of the margins is one *)
    assert (T : forall i, (i < n)%nat -> 0 <= alpha i * (m d x y wstar bstar i - 1)).
    { intros i Hi. specialize (Feasible i Hi). apply Rmult_le_pos; [ auto | lra ]. }
    assert (Z : Σ[i < n] alpha i * (m d x y wstar bstar i - 1) = 0).
    { rewrite (sum_ext n _ (fun i => alpha i * m d x y wstar bstar i + -1 * alpha i)) by (intros; ring).
      rewrite sum_plus, sum_scale, weighed by exact Eq.
      change (sum n (fun i => alpha i)) with (Σ[i < n] alpha i). rewrite total, !Tot, Hp, Hq.
      rewrite (dot_ext d wstar (difference alpha)) by (intros; symmetry; auto).
      rewrite (dot_ext d (difference alpha) (fun j => 2 / r ^ 2 * difference mu j)) by (intros; apply Df).
      rewrite (dot_ext_r d (difference alpha) (fun j => 2 / r ^ 2 * difference mu j)) by (intros; apply Df).
      rewrite dot_scale, dot_scale_r, <- norm_sq. fold r. field. exact N. }
    intros i Hi M. pose proof (sum_zero n _ T Z i Hi) as F. cbv beta in F.
    apply Rmult_eq_reg_r with (m d x y wstar bstar i - 1); lra.
  - intros alpha w b Hw (A0 & Eq & Ed & Tight). apply (Best w b Hw).
    assert (W : forall u : vec, ⟨u, difference alpha⟩ = ⟨u, w⟩) by (intros; apply dot_ext_r; exact Ed).
    (* along w no feasible hyperplane has a shorter w *)
    assert (L1 : Σ[i < n] alpha i <= ⟨wstar, w⟩).
    { rewrite <- W, <- (weighed alpha wstar bstar Eq). apply sum_le. intros i Hi.
      specialize (Feasible i Hi). specialize (A0 i Hi). nra. }
    assert (L2 : Σ[i < n] alpha i = ⟨w, w⟩).
    { rewrite <- W, <- (weighed alpha w b Eq). apply sum_ext. intros i Hi.
      specialize (Hw i Hi). destruct (Req_dec (m d x y w b i) 1) as [E | E]; [ rewrite E; ring | ].
      rewrite (Tight i Hi) by lra. ring. }
    pose proof (cauchy_schwarz d wstar w) as CS. rewrite <- norm_sq in L2.
    pose proof (norm_nonneg d w) as N1. pose proof (norm_nonneg d wstar) as N2.
    assert (Le : ‖w‖ <= ‖wstar‖).
    { destruct (Rle_dec ‖w‖ ‖wstar‖) as [ok | No]; [ exact ok | exfalso ]. nra. }
    nra.
Qed.
End Hulls.
