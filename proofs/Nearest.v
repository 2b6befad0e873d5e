(** * The nearest point of a cone, and of a convex hull
    No theorem of the book, but what two of them need: that a least length is attained. By induction on the
    number of vectors, without limits. *)
From LinearClassification Require Import Vectors.

Section Cone.
Variable p : nat.
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖²" := (dot p a a) (a at level 9).

Lemma comb_mix n c e alpha beta g j :
  comb n (fun i => c * alpha i + e * beta i) g j = c * comb n alpha g j + e * comb n beta g j.
Proof. unfold comb. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma dot_self_ext a b : (forall j, (j < p)%nat -> a j = b j) -> ‖a‖² = ‖b‖².
Proof. intros H. rewrite (dot_ext p a b a H). apply dot_ext_r, H. Qed.

(** The square is convex. *)
Lemma between u w c : 0 <= c <= 1 ->
  ‖(fun j => c * u j + (1 - c) * w j)‖² <= c * ‖u‖² + (1 - c) * ‖w‖².
Proof.
  intros H. rewrite (dot_square p (fun j => c * u j) (fun j => (1 - c) * w j)), !dot_scale, !dot_scale_r.
  pose proof (dot_self p (fun j => u j - 1 * w j)) as S. rewrite less_square in S.
  assert (T : 0 <= c * (1 - c) * (‖u‖² - 2 * 1 * ⟨u, w⟩ + 1 * 1 * ‖w‖²))
    by (apply Rmult_le_pos; [ nra | exact S ]).
  nra.
Qed.

