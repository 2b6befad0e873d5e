(** * Lesson 3d: thm-slow, cor-slow *)
From LinearClassification Require Import Vectors Perceptron Margin.

(** Whichever mistakes are picked, there are exactly T updates: no run has more, and the state after k of
    them separates if and only if k = T. (Where a state does not separate, some sample is a mistake.) *)
Definition every_order_makes (p n : nat) (z : nat -> vec) (T : nat) : Prop :=
  forall i a k, run p n z i a k -> (k <= T)%nat /\ (separating p n z (a k) <-> k = T).

(** Terms that are zero from m on *)
Lemma sum_beyond m n f : (m <= n)%nat -> (forall i, (m <= i < n)%nat -> f i = 0) -> sum n f = sum m f.
Proof.
  induction n; intros H Z; [ replace m with O by lia; reflexivity | ].
  destruct (Nat.eq_dec m (S n)) as [-> | ]; [ reflexivity | ]. simpl.
  rewrite IHn, (Z n) by (intros; try apply Z; lia). ring.
Qed.

Lemma sum_natural n f : (forall i, (i < n)%nat -> exists N, f i = INR N) -> exists N, sum n f = INR N.
Proof.
  induction n; intros H; [ exists O; reflexivity | ].
  destruct (IHn ltac:(auto)) as [N E]. destruct (H n ltac:(lia)) as [M F].
  exists (N + M)%nat. simpl. rewrite E, F, plus_INR. reflexivity.
Qed.

Lemma sum_integer n f : (forall i, (i < n)%nat -> exists N, f i = IZR N) -> exists N, sum n f = IZR N.
Proof.
  induction n; intros H; [ exists 0%Z; reflexivity | ].
  destruct (IHn ltac:(auto)) as [N E]. destruct (H n ltac:(lia)) as [M F].
  exists (N + M)%Z. simpl. rewrite E, F, plus_IZR. reflexivity.
Qed.

Section Slow.
(** l j i are the integers that may not be negative, sign i the signs of the coordinates. *)
Variables (p : nat) (l : nat -> nat -> nat) (sign : nat -> R).
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).

Definition z (j : nat) : vec := fun i =>
  sign i * (if Nat.eq_dec i j then 1 else if lt_dec i j then - INR (l j i) else 0).

Section Proof.
Variable u : vec.

(** "assume it undone" *)
Definition undone (a : vec) : vec := fun i => sign i * a i.

Lemma score a j : (j < p)%nat ->
  ⟨a, z j⟩ = undone a j - Σ[i < j] INR (l j i) * undone a i.
Proof.
  intros Hj. unfold dot.
  rewrite (sum_beyond (S j) p) by (try lia; intros i Hi; unfold z;
    destruct (Nat.eq_dec i j), (lt_dec i j); try lia; ring).
  rewrite sum_S. unfold z at 2. destruct (Nat.eq_dec j j) as [_ | N]; [ | contradiction ].
  rewrite (sum_ext j _ (fun i => -1 * (INR (l j i) * undone a i))).
  - rewrite sum_scale. unfold undone. ring.
  - intros i Hi. unfold z, undone. destruct (Nat.eq_dec i j), (lt_dec i j); try lia. ring.
Qed.

Lemma sums_le j (f g : vec) : (forall i, (i < j)%nat -> f i <= g i) ->
  Σ[i < j] INR (l j i) * f i <= Σ[i < j] INR (l j i) * g i.
Proof. intros H. apply sum_le. intros i Hi. apply Rmult_le_compat_l; [ apply pos_INR | auto ]. Qed.

Definition signs : Prop := forall i, (i < p)%nat -> sign i = 1 \/ sign i = -1.
Definition solves : Prop := forall j, (j < p)%nat -> ⟨u, z j⟩ = 1.

(** "The equations ... give positive integers" *)
Lemma positive : solves -> forall j, (j < p)%nat -> exists N, undone u j = INR (S N).
Proof.
  intros Hu j. induction j as [j IH] using lt_wf_ind. intros Hj.
  specialize (Hu j Hj). rewrite score in Hu by exact Hj.
  destruct (sum_natural j (fun i => INR (l j i) * undone u i)) as [N E].
  - intros i Hi. destruct (IH i Hi ltac:(lia)) as [N E]. exists (l j i * S N)%nat. rewrite E, mult_INR. reflexivity.
  - exists N. rewrite S_INR, <- E. lra.
Qed.

