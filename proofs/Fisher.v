(** * Lesson 4: prop-fi-quotient, thm-fisher, prop-fi-enclosure *)
From LinearClassification Require Import Vectors.

Section Fisher.
(** [y i] is true for the class +, false for the class -. *)
Variables (d n : nat) (x : nat -> vec) (y : nat -> bool).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖²" := (dot n a a) (a at level 9).      (* of a vector with n entries *)

Definition in_class (s : bool) (i : nat) : R := if Bool.eqb (y i) s then 1 else 0.

(** The mean and the scatter of numbers t_i in one class. *)
Definition mean (s : bool) (t : nat -> R) : R :=
  (Σ[i < n] in_class s i * t i) / Σ[i < n] in_class s i.

Definition scatter (s : bool) (t : nat -> R) : R := Σ[i < n] in_class s i * (t i - mean s t) ^ 2.

Definition within (w : vec) : R :=
  scatter true (fun i => ⟨w, x i⟩) + scatter false (fun i => ⟨w, x i⟩).

Definition J (w : vec) : R :=
  (mean true (fun i => ⟨w, x i⟩) - mean false (fun i => ⟨w, x i⟩)) ^ 2 / within w.

(** The class means, their difference, the rows of X_W, S_W = X_Wᵀ X_W, and S_B = δ δᵀ. *)
Definition mu (s : bool) : vec := fun j => mean s (fun i => x i j).
Definition delta : vec := fun j => mu true j - mu false j.
Definition deviation (i : nat) : vec := fun j => x i j - mu (y i) j.
Definition XW (w : vec) : vec := fun i => ⟨deviation i, w⟩.
Definition SW (w : vec) : vec := comb n (XW w) deviation.
Definition SB (w : vec) : vec := fun j => ⟨delta, w⟩ * delta j.

(** "Projection is linear": the projected mean is the score of the mean *)
Lemma projected_mean s w : mean s (fun i => ⟨w, x i⟩) = ⟨w, mu s⟩.
Proof.
  rewrite (dot_ext_r d (mu s) (fun j => / (Σ[i < n] in_class s i) * comb n (in_class s) x j))
    by (intros; unfold mu, mean, comb, Rdiv; ring).
  rewrite dot_scale_r, dot_comb. unfold mean, Rdiv. ring.
Qed.

Lemma projected_delta w :
  mean true (fun i => ⟨w, x i⟩) - mean false (fun i => ⟨w, x i⟩) = ⟨w, delta⟩.
Proof.
  rewrite !projected_mean. unfold delta. rewrite dot_minus_r. reflexivity.
Qed.

Lemma deviation_score w i : XW w i = ⟨w, x i⟩ - ⟨w, mu (y i)⟩.
Proof.
  unfold XW, deviation. rewrite dot_minus, !(dot_sym d w). reflexivity.
Qed.

(** "The sum of the squares of all entries" *)
Lemma within_square w : within w = ‖(XW w)‖².
Proof.
  unfold within, scatter. rewrite !projected_mean, <- sum_plus. apply sum_ext. intros i Hi.
  rewrite deviation_score. unfold in_class. destruct (y i); simpl; ring.
Qed.

(** ⟨u, S_W w⟩ is the inner product of X_W u and X_W w. *)
Lemma within_product u w : ⟨u, SW w⟩ = dot n (XW u) (XW w).
Proof.
  unfold SW. rewrite dot_comb. apply sum_ext. intros i Hi.
  unfold XW at 2. rewrite (dot_sym d u). ring.
Qed.

Lemma XW_less u w t i : XW (fun j => u j - t * w j) i = XW u i - t * XW w i.
Proof. unfold XW. rewrite dot_sym, dot_less, !(dot_sym d (deviation i)). reflexivity. Qed.

Theorem prop_fi_quotient w : within w > 0 ->
  J w = ⟨w, SB w⟩ / ⟨w, SW w⟩ /\
  J w = ⟨w, delta⟩ ^ 2 / ‖(XW w)‖² /\
  forall lambda, lambda <> 0 ->
    within (fun j => lambda * w j) > 0 /\ J (fun j => lambda * w j) = J w.
Proof.
  intros H.
  assert (Q : forall u, J u = ⟨u, delta⟩ ^ 2 / ‖(XW u)‖²)
    by (intros u; unfold J; rewrite projected_delta, within_square; reflexivity).
  split; [ | split ]; [ | apply Q | ].
  - rewrite Q, within_product. unfold SB. rewrite dot_scale_r, (dot_sym d delta w). f_equal. ring.
  - intros lambda L. rewrite !Q, !within_square, dot_scale.
    assert (E : ‖(XW (fun j => lambda * w j))‖² = lambda ^ 2 * ‖(XW w)‖²).
    { unfold dot at 1. rewrite (sum_ext n _ (fun i => lambda ^ 2 * (XW w i * XW w i))).
      - apply sum_scale.
      - intros i Hi. unfold XW. rewrite dot_scale_r. ring. }
    rewrite E. rewrite within_square in H. split; [ | field; split; [ lra | exact L ] ].
    apply Rmult_lt_0_compat; [ | exact H ]. assert (lambda * lambda > 0) by nra. lra.
