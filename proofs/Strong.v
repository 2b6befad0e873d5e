(** * Lesson 8: thm-lp-strong *)
From LinearClassification Require Import Vectors Nearest Farkas Hinge.
Require Import List.
Import ListNotations.

Section Strong.
Variables (p n : nat) (z : nat -> vec) (c : nat -> R).
Notation "⟨ a , b ⟩" := (dot p a b).

(** Primal and dual solutions of equal value are the nonnegative solutions of 2n + p + 1 equations: for each sample its
    margin and its weight, for each entry that the dual variables cancel, and that the primal value is not above the dual one. *)
Definition pack (u v w : vec) (t : R) : vec := fun k =>
  if lt_dec k n then u k else if lt_dec k (n + n) then v (k - n)%nat
  else if lt_dec k (n + n + p) then w (k - (n + n))%nat else t.
Definition rows : nat := S (n + n + p).

Lemma sum_app k l f : sum (k + l) f = sum k f + Σ[i < l] f (k + i)%nat.
Proof.
  induction l as [ | l IH]; [ rewrite Nat.add_0_r; simpl; ring | ].
  rewrite Nat.add_succ_r, !sum_S, IH. ring.
Qed.

Lemma pack1 u v w t k : (k < n)%nat -> pack u v w t k = u k.
Proof. intros H. unfold pack. destruct (lt_dec k n); [ reflexivity | lia ]. Qed.
Lemma pack2 u v w t k : (k < n)%nat -> pack u v w t (n + k)%nat = v k.
Proof.
  intros H. unfold pack. destruct (lt_dec (n + k) n); [ lia | ]. destruct (lt_dec (n + k) (n + n)); [ f_equal; lia | lia ].
Qed.
Lemma pack3 u v w t k : (k < p)%nat -> pack u v w t (n + n + k)%nat = w k.
Proof.
  intros H. unfold pack. destruct (lt_dec (n + n + k) n); [ lia | ]. destruct (lt_dec (n + n + k) (n + n)); [ lia | ].
  destruct (lt_dec (n + n + k) (n + n + p)); [ f_equal; lia | lia ].
Qed.
Lemma pack4 u v w t : pack u v w t (n + n + p)%nat = t.
Proof.
  unfold pack. destruct (lt_dec (n + n + p) n); [ lia | ]. destruct (lt_dec (n + n + p) (n + n)); [ lia | ].
  destruct (lt_dec (n + n + p) (n + n + p)); [ lia | reflexivity ].
Qed.

Lemma dot_pack r u v w t : dot rows r (pack u v w t) =
  dot n r u + dot n (fun i => r (n + i)%nat) v + dot p (fun j => r (n + n + j)%nat) w + r (n + n + p)%nat * t.
Proof.
  unfold dot, rows. rewrite sum_S, pack4, sum_app, sum_app. f_equal. f_equal; [ f_equal | ].
  - apply sum_ext. intros i Hi. rewrite pack1 by exact Hi. reflexivity.
  - apply sum_ext. intros i Hi. rewrite pack2 by exact Hi. reflexivity.
  - apply sum_ext. intros i Hi. rewrite pack3 by exact Hi. reflexivity.
Qed.

Definition unit (i : nat) : vec := fun k => if Nat.eq_dec i k then 1 else 0.
Definition none : vec := fun _ => 0.

Lemma sum_unit q (f : nat -> R) k : (k < q)%nat -> Σ[i < q] f i * unit i k = f k.
Proof.
  unfold unit. induction q as [ | q IH]; intros Hk; [ lia | ]. rewrite sum_S. destruct (Nat.eq_dec q k) as [-> | N].
  - rewrite (sum_ext k _ (fun i => 0 * f i)), sum_scale; [ ring | ].
    intros i Hi. destruct (Nat.eq_dec i k); [ lia | ring ].
  - rewrite IH by lia. ring.
Qed.

Lemma dot_unit q r i : (i < q)%nat -> dot q r (unit i) = r i.
Proof.
  intros Hi. unfold dot. rewrite <- (sum_unit q r i Hi). apply sum_ext. intros k Hk. unfold unit.
  destruct (Nat.eq_dec i k), (Nat.eq_dec k i); try lia; ring.