(** "Let v be any vector with Zv ≥ 1 ... by induction" *)
Lemma not_below v : solves -> (forall j, (j < p)%nat -> ⟨v, z j⟩ >= 1) ->
  forall j, (j < p)%nat -> undone u j <= undone v j.
Proof.
  intros Hu Hv j. induction j as [j IH] using lt_wf_ind. intros Hj.
  specialize (Hu j Hj). specialize (Hv j Hj). rewrite score in Hu, Hv by exact Hj.
  pose proof (sums_le j (undone u) (undone v)) as L. specialize (L ltac:(intros; apply IH; lia)). lra.
Qed.

(** "The walk consists of integer vectors. It never passes u in any coordinate" *)
Lemma walk i a k : signs -> solves -> run p p z i a k ->
  forall j, (j < p)%nat -> (exists N, undone (a k) j = IZR N) /\ undone (a k) j <= undone u j.
Proof.
  intros Hs Hu. induction k; intros Hr j Hj.
  - destruct Hr as [H0 _]. unfold undone at 1 2. rewrite H0. split; [ exists 0%Z; ring | ].
    destruct (positive Hu j Hj) as [N ->]. pose proof (pos_INR (S N)). lra.
  - assert (Hk := IHk (shorter p p z i a (S k) k Hr ltac:(lia))).
    destruct Hr as [_ H]. destruct (H k ltac:(lia)) as (Hq & Hm & U). set (q := i (S k)) in *.
    rewrite score in Hm by exact Hq.
    assert (E : undone (a (S k)) j = undone (a k) j
              + (if Nat.eq_dec j q then 1 else if lt_dec j q then - INR (l q j) else 0)).
    { unfold undone. rewrite U. unfold z. destruct (Hs j Hj) as [-> | ->]; ring. }
    destruct (Hk j Hj) as [[N EN] B]. rewrite E. destruct (Nat.eq_dec j q) as [-> | Nq].
    + split; [ exists (N + 1)%Z; rewrite EN, plus_IZR; reflexivity | ].
      pose proof (sums_le q (undone (a k)) (undone u)) as L.
      specialize (L ltac:(intros; apply Hk; lia)).
      pose proof (Hu q Hq) as Uq. rewrite score in Uq by exact Hq. lra.
    + destruct (lt_dec j q).
      * split; [ exists (N - Z.of_nat (l q j))%Z; rewrite EN, minus_IZR, <- INR_IZR_INZ; ring | ].
        pose proof (pos_INR (l q j)). lra.
      * split; [ exists N; rewrite EN; ring | lra ].
Qed.

(** "Count." Each update adds one to ⟨a, u⟩. *)
Lemma updates_counted i a k : solves -> run p p z i a k -> ⟨a k, u⟩ = INR k.
Proof.
  intros Hu. induction k; intros Hr.
  - rewrite (start p p z i a O) by exact Hr. reflexivity.
  - rewrite (update p p z i a (S k) k u Hr ltac:(lia)), IHk by (apply (shorter p p z i a (S k)); auto).
    destruct Hr as [_ H]. destruct (H k ltac:(lia)) as (Hq & _).
    rewrite dot_sym, Hu, S_INR by exact Hq. reflexivity.
Qed.

Lemma undone_dot a b : signs -> ⟨a, b⟩ = ⟨undone a, undone b⟩.
Proof.
  intros Hs. apply sum_ext. intros i Hi. unfold undone. destruct (Hs i Hi) as [-> | ->]; ring.
Qed.

Lemma undone_eq a b : signs -> (forall j, (j < p)%nat -> undone a j = undone b j) ->
  forall j, (j < p)%nat -> a j = b j.
Proof.
  intros Hs H j Hj. specialize (H j Hj). unfold undone in H. destruct (Hs j Hj) as [E | E]; rewrite E in H; lra.
Qed.

(** "It cannot stop below u": an integer vector with Za > 0 has Za ≥ 1. *)
Lemma stops_at_u i a k : signs -> solves -> run p p z i a k -> separating p p z (a k) ->
  forall j, (j < p)%nat -> a k j = u j.