Qed.

(** S_W is invertible: every v is S_W w for exactly one w. *)
Definition invertible : Prop :=
  (forall v, exists w, forall j, (j < d)%nat -> SW w j = v j) /\
  (forall w, (forall j, (j < d)%nat -> SW w j = 0) -> forall j, (j < d)%nat -> w j = 0).

Definition nonzero (w : vec) : Prop := exists j, (j < d)%nat /\ w j <> 0.

(** "If X_W w = 0, then S_W w = X_Wᵀ X_W w = 0, and so w = 0" *)
Lemma spread_positive w : invertible -> nonzero w -> ‖(XW w)‖² > 0.
Proof.
  intros [_ I] (j & Hj & N). destruct (Req_dec ‖(XW w)‖² 0) as [Z | Z].
  - exfalso. apply N, I; auto. intros k Hk. unfold SW, comb.
    rewrite (sum_ext n _ (fun i => 0 * deviation i k)), sum_scale; [ ring | ].
    intros i Hi. rewrite (dot_self_zero n (XW w) Z i Hi). ring.
  - pose proof (dot_self n (XW w)). lra.
Qed.

Theorem thm_fisher wstar :
  invertible -> nonzero delta -> (forall j, (j < d)%nat -> SW wstar j = delta j) ->
  let D2 := ⟨delta, wstar⟩ in
  D2 > 0 /\ ⟨wstar, delta⟩ = D2 /\
  forall w, nonzero w ->
    within w > 0 /\ J w <= D2 /\
    (J w = D2 <-> exists lambda, lambda <> 0 /\ forall j, (j < d)%nat -> w j = lambda * wstar j).
Proof.
  intros I Nd Hw D2.
  (* "Because δ = S_W w* = X_Wᵀ X_W w*" *)
  assert (N : forall w, ⟨w, delta⟩ = dot n (XW w) (XW wstar))
    by (intros w; rewrite <- within_product; apply dot_ext_r; intros; symmetry; auto).
  assert (Nw : nonzero wstar).
  { destruct Nd as (j & Hj & Nj). destruct (zero_or_not d wstar) as [Z | H]; [ exfalso | exact H ].
    apply Nj. rewrite <- Hw by auto. unfold SW, comb.
    rewrite (sum_ext n _ (fun i => 0 * deviation i j)), sum_scale; [ ring | ].
    intros i Hi. unfold XW. rewrite dot_sym, dot_zero by auto. ring. }
  pose proof (spread_positive wstar I Nw) as P.
  assert (ED : D2 = ‖(XW wstar)‖²) by (unfold D2; rewrite dot_sym; apply N).
  split; [ lra | split; [ unfold D2; apply dot_sym | ] ]. intros w Hn.
  pose proof (spread_positive w I Hn) as Pw.
  assert (Q : J w = ⟨w, delta⟩ ^ 2 / ‖(XW w)‖²)
    by (apply prop_fi_quotient; rewrite within_square; exact Pw).
  (* "Cauchy–Schwarz" *)
  pose proof (cauchy_schwarz_sq n (XW w) (XW wstar)) as CS. rewrite <- N, <- ED in CS.
  assert (Times : J w * ‖(XW w)‖² = ⟨w, delta⟩ ^ 2) by (rewrite Q; field; lra).
  split; [ rewrite within_square; exact Pw | split ].
  { (* "Divide by ‖X_W w‖²" *)
    apply Rmult_le_reg_r with ‖(XW w)‖²; [ lra | ]. rewrite Times. simpl. lra. }
  split.
  - (* "if X_W w and X_W w* are linearly dependent" *)
    intros E. rewrite E in Times. set (lambda := ⟨w, delta⟩ / D2). exists lambda.
    assert (Z : ‖(fun i => XW w i - lambda * XW wstar i)‖² = 0).
    { rewrite less_square, <- N, <- ED.
      assert (F : lambda * D2 = ⟨w, delta⟩) by (unfold lambda; field; lra).
      assert (G : ‖(XW w)‖² = lambda * ⟨w, delta⟩).
      { apply Rmult_eq_reg_l with D2; [ | lra ]. rewrite Times.
        replace (D2 * (lambda * ⟨w, delta⟩)) with (lambda * D2 * ⟨w, delta⟩) by ring. rewrite F. ring. }
      rewrite G. replace (lambda * lambda * D2) with (lambda * ⟨w, delta⟩) by (rewrite <- F; ring). ring. }
    assert (A : forall j, (j < d)%nat -> w j - lambda * wstar j = 0).
    { destruct I as [_ I]. apply (I (fun j => w j - lambda * wstar j)). intros k Hk. unfold SW, comb.
      rewrite (sum_ext n _ (fun i => 0 * deviation i k)), sum_scale; [ ring | ].
      intros i Hi. rewrite XW_less, (dot_self_zero n _ Z i Hi). ring. }
    split; [ | intros j Hj; specialize (A j Hj); lra ].
    intros L. destruct Hn as (j & Hj & Nj). apply Nj. specialize (A j Hj). rewrite L in A. lra.
  - intros (lambda & L & A).
    assert (EX : forall u, dot n (XW w) u = lambda * dot n (XW wstar) u).
    { intros u. rewrite <- dot_scale. apply dot_ext. intros i Hi. unfold XW.
      rewrite <- dot_scale_r. apply dot_ext_r; auto. }
    rewrite Q, N, !EX, (dot_sym n (XW wstar) (XW w)), EX, <- ED. field. split; lra.