Qed.

Lemma dot_none q r : dot q r none = 0.
Proof. rewrite dot_sym. apply dot_zero. reflexivity. Qed.

Lemma sum_none q (f : nat -> R) : Σ[i < q] f i * 0 = 0.
Proof. rewrite (sum_ext q _ (fun i => 0 * f i)), sum_scale; [ ring | intros; ring ]. Qed.

(** a = up - down, slacks, surplus margins, dual variables, and the slack variables of the weights and of the cost *)
Definition up (j : nat) : vec := pack (fun i => z i j) none none 0.
Definition down (j : nat) : vec := pack (fun i => -1 * z i j) none none 0.
Definition slack (i : nat) : vec := pack (unit i) none none (c i).
Definition excess (i : nat) : vec := pack (fun k => -1 * unit i k) none none 0.
Definition multiplier (i : nat) : vec := pack none (unit i) (z i) (-1).
Definition left (i : nat) : vec := pack none (unit i) none 0.
Definition spare (i : nat) : vec := pack none none none 1.
Definition asked : vec := pack (fun _ => 1) c none 0.

Theorem thm_lp_strong : (forall i, (i < n)%nat -> 0 < c i) ->
  exists a alpha, feasible p n z c alpha /\
    (forall a', F p n z c a <= F p n z c a') /\
    (forall alpha', feasible p n z c alpha' -> Σ[i < n] alpha' i <= Σ[i < n] alpha i) /\
    Σ[i < n] alpha i = F p n z c a.
Proof.
  intros Hc.
  destruct (farkas rows (map up (seq 0 p) ++ map down (seq 0 p) ++ map slack (seq 0 n) ++ map excess (seq 0 n) ++
    map multiplier (seq 0 n) ++ map left (seq 0 n) ++ map spare (seq 0 1)) asked) as [K | (r & Hr & Hb)].
  - (* a solution *)
    apply cone_app in K. destruct K as (v1 & K1 & K). apply cone_family in K1. destruct K1 as (l1 & P1 & E1).
    apply cone_app in K. destruct K as (v2 & K2 & K). apply cone_family in K2. destruct K2 as (l2 & P2 & E2).
    apply cone_app in K. destruct K as (v3 & K3 & K). apply cone_family in K3. destruct K3 as (xi & P3 & E3).
    apply cone_app in K. destruct K as (v4 & K4 & K). apply cone_family in K4. destruct K4 as (s & P4 & E4).
    apply cone_app in K. destruct K as (v5 & K5 & K). apply cone_family in K5. destruct K5 as (alpha & P5 & E5).
    apply cone_app in K. destruct K as (v6 & K6 & K). apply cone_family in K6. destruct K6 as (beta & P6 & E6).
    apply cone_family in K. destruct K as (t & P7 & E7).
    cbn [plus Nat.add] in E1, E2, E3, E4, E5, E6, E7.
    assert (Row : forall k, (k < rows)%nat -> asked k =
      (Σ[j < p] l1 j * up j k) + (Σ[j < p] l2 j * down j k) + (Σ[i < n] xi i * slack i k) +
      (Σ[i < n] s i * excess i k) + (Σ[i < n] alpha i * multiplier i k) + (Σ[i < n] beta i * left i k) +
      t O * spare O k).
    { intros k Hk. specialize (E1 k Hk). specialize (E2 k Hk). specialize (E3 k Hk). specialize (E4 k Hk).
      specialize (E5 k Hk). specialize (E6 k Hk). specialize (E7 k Hk). cbn [sum] in E7. lra. }
    set (a := fun j => l1 j - l2 j).
    assert (Margin : forall i, (i < n)%nat -> xi i = 1 - ⟨a, z i⟩ + s i).
    { intros i Hi. pose proof (Row i ltac:(unfold rows; lia)) as E. unfold asked, spare in E. rewrite !pack1 in E by exact Hi.
      rewrite (sum_ext p _ (fun j => l1 j * z i j)) in E by (intros; unfold up; rewrite pack1 by exact Hi; ring).
      rewrite (sum_ext p (fun j => l2 j * down j i) (fun j => -1 * (l2 j * z i j))) in E
        by (intros; unfold down; rewrite pack1 by exact Hi; ring).
      rewrite (sum_ext n (fun k => xi k * slack k i) (fun k => xi k * unit k i)) in E
        by (intros; unfold slack; rewrite pack1 by exact Hi; ring).
      rewrite (sum_ext n (fun k => s k * excess k i) (fun k => -1 * (s k * unit k i))) in E
        by (intros; unfold excess; rewrite pack1 by exact Hi; ring).
      rewrite (sum_ext n (fun k => alpha k * multiplier k i) (fun k => alpha k * 0)) in E
        by (intros; unfold multiplier; rewrite pack1 by exact Hi; reflexivity).
      rewrite (sum_ext n (fun k => beta k * left k i) (fun k => beta k * 0)) in E
        by (intros; unfold left; rewrite pack1 by exact Hi; reflexivity).
      rewrite !sum_scale, !sum_none, !sum_unit in E by exact Hi.
      assert (A : ⟨a, z i⟩ = ⟨l1, z i⟩ - ⟨l2, z i⟩) by (unfold a; apply dot_minus).
      unfold dot at 2 3 in A. unfold none in E. lra. }
    assert (Weight : forall i, (i < n)%nat -> alpha i + beta i = c i).
    { intros i Hi. pose proof (Row (n + i)%nat ltac:(unfold rows; lia)) as E. unfold asked, spare in E.
      rewrite !pack2 in E by exact Hi.
      rewrite (sum_ext p (fun j => l1 j * up j (n + i)%nat) (fun j => l1 j * 0)) in E
        by (intros; unfold up; rewrite pack2 by exact Hi; reflexivity).
      rewrite (sum_ext p (fun j => l2 j * down j (n + i)%nat) (fun j => l2 j * 0)) in E
        by (intros; unfold down; rewrite pack2 by exact Hi; reflexivity).
      rewrite (sum_ext n (fun k => xi k * slack k (n + i)%nat) (fun k => xi k * 0)) in E
        by (intros; unfold slack; rewrite pack2 by exact Hi; reflexivity).
      rewrite (sum_ext n (fun k => s k * excess k (n + i)%nat) (fun k => s k * 0)) in E
        by (intros; unfold excess; rewrite pack2 by exact Hi; reflexivity).
      rewrite (sum_ext n (fun k => alpha k * multiplier k (n + i)%nat) (fun k => alpha k * unit k i)) in E
        by (intros; unfold multiplier; rewrite pack2 by exact Hi; reflexivity).
      rewrite (sum_ext n (fun k => beta k * left k (n + i)%nat) (fun k => beta k * unit k i)) in E
        by (intros; unfold left; rewrite pack2 by exact Hi; reflexivity).
      rewrite !sum_none, !sum_unit in E by exact Hi. unfold none in E. lra. }
    assert (Cancel : forall j, (j < p)%nat -> comb n alpha z j = 0).
    { intros j Hj. pose proof (Row (n + n + j)%nat ltac:(unfold rows; lia)) as E. unfold asked, spare in E.
      rewrite !pack3 in E by exact Hj.
      rewrite (sum_ext p (fun k => l1 k * up k (n + n + j)%nat) (fun k => l1 k * 0)) in E
        by (intros; unfold up; rewrite pack3 by exact Hj; reflexivity).
      rewrite (sum_ext p (fun k => l2 k * down k (n + n + j)%nat) (fun k => l2 k * 0)) in E
        by (intros; unfold down; rewrite pack3 by exact Hj; reflexivity).
      rewrite (sum_ext n (fun k => xi k * slack k (n + n + j)%nat) (fun k => xi k * 0)) in E
        by (intros; unfold slack; rewrite pack3 by exact Hj; reflexivity).
      rewrite (sum_ext n (fun k => s k * excess k (n + n + j)%nat) (fun k => s k * 0)) in E
        by (intros; unfold excess; rewrite pack3 by exact Hj; reflexivity).
      rewrite (sum_ext n (fun k => alpha k * multiplier k (n + n + j)%nat) (fun k => alpha k * z k j)) in E
        by (intros; unfold multiplier; rewrite pack3 by exact Hj; reflexivity).
      rewrite (sum_ext n (fun k => beta k * left k (n + n + j)%nat) (fun k => beta k * 0)) in E
        by (intros; unfold left; rewrite pack3 by exact Hj; reflexivity).
      rewrite !sum_none in E. unfold none in E. unfold comb. lra. }
    assert (Cost : (Σ[i < n] xi i * c i) + t O = Σ[i < n] alpha i).
    { pose proof (Row (n + n + p)%nat ltac:(unfold rows; lia)) as E. unfold asked, spare in E.
      rewrite !pack4 in E.
      rewrite (sum_ext p (fun k => l1 k * up k (n + n + p)%nat) (fun k => l1 k * 0)) in E
        by (intros; unfold up; rewrite pack4; reflexivity).
      rewrite (sum_ext p (fun k => l2 k * down k (n + n + p)%nat) (fun k => l2 k * 0)) in E
        by (intros; unfold down; rewrite pack4; reflexivity).
      rewrite (sum_ext n (fun k => xi k * slack k (n + n + p)%nat) (fun k => xi k * c k)) in E
        by (intros; unfold slack; rewrite pack4; reflexivity).
      rewrite (sum_ext n (fun k => s k * excess k (n + n + p)%nat) (fun k => s k * 0)) in E
        by (intros; unfold excess; rewrite pack4; reflexivity).
      rewrite (sum_ext n (fun k => alpha k * multiplier k (n + n + p)%nat) (fun k => -1 * alpha k)) in E
        by (intros; unfold multiplier; rewrite pack4; ring).
      rewrite (sum_ext n (fun k => beta k * left k (n + n + p)%nat) (fun k => beta k * 0)) in E
        by (intros; unfold left; rewrite pack4; reflexivity).
      rewrite !sum_none, sum_scale in E. change (sum n (fun i => alpha i)) with (Σ[i < n] alpha i) in E. lra. }
    assert (Feas : feasible p n z c alpha).
    { split; [ | exact Cancel ]. intros i Hi. specialize (Weight i Hi). specialize (P5 i Hi). specialize (P6 i Hi). lra. }
    assert (Eq : Σ[i < n] alpha i = F p n z c a).
    { apply Rle_antisym; [ apply weak_duality; exact Feas | ]. rewrite <- Cost. specialize (P7 O ltac:(lia)).
      assert (L : F p n z c a <= Σ[i < n] xi i * c i); [ | lra ]. apply sum_le. intros i Hi.
      specialize (Margin i Hi). specialize (P3 i Hi). specialize (P4 i Hi). specialize (Hc i Hi).
      rewrite Rmult_comm. apply Rmult_le_compat_r; [ lra | ]. unfold pos. apply Rmax_lub; lra. }
    exists a, alpha. destruct (both_optimal p n z c a alpha Feas Eq) as [O1 O2]. auto.
  - (* no solution: then r gives dual variables and a hyperplane that contradict weak duality *)
    exfalso.
    set (B := fun i => r (n + i)%nat). set (C := fun j => r (n + n + j)%nat). set (D := r (n + n + p)%nat).
    assert (inside : forall (f : nat -> vec) q i, (i < q)%nat -> In (f i) (map f (seq 0 q)))
      by (intros f q i Hi; apply in_map, in_seq; lia).
    assert (G1 : forall j, (j < p)%nat -> Σ[i < n] r i * z i j = 0).
    { intros j Hj.
      assert (U : 0 <= dot rows r (up j)) by (apply Hr; rewrite !in_app_iff; left; auto).
      assert (V : 0 <= dot rows r (down j)) by (apply Hr; rewrite !in_app_iff; right; left; auto).
      unfold up in U. unfold down in V. rewrite dot_pack, !dot_none in U, V. rewrite dot_scale_r in V.
      unfold dot in U, V. lra. }
    assert (G3 : forall i, (i < n)%nat -> 0 <= r i + D * c i).
    { intros i Hi. assert (U : 0 <= dot rows r (slack i)) by (apply Hr; rewrite !in_app_iff; do 2 right; left; auto).
      unfold slack in U. rewrite dot_pack, !dot_none, dot_unit in U by exact Hi. fold D in U. lra. }
    assert (G4 : forall i, (i < n)%nat -> r i <= 0).
    { intros i Hi. assert (U : 0 <= dot rows r (excess i)) by (apply Hr; rewrite !in_app_iff; do 3 right; left; auto).
      unfold excess in U. rewrite dot_pack, !dot_none, dot_scale_r, dot_unit in U by exact Hi. fold D in U. lra. }
    assert (G5 : forall i, (i < n)%nat -> 0 <= B i + ⟨C, z i⟩ - D).
    { intros i Hi. assert (U : 0 <= dot rows r (multiplier i)) by (apply Hr; rewrite !in_app_iff; do 4 right; left; auto).
      unfold multiplier in U. rewrite dot_pack, !dot_none, dot_unit in U by exact Hi.
      change (0 <= 0 + B i + ⟨C, z i⟩ + D * -1) in U. lra. }
    assert (G6 : forall i, (i < n)%nat -> 0 <= B i).
    { intros i Hi. assert (U : 0 <= dot rows r (left i)) by (apply Hr; rewrite !in_app_iff; do 5 right; left; auto).
      unfold left in U. rewrite dot_pack, !dot_none, dot_unit in U by exact Hi.
      change (0 <= 0 + B i + 0 + D * 0) in U. lra. }
    assert (G7 : 0 <= D).
    { assert (U : 0 <= dot rows r (spare 0)) by (apply Hr; rewrite !in_app_iff; do 6 right; auto).
      unfold spare in U. rewrite dot_pack, !dot_none in U. fold D in U. lra. }
    assert (Less : (Σ[i < n] r i) + (Σ[i < n] B i * c i) < 0).
    { unfold asked in Hb. rewrite dot_pack, !dot_none in Hb. fold D in Hb.
      unfold dot in Hb. rewrite (sum_ext n (fun j => r j * 1) (fun i => r i)) in Hb by (intros; ring). unfold B. lra. }
    assert (BC : 0 <= Σ[i < n] B i * c i).
    { apply sum_nonneg. intros i Hi. specialize (G6 i Hi). specialize (Hc i Hi). apply Rmult_le_pos; lra. }
    destruct (Req_dec D 0) as [Z | N].
    + assert (SA : Σ[i < n] r i = Σ[i < n] 0 * 0)
        by (apply sum_ext; intros i Hi; specialize (G3 i Hi); specialize (G4 i Hi); rewrite Z in G3; lra).
      rewrite sum_scale in SA. lra.
    + assert (D0 : D > 0) by lra. assert (I : / D > 0) by (apply Rinv_0_lt_compat; exact D0).
      assert (Feas : feasible p n z c (fun i => - / D * r i)).
      { split.
        - intros i Hi. specialize (G3 i Hi). specialize (G4 i Hi). split; [ nra | ].
          apply Rmult_le_reg_l with D; [ exact D0 | ].
          replace (D * (- / D * r i)) with (- r i) by (field; lra). lra.
        - intros j Hj. unfold comb. rewrite (sum_ext n _ (fun i => - / D * (r i * z i j))) by (intros; ring).
          rewrite sum_scale, G1 by exact Hj. ring. }
      assert (W : - / D * (Σ[i < n] r i) <= F p n z c (fun j => / D * C j))
        by (rewrite <- sum_scale; exact (weak_duality p n z c (fun j => / D * C j) _ Feas)).
      assert (L : F p n z c (fun j => / D * C j) <= Σ[i < n] / D * (B i * c i)).
      { apply sum_le. intros i Hi. specialize (G5 i Hi). specialize (G6 i Hi). specialize (Hc i Hi).
        replace (/ D * (B i * c i)) with (c i * (/ D * B i)) by ring. apply Rmult_le_compat_l; [ lra | ].
        rewrite dot_scale. unfold pos. apply Rmax_lub; [ nra | ].
        apply Rmult_le_reg_l with D; [ exact D0 | ].
        replace (D * (1 - / D * ⟨C, z i⟩)) with (D - ⟨C, z i⟩) by (field; lra).
        replace (D * (/ D * B i)) with (B i) by (field; lra). lra. }
      rewrite sum_scale in L.
      assert (Fin : / D * ((Σ[i < n] r i) + (Σ[i < n] B i * c i)) >= 0) by lra. nra.
Qed.
End Strong.