Proof.
  intros Hs Hu Hr Sep. pose proof (walk i a k Hs Hu Hr) as W. apply undone_eq; [ exact Hs | ].
  intros j Hj. apply Rle_antisym; [ apply W; exact Hj | ]. apply not_below; [ exact Hu | | exact Hj ].
  intros q Hq. specialize (Sep q Hq). rewrite score in * by exact Hq.
  destruct (sum_integer q (fun t => INR (l q t) * undone (a k) t)) as [M EM].
  { intros t Ht. destruct (W t ltac:(lia)) as [[N E] _]. exists (Z.of_nat (l q t) * N)%Z.
    rewrite E, mult_IZR, <- INR_IZR_INZ. reflexivity. }
  destruct (W q Hq) as [[N E] _]. rewrite E, EM in *. rewrite <- minus_IZR in *.
  apply Rgt_lt, lt_IZR in Sep. apply IZR_ge. lia.
Qed.
End Proof.

Theorem thm_slow u :
  (forall i, (i < p)%nat -> sign i = 1 \/ sign i = -1) ->
  (forall j, (j < p)%nat -> ⟨u, z j⟩ = 1) ->
  (exists T, INR T = ‖u‖ ^ 2 /\ every_order_makes p p z T /\
     forall i a, run p p z i a T -> forall j, (j < p)%nat -> a T j = u j) /\
  ((0 < p)%nat -> exists gammastar,
     best_margin p p z gammastar /\ 1 / gammastar = ‖u‖ /\
     forall bigR, (bigR / gammastar) ^ 2 = bigR ^ 2 * ‖u‖ ^ 2).
Proof.
  intros Hs Hu.
  assert (Sep : forall a, (forall j, (j < p)%nat -> a j = u j) -> separating p p z a).
  { intros a H i Hi. rewrite (dot_ext p a u) by exact H. rewrite Hu by exact Hi. lra. }
  split.
  - destruct (sum_natural p (fun j => undone u j * undone u j)) as [T ET].
    { intros j Hj. destruct (positive u Hu j Hj) as [N E]. exists (S N * S N)%nat. rewrite E, mult_INR. reflexivity. }
    assert (EU : ⟨u, u⟩ = INR T) by (rewrite undone_dot by exact Hs; exact ET).
    (* what is missing from u, weighed with u, is the number of updates to come *)
    assert (Left : forall i a k, run p p z i a k ->
      INR T - INR k = Σ[j < p] (undone u j - undone (a k) j) * undone u j).
    { intros i a k Hr. rewrite <- (updates_counted u i a k Hu Hr), <- EU, (undone_dot u u Hs), (undone_dot (a k) u Hs), <- dot_minus.
      reflexivity. }
    assert (Pos : forall i a k, run p p z i a k -> forall j, (j < p)%nat ->
      0 <= (undone u j - undone (a k) j) * undone u j).
    { intros i a k Hr j Hj. destruct (walk u i a k Hs Hu Hr j Hj) as [_ B].
      destruct (positive u Hu j Hj) as [N E]. pose proof (pos_INR (S N)). apply Rmult_le_pos; lra. }
    assert (End : forall i a, run p p z i a T -> forall j, (j < p)%nat -> a T j = u j).
    { intros i a Hr. apply undone_eq; [ exact Hs | ]. intros j Hj.
      pose proof (Left i a T Hr) as L.
      pose proof (sum_zero p _ (Pos i a T Hr) ltac:(lra) j Hj) as Z. cbv beta in Z.
      destruct (positive u Hu j Hj) as [N E]. rewrite E in *. rewrite S_INR in *. pose proof (pos_INR N). nra. }
    exists T. split; [ rewrite norm_pow2; auto | split; [ | exact End ] ].
    intros i a k Hr. split; [ | split ].
    + apply INR_le. pose proof (Left i a k Hr) as L.
      pose proof (sum_nonneg p _ (Pos i a k Hr)). lra.
    + intros S0. pose proof (stops_at_u u i a k Hs Hu Hr S0) as E.
      apply INR_eq. rewrite <- (updates_counted u i a k Hu Hr), (dot_ext p _ u) by exact E. exact EU.
    + intros ->. apply Sep, (End i a Hr).
  - intros Hp.
    assert (N : ‖u‖ > 0).
    { pose proof (norm_nonneg p u). destruct (Req_dec ‖u‖ 0) as [Z | N]; [ exfalso | lra ].
      assert (D : ⟨u, u⟩ = 0) by (rewrite <- norm_sq, Z; ring).
      pose proof (Hu O Hp) as E. rewrite dot_zero in E by (apply dot_self_zero; exact D). lra. }
    assert (I : / ‖u‖ > 0) by (apply Rinv_0_lt_compat; exact N).
    exists (/ ‖u‖). split; [ | split; [ field; lra | intros; field; lra ] ]. split.
    + exists (fun j => / ‖u‖ * u j). split; [ | split ].
      * unfold norm at 1. rewrite dot_scale, dot_scale_r, <- norm_sq.
        replace (/ ‖u‖ * (/ ‖u‖ * (‖u‖ * ‖u‖))) with 1 by (field; lra). rewrite sqrt_1. lra.
      * intros i Hi. rewrite dot_scale, Hu by exact Hi. lra.
      * exists O. split; [ exact Hp | ]. rewrite dot_scale, Hu by exact Hp. ring.
    + (* "Every v with γ(v) ≥ 1 has v ≥ u ≥ 0" *)
      intros a m Ha [Hm _]. destruct (Rle_dec m 0) as [M0 | M0]; [ lra | ].
      assert (Im : / m > 0) by (apply Rinv_0_lt_compat; lra).
      assert (V : forall j, (j < p)%nat -> undone u j <= undone (fun j => / m * a j) j).
      { apply not_below; [ exact Hu | ]. intros j Hj. rewrite dot_scale. specialize (Hm j Hj).
        apply Rle_ge. apply Rmult_le_reg_l with m; [ lra | ]. rewrite <- Rmult_assoc, Rinv_r; lra. }
      assert (Q : ⟨u, u⟩ <= ⟨fun j => / m * a j, fun j => / m * a j⟩).
      { rewrite (undone_dot u u Hs), (undone_dot (fun j => / m * a j) _ Hs). apply sum_le. intros j Hj. specialize (V j Hj).
        destruct (positive u Hu j Hj) as [K E]. rewrite E in *. pose proof (pos_INR (S K)).
        apply Rmult_le_compat; lra. }
      rewrite dot_scale, dot_scale_r, <- !norm_sq in Q. pose proof (norm_nonneg p a) as Na.
      assert (X : ‖u‖ * m <= 1).
      { apply Rsqr_incr_0_var; [ unfold Rsqr | lra ].
        replace (‖u‖ * m * (‖u‖ * m)) with (‖u‖ * ‖u‖ * (m * m)) by ring.
        apply Rle_trans with (/ m * (/ m * (‖a‖ * ‖a‖)) * (m * m)).
        - apply Rmult_le_compat_r; [ nra | exact Q ].
        - replace (/ m * (/ m * (‖a‖ * ‖a‖)) * (m * m)) with (‖a‖ * ‖a‖) by (field; lra). nra. }
      apply Rmult_le_reg_l with ‖u‖; [ exact N | ]. rewrite Rinv_r; lra.
