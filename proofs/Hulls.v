(** * Lesson 9: thm-sv-hulls *)
From LinearClassification Require Import Vectors Nearest Means.

Section Hulls.
(** [y i] is true for the label +1, false for -1. *)
Variables (d n : nat) (x : nat -> vec) (y : nat -> bool).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖" := (norm d a) (a at level 9).

(** A vote: weights that sum to one in each class. It names a point of each hull, and every pair of such points. *)
Definition vote (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i) /\
  Σ[i < n] weights y true alpha i = 1 /\ Σ[i < n] weights y false alpha i = 1.
Definition plus (alpha : nat -> R) : vec := mean n x y true alpha.
Definition minus (alpha : nat -> R) : vec := mean n x y false alpha.
Definition difference (alpha : nat -> R) : vec := fun j => plus alpha j - minus alpha j.
Definition nearest_pair (alpha : nat -> R) : Prop :=
  vote alpha /\ forall beta, vote beta -> ‖(difference alpha)‖ <= ‖(difference beta)‖.

Definition meets_demands (w : vec) (b : R) : Prop := forall i, (i < n)%nat -> m d x y w b i >= 1.
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

(** "Means of means are means, so the walk stays in the hull and never comes nearer" *)
Lemma never_nearer alpha k : nearest_pair alpha -> (k < n)%nat ->
  if y k then ⟨difference alpha, fun j => x k j - plus alpha j⟩ >= 0
  else ⟨difference alpha, fun j => x k j - minus alpha j⟩ <= 0.
Proof.
  intros [(Ha & Hp & Hq) M] Hk.
  assert (V : forall t, 0 < t <= 1 -> vote (walk t k alpha)).
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

Lemma demands_at_means alpha w b g : vote alpha -> (forall i, (i < n)%nat -> m d x y w b i >= g) ->
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

Lemma not_empty alpha : vote alpha -> (0 < n)%nat.
Proof. unfold vote. destruct n; [ simpl; intros (_ & H & _); lra | lia ]. Qed.

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
  (* 1 *)
  (forall w b g alpha, ‖w‖ > 0 -> smallest_margin d n x y w b g -> vote alpha ->
     g / ‖w‖ <= 1/2 * ‖(difference alpha)‖) /\
  (forall alpha, nearest_pair alpha ->
     let r := ‖(difference alpha)‖ in
     let wstar : vec := fun j => 2 * difference alpha j / r ^ 2 in
     let bstar := (‖(minus alpha)‖ ^ 2 - ‖(plus alpha)‖ ^ 2) / r ^ 2 in
     (* 2 *)
     (r > 0 ->
        (* the largest geometric margin is r/2, and the plane has it *)
        ‖wstar‖ > 0 /\ (exists g, smallest_margin d n x y wstar bstar g /\ g / ‖wstar‖ = r / 2) /\
        (forall w b g, ‖w‖ > 0 -> smallest_margin d n x y w b g -> g / ‖w‖ <= r / 2) /\
        (* it is the one shortest that meets the demands *)
        meets_demands wstar bstar /\
        forall w b, meets_demands w b ->
          ‖wstar‖ <= ‖w‖ /\ (‖w‖ <= ‖wstar‖ -> (forall j, (j < d)%nat -> w j = wstar j) /\ b = bstar)) /\
     (* 3 *)
     (separable <-> r > 0)).
Proof.
  assert (One : forall w b g alpha, ‖w‖ > 0 -> smallest_margin d n x y w b g -> vote alpha ->
     g / ‖w‖ <= 1/2 * ‖(difference alpha)‖).
  { intros w b g alpha Hw Hm (Ha & Hp & Hq). apply (prop_hp_pair d n x y alpha w b g); auto. }
  split; [ exact One | ]. intros alpha Near r wstar bstar. destruct Near as [Hv M].
  set (D := difference alpha) in *. set (p := plus alpha) in *. set (q := minus alpha) in *.
  assert (ED : forall w b, score d w b p - score d w b q = ⟨w, D⟩)
    by (intros w b; unfold score, D, difference; fold p q; rewrite dot_minus_r; ring).
  (* "the plane" *)
  assert (Good : r > 0 -> score d wstar bstar p = 1 /\ score d wstar bstar q = -1 /\ meets_demands wstar bstar).
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
  assert (Apart : forall w b, meets_demands w b -> 2 <= ⟨w, D⟩).
  { intros w b H. destruct (demands_at_means alpha w b 1 Hv H) as [A B]. fold p q in A, B. rewrite <- (ED w b). lra. }
  split; [ | split ].
  - intros R0. destruct (Good R0) as (Fp & Fq & Demands).
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
    split; [ exact Pos | split; [ | split; [ exact All | split; [ exact Demands | ] ] ] ].
    + pose proof (not_empty alpha Hv) as Hn. destruct (some_smallest wstar bstar Hn) as (g & Hg). exists g. split; [ exact Hg | ].
      pose proof (All wstar bstar g Pos Hg) as U. apply Rle_antisym; [ exact U | ].
      destruct Hg as [_ (i & Hi & ->)]. specialize (Demands i Hi). rewrite Len.
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
      destruct (demands_at_means alpha w b 1 Hv H) as [B1 B2]. fold p q in B1, B2.
      unfold score in *. rewrite !(dot_ext d w wstar _ Same) in *. lra.
  - intros (w & b & S0).
    assert (Z : ⟨w, D⟩ > 0).
    { rewrite <- (ED w b). pose proof (not_empty alpha Hv) as Hn.
      (* the smallest margin is positive, and the scores of the means are beyond it *)
      destruct (some_smallest w b Hn) as (g & L & i & Hi & E).
      assert (G : g > 0) by (rewrite E; auto).
      destruct (demands_at_means alpha w b g Hv) as [A B]; [ intros; apply Rle_ge, L; auto | ].
      fold p q in A, B. lra. }
    unfold r. pose proof (norm_nonneg d D). destruct (Req_dec ‖D‖ 0) as [E | E]; [ exfalso | lra ].
    pose proof (cauchy_schwarz d w D) as CS. rewrite E in CS. lra.
  - intros R0. destruct (Good R0) as (_ & _ & Demands). exists wstar, bstar. intros i Hi. specialize (Demands i Hi). lra.
Qed.
End Hulls.