Qed.

Theorem prop_fi_enclosure :
  (forall w, ‖(XW w)‖² > 0 ->
     (forall beta, (forall j, (j < d)%nat -> comb n beta deviation j = delta j) ->
        pos ⟨w, delta⟩ ^ 2 / ‖(XW w)‖² <= J w /\ J w <= ‖beta‖²) /\
     (⟨w, delta⟩ > 0 -> pos ⟨w, delta⟩ ^ 2 / ‖(XW w)‖² = J w) /\
     (⟨w, delta⟩ <= 0 -> pos ⟨w, delta⟩ ^ 2 / ‖(XW w)‖² = 0)) /\
  (* the maximum over w, which w* reaches, is the minimum over β, which β* = X_W w* reaches: both are D² *)
  (forall wstar,
     invertible -> nonzero delta -> (forall j, (j < d)%nat -> SW wstar j = delta j) ->
     let D2 := ⟨delta, wstar⟩ in
     (forall w, nonzero w -> ‖(XW w)‖² > 0 /\ pos ⟨w, delta⟩ ^ 2 / ‖(XW w)‖² <= D2) /\
     (nonzero wstar /\ pos ⟨wstar, delta⟩ ^ 2 / ‖(XW wstar)‖² = D2) /\
     (forall beta, (forall j, (j < d)%nat -> comb n beta deviation j = delta j) -> D2 <= ‖beta‖²) /\
     (forall j, (j < d)%nat -> comb n (XW wstar) deviation j = delta j) /\ ‖(XW wstar)‖² = D2).
Proof.
  match goal with |- ?First /\ _ => assert (Ends : First) end.
  - intros w Pw.
    assert (Q : J w = ⟨w, delta⟩ ^ 2 / ‖(XW w)‖²)
      by (apply prop_fi_quotient; rewrite within_square; exact Pw).
    split; [ intros beta Hb; split | ].
    + rewrite Q. unfold Rdiv. apply Rmult_le_compat_r; [ apply Rlt_le, Rinv_0_lt_compat; lra | ].
      unfold pos, Rmax. destruct (Rle_dec 0 ⟨w, delta⟩); nra.
    + (* "⟨w, δ⟩ = ⟨w, X_Wᵀ β⟩ = ⟨X_W w, β⟩" *)
      assert (E : ⟨w, delta⟩ = dot n (XW w) beta).
      { rewrite <- (dot_ext_r d (comb n beta deviation)) by auto. rewrite dot_comb.
        apply sum_ext. intros i Hi. unfold XW. rewrite (dot_sym d w). ring. }
      (* "by Cauchy–Schwarz" *)
      pose proof (cauchy_schwarz_sq n (XW w) beta) as CS. rewrite <- E in CS.
      (* "Square and divide." *)
      apply Rmult_le_reg_r with ‖(XW w)‖²; [ lra | ].
      rewrite Q. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. simpl. lra.
    + split; intros H; unfold pos.
      * rewrite Rmax_right by lra. symmetry. exact Q.
      * rewrite Rmax_left by lra. field. lra.
  - split; [ exact Ends | ]. intros wstar I Nd Hw D2.
    destruct (thm_fisher wstar I Nd Hw) as (D & S & _). fold D2 in D, S.
    assert (E : ‖(XW wstar)‖² = D2) by (rewrite <- within_product, <- S; apply dot_ext_r, Hw).
    assert (V : pos ⟨wstar, delta⟩ ^ 2 / ‖(XW wstar)‖² = D2)
      by (rewrite E, S; unfold pos; rewrite Rmax_right by lra; field; lra).
    split; [ | split; [ split; [ | exact V ] | split; [ | split; [ exact Hw | exact E ] ] ] ].
    + intros w Nw. pose proof (spread_positive w I Nw) as P. split; [ exact P | ].
      destruct (Ends w P) as [B _]. specialize (B (XW wstar) Hw). lra.
    + destruct (zero_or_not d wstar) as [Z | N]; [ exfalso | exact N ].
      rewrite (dot_zero d wstar delta Z) in S. lra.
    + intros beta Hb. destruct (Ends wstar ltac:(lra)) as [B _]. specialize (B beta Hb). lra.
Qed.
End Fisher.