Qed.
End Slow.

(** ** Two slow families. The samples and coordinates are numbered from 0. *)
Definition first (j : nat) : vec := fun i =>
  if Nat.eq_dec i j then 1 else if lt_dec i j then -1 else 0.

(** 1 at j and at j-1, j-3, j-5, ...; the labels alternate *)
Definition second (j : nat) : vec := fun i =>
  if Nat.eq_dec i j then 1 else if lt_dec i j then if Nat.odd (j - i) then 1 else 0 else 0.
Definition alternating (j : nat) : R := (-1) ^ j.

Fixpoint F (k : nat) : nat :=
  match k with O => 0 | S m => match m with O => 1 | S r => F m + F r end end.
Definition phi : R := (1 + sqrt 5) / 2.

Lemma every_order_ext p n z z' T : (forall j i, z j i = z' j i) ->
  every_order_makes p n z T -> every_order_makes p n z' T.
Proof.
  intros E H i a k Hr.
  assert (D : forall b j, dot p b (z j) = dot p b (z' j)) by (intros; apply sum_ext; intros; rewrite E; reflexivity).
  destruct (H i a k) as [B S].
  - destruct Hr as [H0 Hr]. split; [ exact H0 | ]. intros m Hm. destruct (Hr m Hm) as (Hi & Hs & U).
    rewrite D. split; [ exact Hi | split; [ exact Hs | intros; rewrite E; apply U ] ].
  - split; [ exact B | ]. rewrite <- S. unfold separating.
    split; intros Q j Hj; [ rewrite D | rewrite <- D ]; auto.
Qed.

Lemma powers j : Σ[i < j] 1 * 2 ^ i = 2 ^ j - 1.
Proof. induction j; [ simpl; lra | rewrite sum_S, IHj; simpl; lra ]. Qed.

Lemma F_SS k : F (S (S k)) = (F (S k) + F k)%nat.
Proof. reflexivity. Qed.

Lemma F_sum j : Σ[i < j] INR (if Nat.odd (j - i) then 1 else 0) * INR (F (S (S i))) = INR (F (S (S j))) - 1.
Proof.
  induction j as [j IH] using lt_wf_ind. destruct j as [ | [ | j]]; [ simpl; ring | simpl; ring | ].
  rewrite !sum_S.
  rewrite (sum_ext j _ (fun i => INR (if Nat.odd (j - i) then 1 else 0) * INR (F (S (S i))))).
  - rewrite IH by lia.
    replace (S (S j) - j)%nat with 2%nat by lia. replace (S (S j) - S j)%nat with 1%nat by lia.
    rewrite (F_SS (S (S j))), plus_INR.
    change (Nat.odd 2) with false. change (Nat.odd 1) with true. cbv iota. simpl (INR 1). simpl (INR 0). ring.
  - intros i Hi. replace (S (S j) - i)%nat with (S (S (j - i))) by lia. reflexivity.
Qed.

Lemma F_squares d : Σ[j < d] INR (F (S (S j))) * INR (F (S (S j))) = INR (F (d + 1) * F (d + 2)) - 1.
Proof.
  induction d as [ | d IH]; [ simpl; ring | ]. rewrite sum_S, IH.
  replace (S d + 1)%nat with (S (S d)) by lia. replace (S d + 2)%nat with (S (S (S d))) by lia.
  replace (d + 1)%nat with (S d) by lia. replace (d + 2)%nat with (S (S d)) by lia.
  rewrite (F_SS (S d)), !mult_INR, plus_INR. ring.
Qed.

Lemma phi_square : phi * phi = phi + 1.
Proof. unfold phi. assert (S : sqrt 5 * sqrt 5 = 5) by (apply sqrt_sqrt; lra). nra. Qed.

Lemma phi_above : phi > 1.
Proof.
  unfold phi. assert (S : sqrt 5 * sqrt 5 = 5) by (apply sqrt_sqrt; lra). pose proof (sqrt_pos 5). nra.
Qed.

Lemma F_phi k : phi ^ k <= INR (F (S (S k))) /\ INR (F (S k)) <= phi ^ k.
Proof.
  pose proof phi_square as Q. pose proof phi_above as A.
  induction k as [k IH] using lt_wf_ind. destruct k as [ | [ | k]]; [ simpl; lra | simpl; nra | ].
  destruct (IH (S k) ltac:(lia)) as [L1 U1]. destruct (IH k ltac:(lia)) as [L0 U0].
  assert (E : phi ^ S (S k) = phi ^ S k + phi ^ k).
  { change (phi ^ S (S k)) with (phi * (phi * phi ^ k)). change (phi ^ S k) with (phi * phi ^ k).
    replace (phi * (phi * phi ^ k)) with (phi * phi * phi ^ k) by ring. rewrite Q. ring. }
  rewrite E. split.
  - rewrite (F_SS (S (S k))), plus_INR. lra.
  - rewrite (F_SS (S k)), plus_INR. lra.
Qed.

Theorem cor_slow d :
  (exists T, (3 * T + 1 = 4 ^ d)%nat /\ every_order_makes d d first T) /\
  (exists T, (T + 1 = F (d + 1) * F (d + 2))%nat /\
     every_order_makes d d (fun j i => alternating j * second j i) T) /\
  (* it grows like phi^(2d) *)
  phi ^ (2 * d) <= phi * INR (F (d + 1) * F (d + 2)) /\ INR (F (d + 1) * F (d + 2)) <= phi * phi ^ (2 * d).
Proof.
  split; [ | split ].
  - set (u := fun j : nat => 2 ^ j).
    assert (U : forall a, undone (fun _ => 1) a = fun i => 1 * a i) by reflexivity.
    destruct (thm_slow d (fun _ _ => 1%nat) (fun _ => 1) u) as [(T & ET & Every & _) _].
    + intros; left; reflexivity.
    + intros j Hj. rewrite score by exact Hj. unfold undone, u. simpl INR.
      rewrite (sum_ext j _ (fun i => 1 * 2 ^ i)) by (intros; ring). rewrite powers. ring.
    + exists T. split.
      * assert (G : 3 * dot d u u + 1 = 4 ^ d).
        { unfold dot, u. clear. induction d as [ | k IH]; [ simpl; ring | ].
          rewrite sum_S. replace (4 ^ S k) with (4 * 4 ^ k) by reflexivity.
          replace (2 ^ k * 2 ^ k) with (4 ^ k) by (rewrite <- Rpow_mult_distr; f_equal; ring). lra. }
        rewrite norm_pow2 in ET. rewrite <- ET in G. apply INR_eq.
        rewrite plus_INR, mult_INR, pow_INR. simpl (INR 3). simpl (INR 1). simpl (INR 4).
        replace (1 + 1 + 1 + 1) with 4 by ring. replace (1 + 1 + 1) with 3 by ring. exact G.
      * revert Every. apply every_order_ext. intros j i. unfold z, first.
        destruct (Nat.eq_dec i j), (lt_dec i j); simpl; ring.
  - set (u := fun j : nat => alternating j * INR (F (S (S j)))).
    assert (Sq : forall j, alternating j * alternating j = 1).
    { intros j. unfold alternating. rewrite <- Rpow_mult_distr.
      replace (-1 * -1) with 1 by ring. apply pow1. }
    assert (Un : forall j, undone alternating u j = INR (F (S (S j)))).
    { intros j. unfold undone, u. rewrite <- Rmult_assoc, Sq. ring. }
    assert (Sg : forall i, alternating i = 1 \/ alternating i = -1).
    { unfold alternating. induction i as [ | i [IH | IH]]; simpl; [ left | right | left ]; try rewrite IH; ring. }
    destruct (thm_slow d (fun j i => if Nat.odd (j - i) then 1%nat else O) alternating u)
      as [(T & ET & Every & _) _].
    + intros; apply Sg.
    + intros j Hj. rewrite score by exact Hj. rewrite Un.
      rewrite (sum_ext j _ (fun i => INR (if Nat.odd (j - i) then 1 else 0) * INR (F (S (S i)))))
        by (intros; rewrite Un; reflexivity).
      rewrite F_sum. ring.
    + exists T. split.
      * assert (G : INR T = INR (F (d + 1) * F (d + 2)) - 1).
        { rewrite ET, norm_pow2, <- F_squares. apply sum_ext. intros j Hj. unfold u.
          rewrite <- (Rmult_1_l (INR _ * INR _)), <- (Sq j). ring. }
        apply INR_eq. rewrite plus_INR, G. simpl. ring.
      * revert Every. apply every_order_ext. intros j i. unfold z, second.
        destruct (Nat.eq_dec i j) as [-> | N]; [ ring | ]. destruct (lt_dec i j) as [L | L]; [ | ring ].
        destruct (Nat.odd (j - i)) eqn:O; simpl; [ | ring ].
        (* neighbours at an odd distance have opposite signs *)
        assert (E : alternating j = - alternating i).
        { replace j with (i + (j - i))%nat by lia. unfold alternating. rewrite pow_add.
          apply Nat.odd_spec in O. destruct O as [m ->].
          replace ((-1) ^ (2 * m + 1)) with (-1); [ ring | ].
          rewrite pow_add, pow_mult. replace ((-1) ^ 2) with 1 by ring. rewrite pow1. ring. }
        rewrite E. ring.
  - destruct (F_phi d) as [L U]. destruct (F_phi (S d)) as [_ U'].
    pose proof phi_above as A. assert (P : 0 < phi ^ d) by (apply pow_lt; lra).
    assert (L' : phi ^ d <= phi * INR (F (S d))).
    { destruct d as [ | k]; [ cbn; lra | ]. destruct (F_phi k) as [B _]. simpl (phi ^ S k).
      apply Rmult_le_compat_l; lra. }
    replace (d + 1)%nat with (S d) by lia. replace (d + 2)%nat with (S (S d)) by lia.
    rewrite mult_INR. replace (2 * d)%nat with (d + d)%nat by lia. rewrite pow_add.
    change (phi ^ S d) with (phi * phi ^ d) in U'.
    pose proof (pos_INR (F (S d))) as N1. pose proof (pos_INR (F (S (S d)))) as N2.
    set (f := INR (F (S d))) in *. set (g := INR (F (S (S d)))) in *. split.
    + apply Rle_trans with (phi * f * g); [ apply Rmult_le_compat; lra | right; ring ].
    + apply Rle_trans with (phi ^ d * (phi * phi ^ d)); [ apply Rmult_le_compat; lra | right; ring ].
Qed.