(** If no step from u along c comes nearer to 0, c does not lead towards 0. *)
Lemma uphill u c : (forall t, 0 < t <= 1 -> ‖u‖² <= ‖(fun j => u j + t * c j)‖²) -> 0 <= ⟨u, c⟩.
Proof.
  intros H. destruct (Rle_dec 0 ⟨u, c⟩) as [ok | N]; [ exact ok | exfalso ].
  set (s := ⟨u, c⟩) in *. set (q := ‖c‖²). assert (Q : 0 <= q) by apply dot_self.
  set (t := - s / (q - s)).
  assert (T : 0 < t <= 1).
  { unfold t. split; [ apply Rdiv_lt_0_compat; lra | ].
    apply Rmult_le_reg_r with (q - s); [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (H t T). rewrite (dot_square p u (fun j => t * c j)), !dot_scale, !dot_scale_r in H. fold s q in H.
  assert (X : t * (q - s) = - s) by (unfold t; field; lra).
  assert (Y : t * (2 * s + t * q) < 0) by (assert (2 * s + t * q < 0) by nra; nra).
  lra.
Qed.

(** b and a combination of the g_i *)
Definition reach n (g : nat -> vec) (b : vec) (l : nat -> R) : vec := fun j => b j + comb n l g j.

Lemma reach_last n g b l t j :
  reach (S n) g b (fun i => if Nat.eq_dec i n then t else l i) j = reach n g b l j + t * g n j.
Proof.
  unfold reach, comb. rewrite sum_S. destruct (Nat.eq_dec n n) as [_ | N]; [ | contradiction ].
  rewrite (sum_ext n _ (fun i => l i * g i j)); [ ring | ].
  intros i Hi. destruct (Nat.eq_dec i n); [ lia | reflexivity ].
Qed.

Lemma least n : forall g b, exists l, (forall i, (i < n)%nat -> 0 <= l i) /\
  forall k, (forall i, (i < n)%nat -> 0 <= k i) -> ‖(reach n g b l)‖² <= ‖(reach n g b k)‖².
Proof.
  induction n as [ | n IH]; intros g b.
  { exists (fun _ => 0). split; [ intros; lia | intros; apply Rle_refl ]. }
  destruct (IH g b) as (l0 & P0 & M0).
  set (q := ‖(g n)‖²). assert (Q : 0 <= q) by apply dot_self.
  assert (value : forall k t, ‖(fun j => reach n g b k j + t * g n j)‖²
            = ‖(reach n g b k)‖² + 2 * t * ⟨reach n g b k, g n⟩ + t * t * q).
  { intros k t. rewrite (dot_square p (reach n g b k) (fun j => t * g n j)), !dot_scale, !dot_scale_r.
    unfold q. ring. }
  assert (split_last : forall k, ‖(reach (S n) g b k)‖² = ‖(fun j => reach n g b k j + k n * g n j)‖²).
  { intros k. apply dot_self_ext. intros j Hj. unfold reach, comb. rewrite sum_S. ring. }
  assert (with_last : forall k t, ‖(reach (S n) g b (fun i => if Nat.eq_dec i n then t else k i))‖²
            = ‖(fun j => reach n g b k j + t * g n j)‖²).
  { intros k t. apply dot_self_ext. intros j Hj. apply reach_last. }
  (* the last vector left out *)
  assert (without : (forall k t, (forall i, (i < n)%nat -> 0 <= k i) -> 0 <= t ->
        ‖(reach n g b l0)‖² <= ‖(fun j => reach n g b k j + t * g n j)‖²) ->
      exists l, (forall i, (i < S n)%nat -> 0 <= l i) /\
        forall k, (forall i, (i < S n)%nat -> 0 <= k i) -> ‖(reach (S n) g b l)‖² <= ‖(reach (S n) g b k)‖²).
  { intros H. exists (fun i => if Nat.eq_dec i n then 0 else l0 i). split.
    - intros i Hi. destruct (Nat.eq_dec i n); [ lra | apply P0; lia ].
    - intros k Hk. rewrite with_last, split_last, value.
      replace (‖(reach n g b l0)‖² + 2 * 0 * ⟨reach n g b l0, g n⟩ + 0 * 0 * q) with ‖(reach n g b l0)‖² by ring.
      apply H; [ intros; apply Hk; lia | apply Hk; lia ]. }
  destruct (Req_dec q 0) as [Z | N].
  { (* it is zero *)
    apply without. intros k t Hk _. rewrite value, Z.
    rewrite (dot_sym p _ (g n)), (dot_zero p (g n)) by (apply dot_self_zero; exact Z).
    pose proof (M0 k Hk). lra. }
  (* its weight is free: all others at a right angle to it *)
  set (flat := fun (u : vec) j => u j - ⟨u, g n⟩ / q * g n j).
  destruct (IH (fun i => flat (g i)) (flat b)) as (l1 & P1 & M1).
  assert (flat_reach : forall k, ‖(reach n (fun i => flat (g i)) (flat b) k)‖²
            = ‖(reach n g b k)‖² - ⟨reach n g b k, g n⟩ ^ 2 / q).
  { intros k. rewrite (dot_self_ext _ (flat (reach n g b k))).
    - unfold flat. rewrite less_square. fold q. field. exact N.
    - intros j Hj. unfold reach at 1, flat, comb.
      rewrite (sum_ext n _ (fun i => k i * g i j + - (g n j / q) * (k i * ⟨g i, g n⟩))) by (intros; field; exact N).
      rewrite sum_plus, sum_scale.
      assert (E : ⟨reach n g b k, g n⟩ = ⟨b, g n⟩ + Σ[i < n] k i * ⟨g i, g n⟩).
      { unfold reach. rewrite (dot_plus p b (comb n k g)), (dot_sym p (comb n k g)), dot_comb.
        f_equal. apply sum_ext. intros i Hi. rewrite (dot_sym p (g n)). reflexivity. }
      rewrite E. unfold reach, comb. field. exact N. }
  set (t1 := - ⟨reach n g b l1, g n⟩ / q).
  assert (M : forall k t, (forall i, (i < n)%nat -> 0 <= k i) ->
      ‖(fun j => reach n g b l1 j + t1 * g n j)‖² <= ‖(fun j => reach n g b k j + t * g n j)‖²).
  { intros k t Hk. specialize (M1 k Hk). rewrite !flat_reach in M1. rewrite !value.
    set (s := ⟨reach n g b k, g n⟩) in *.
    replace (‖(reach n g b l1)‖² + 2 * t1 * ⟨reach n g b l1, g n⟩ + t1 * t1 * q)
      with (‖(reach n g b l1)‖² - ⟨reach n g b l1, g n⟩ ^ 2 / q) by (unfold t1; field; exact N).
    apply Rle_trans with (1 := M1).
    assert (D : 0 <= q * (t + s / q) ^ 2) by (apply Rmult_le_pos; [ exact Q | apply pow2_ge_0 ]).
    replace (q * (t + s / q) ^ 2) with (2 * t * s + t * t * q + s ^ 2 / q) in D by (field; exact N). lra. }
  destruct (Rle_dec 0 t1) as [T | T].
  - (* its weight came out right *)
    exists (fun i => if Nat.eq_dec i n then t1 else l1 i). split.
    + intros i Hi. destruct (Nat.eq_dec i n); [ exact T | apply P1; lia ].
    + intros k Hk. rewrite with_last, split_last. apply M. intros; apply Hk; lia.
  - (* it came out negative: on the way from there to any other place it is zero once *)
    apply without. intros k t Hk Ht. set (c := t / (t - t1)).
    assert (C : 0 <= c <= 1).
    { unfold c. split; [ apply Rmult_le_pos; [ lra | apply Rlt_le, Rinv_0_lt_compat; lra ] | ].
      apply Rmult_le_reg_r with (t - t1); [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    assert (E : c * t1 + (1 - c) * t = 0) by (unfold c; field; lra).
    apply Rle_trans with ‖(reach n g b (fun i => c * l1 i + (1 - c) * k i))‖².
    + apply M0. intros i Hi. specialize (P1 i Hi). specialize (Hk i Hi). nra.
    + rewrite (dot_self_ext _ (fun j => c * (reach n g b l1 j + t1 * g n j)
                                        + (1 - c) * (reach n g b k j + t * g n j))).
      * apply Rle_trans with (1 := between (fun j => reach n g b l1 j + t1 * g n j)
                                   (fun j => reach n g b k j + t * g n j) c C).
        pose proof (M k t Hk). nra.
      * intros j Hj. unfold reach. rewrite comb_mix.
        replace (c * (b j + comb n l1 g j + t1 * g n j) + (1 - c) * (b j + comb n k g j + t * g n j))
          with (b j + (c * comb n l1 g j + (1 - c) * comb n k g j) + (c * t1 + (1 - c) * t) * g n j) by ring.
        rewrite E. ring.
Qed.
End Cone.

(** Weights that sum to one, with the shortest combination. With the vectors (z_i, 1) and (0, -1) the nearest
    point of the cone has weights s alpha with q² s² + (1-s)² least: the shares of the solution. *)
Lemma nearest p n z : (0 < n)%nat -> exists alpha,
  ((forall i, (i < n)%nat -> 0 <= alpha i) /\ Σ[i < n] alpha i = 1) /\
  forall beta, (forall i, (i < n)%nat -> 0 <= beta i) -> Σ[i < n] beta i = 1 ->
    norm p (comb n alpha z) <= norm p (comb n beta z).
Proof.
  intros Hn.
  set (g := fun i j => if Nat.eq_dec j p then 1 else z i j).
  set (b := fun j => if Nat.eq_dec j p then -1 else 0).
  destruct (least (S p) n g b) as (l & Pl & Ml).
  set (f := fun k => dot (S p) (reach n g b k) (reach n g b k)).
  assert (F : forall k, f k = dot p (comb n k z) (comb n k z) + ((Σ[i < n] k i) - 1) ^ 2).
  { intros k. unfold f, dot. simpl. f_equal.
    - apply sum_ext. intros j Hj. unfold reach, b, g, comb. destruct (Nat.eq_dec j p); [ lia | ]. simpl. ring.
    - unfold reach, b, g, comb. destruct (Nat.eq_dec p p) as [_ | N]; [ | contradiction ].
      rewrite (sum_ext n (fun i => k i * 1) (fun i => k i)) by (intros; ring). simpl. ring. }
  assert (scaled : forall k t, dot p (comb n (fun i => t * k i) z) (comb n (fun i => t * k i) z)
            = t * t * dot p (comb n k z) (comb n k z)).
  { intros k t. rewrite (dot_self_ext p _ (fun j => t * comb n k z j)).
    - rewrite dot_scale, dot_scale_r. ring.
    - intros j Hj. unfold comb. rewrite <- sum_scale. apply sum_ext. intros; ring. }
  (* every beta that sums to one: the best multiple of it *)
  assert (B : forall beta, (forall i, (i < n)%nat -> 0 <= beta i) -> Σ[i < n] beta i = 1 ->
            let q := dot p (comb n beta z) (comb n beta z) in f l <= q / (1 + q)).
  { intros beta Hb H1 q. assert (Q : 0 <= q) by apply dot_self.
    assert (I : 0 < / (1 + q)) by (apply Rinv_0_lt_compat; lra).
    apply Rle_trans with (f (fun i => / (1 + q) * beta i)).
    - apply Ml. intros i Hi. apply Rmult_le_pos; [ lra | auto ].
    - rewrite F, scaled, sum_scale. fold q. rewrite H1. right. field. lra. }
  set (s := Σ[i < n] l i).
  assert (S0 : 0 <= s) by (apply sum_nonneg; exact Pl).
  (* the solution is not zero *)
  assert (unit_sum : forall m, (0 < m)%nat -> Σ[i < m] (if Nat.eq_dec i 0 then 1 else 0) = 1).
  { induction m as [ | [ | m] IHm]; intros Hm; [ lia | simpl; lra | ].
    rewrite sum_S, IHm by lia. destruct (Nat.eq_dec (S m) 0); [ lia | lra ]. }
  assert (S1 : s > 0).
  { destruct (Req_dec s 0) as [Z | N]; [ exfalso | lra ].
    pose proof (B (fun i => if Nat.eq_dec i 0 then 1 else 0)) as U. cbv zeta in U.
    assert (U' := U ltac:(intros i Hi; cbv beta; destruct (Nat.eq_dec i 0); lra) (unit_sum n Hn)). clear U.
    set (q := dot p (comb n (fun i => if Nat.eq_dec i 0 then 1 else 0) z) _) in U'. assert (Q : 0 <= q) by apply dot_self.
    rewrite F in U'. fold s in U'. rewrite Z in U'. pose proof (dot_self p (comb n l z)).
    assert (W : q / (1 + q) < 1).
    { apply Rmult_lt_reg_r with (1 + q); [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    lra. }
  assert (I : / s > 0) by (apply Rinv_0_lt_compat; exact S1).
  exists (fun i => / s * l i). split; [ split | ].
  - intros i Hi. apply Rmult_le_pos; [ lra | auto ].
  - rewrite sum_scale. fold s. field. lra.
  - intros beta Hb H1. pose proof (B beta Hb H1) as U. cbv zeta in U.
    unfold norm. apply sqrt_le_1_alt. set (q := dot p (comb n beta z) (comb n beta z)) in *.
    assert (Q : 0 <= q) by apply dot_self.
    rewrite scaled. set (r := dot p (comb n l z) (comb n l z)). fold s.
    rewrite F in U. fold r s in U. assert (Rr : 0 <= r) by apply dot_self.
    set (w := / s * / s * r). assert (Ew : r = w * (s * s)) by (unfold w; field; lra).
    assert (W : 0 <= w) by (unfold w; apply Rmult_le_pos; [ apply Rmult_le_pos; lra | exact Rr ]).
    (* w / (1 + w) <= r + (s - 1)² <= q / (1 + q) *)
    assert (L : (w * (s * s) + (s - 1) ^ 2) * (1 + q) <= q).
    { rewrite <- Ew. apply Rmult_le_reg_r with (/ (1 + q)); [ apply Rinv_0_lt_compat; lra | ].
      rewrite Rmult_assoc, Rinv_r by lra. unfold Rdiv in U. lra. }
    assert (K : w <= (w * (s * s) + (s - 1) ^ 2) * (1 + w)).
    { pose proof (pow2_ge_0 ((1 + w) * s - 1)) as D.
      replace ((w * (s * s) + (s - 1) ^ 2) * (1 + w)) with (w + ((1 + w) * s - 1) ^ 2) by ring. lra. }
    destruct (Rle_dec w q) as [ok | N]; [ exact ok | exfalso ].
    set (h := w * (s * s) + (s - 1) ^ 2) in *.
    assert (H0 : 0 <= h) by (unfold h; pose proof (pow2_ge_0 (s - 1)); nra).
    assert (P : w - q > 0) by lra. assert (G : h < 1).
    { apply Rmult_lt_reg_r with (1 + q); lra. }
    assert (X : (1 - h) * (w - q) > 0) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
