(** * Lesson 6b: lem-lg-young, thm-lg-duality *)
From LinearClassification Require Import Vectors.

(** ** One sample *)
Definition sigma (t : R) : R := 1 / (1 + exp (- t)).
(** Coq's ln 0 is 0, so 0 ln 0 = 0. *)
Definition Ent (alpha : R) : R := - alpha * ln alpha - (1 - alpha) * ln (1 - alpha).
Definition KL (alpha q : R) : R := alpha * ln (alpha / q) + (1 - alpha) * ln ((1 - alpha) / (1 - q)).

Lemma ln_quotient a q : 0 <= a -> 0 < q -> a * ln (a / q) = a * (ln a - ln q).
Proof.
  intros Ha Hq. destruct (Req_dec a 0) as [-> | N]; [ ring | ].
  unfold Rdiv. rewrite ln_mult, ln_Rinv; [ ring | lra | lra | apply Rinv_0_lt_compat; lra ].
Qed.

(** -ln u ≥ 1 - u, "with equality only at u = 1" *)
Lemma ln_below u : 0 < u -> ln u <= u - 1 /\ (ln u = u - 1 -> u = 1).
Proof.
  intros Hu. rewrite <- (exp_ln u Hu) at 2 4. split.
  - pose proof (exp_ineq1_le (ln u)). lra.
  - intros E. destruct (Req_dec (ln u) 0) as [Z | N].
    + rewrite <- (exp_ln u Hu), Z. apply exp_0.
    + pose proof (exp_ineq1 (ln u) N). lra.
Qed.

Lemma term_below a q : 0 <= a -> 0 < q ->
  a * ln (a / q) >= a - q /\ (a * ln (a / q) = a - q -> a = q).
Proof.
  intros Ha Hq. destruct (Req_dec a 0) as [-> | N]; [ split; [ lra | intros; lra ] | ].
  assert (P : 0 < q / a) by (apply Rdiv_lt_0_compat; lra).
  destruct (ln_below (q / a) P) as [B E].
  assert (L : ln (a / q) = - ln (q / a)).
  { rewrite <- ln_Rinv by exact P. f_equal. field. lra. }
  assert (T : a * (q / a - 1) = q - a) by (field; lra).
  rewrite L. split; [ nra | ]. intros F.
  assert (Z : ln (q / a) = q / a - 1) by (apply Rmult_eq_reg_l with a; lra).
  specialize (E Z). assert (W : q = q / a * a) by (field; lra). rewrite E in W. lra.
Qed.

Lemma KL_nonneg alpha q : 0 <= alpha <= 1 -> 0 < q < 1 -> KL alpha q >= 0 /\ (KL alpha q = 0 -> alpha = q).
Proof.
  intros Ha Hq. unfold KL.
  destruct (term_below alpha q) as [B1 E1]; [ lra | lra | ].
  destruct (term_below (1 - alpha) (1 - q)) as [B2 E2]; [ lra | lra | ].
  split; [ lra | ]. intros Z. apply E1. lra.
Qed.

Lemma KL_same q : 0 < q < 1 -> KL q q = 0.
Proof.
  intros Hq. unfold KL. replace (q / q) with 1 by (field; lra).
  replace ((1 - q) / (1 - q)) with 1 by (field; lra). rewrite ln_1. ring.
Qed.

Lemma sigma_between m : 0 < sigma m < 1.
Proof.
  unfold sigma. pose proof (exp_pos (- m)). split; [ apply Rdiv_lt_0_compat; lra | ].
  apply Rmult_lt_reg_r with (1 + exp (- m)); [ lra | ]. field_simplify; lra.
Qed.

Theorem lem_lg_young :
  (forall m alpha, 0 <= alpha <= 1 ->
     ln (1 + exp (- m)) = Ent alpha - alpha * m + KL alpha (sigma (- m))) /\
  (forall m, 0 < sigma m < 1) /\
  (forall alpha q, 0 <= alpha <= 1 -> 0 < q < 1 ->
     KL alpha q >= 0 /\ (KL alpha q = 0 -> alpha = q)).
Proof.
  split; [ | split; [ exact sigma_between | exact KL_nonneg ] ].
  intros m alpha Ha. pose proof (sigma_between (- m)) as Hq.
  set (L := ln (1 + exp (- m))). set (q := sigma (- m)) in *.
  pose proof (exp_pos (- m)) as P. pose proof (exp_pos m) as P'.
  assert (I : exp (- m) * exp m = 1) by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
  (* ln(1-q) = -ln(1+e^(-m)) and ln q = -m - ln(1+e^(-m)) *)
  assert (E1 : 1 - q = / (1 + exp (- m))).
  { unfold q, sigma. rewrite Ropp_involutive.
    apply Rmult_eq_reg_r with ((1 + exp m) * (1 + exp (- m))); [ | nra ].
    field_simplify; [ nra | lra | lra ]. }
  assert (E2 : q = exp (- m) * / (1 + exp (- m))).
  { unfold q, sigma. rewrite Ropp_involutive.
    apply Rmult_eq_reg_r with ((1 + exp m) * (1 + exp (- m))); [ | nra ].
    field_simplify; [ nra | lra | lra ]. }
  assert (L1 : ln (1 - q) = - L) by (rewrite E1; unfold L; apply ln_Rinv; lra).
  assert (L2 : ln q = - m - L).
  { rewrite E2, ln_mult, ln_exp, ln_Rinv; [ unfold L; ring | lra | lra | apply Rinv_0_lt_compat; lra ]. }
  unfold KL, Ent. rewrite ln_quotient, (ln_quotient (1 - alpha)), L1, L2 by lra. ring.
Qed.

(** ** All samples *)
Section Logistic.
Variables (d n : nat) (x : nat -> vec) (y : nat -> R) (lambda : R).
Notation "⟨ a , b ⟩" := (dot d a b).
Notation "‖ a ‖²" := (dot d a a) (a at level 9).

Definition m (w : vec) (b : R) (i : nat) : R := y i * (⟨w, x i⟩ + b).
Definition mean (f : nat -> R) : R := / INR n * sum n f.
Definition L (w : vec) (b : R) : R := mean (fun i => ln (1 + exp (- m w b i))).
Definition penalised (w : vec) (b : R) : R := L w b + lambda / 2 * ‖w‖².

(** A dual-feasible alpha, v = (1/n) Σ alpha_i y_i x_i, and the bound. *)
Definition dual_feasible (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i <= 1) /\ Σ[i < n] alpha i * y i = 0.
Definition v (alpha : nat -> R) : vec := fun j => / INR n * comb n (fun i => alpha i * y i) x j.
Definition low (alpha : nat -> R) : R := mean (fun i => Ent (alpha i)) - 1 / (2 * lambda) * ‖(v alpha)‖².
Definition divergence (alpha : nat -> R) (w : vec) (b : R) : R :=
  mean (fun i => KL (alpha i) (sigma (- m w b i))).

Lemma mean_ext f g : (forall i, (i < n)%nat -> f i = g i) -> mean f = mean g.
Proof. intros H. unfold mean. f_equal. apply sum_ext, H. Qed.

(** "In the middle b drops out" *)
Lemma weighted_margins alpha w b : Σ[i < n] alpha i * y i = 0 ->
  mean (fun i => alpha i * m w b i) = ⟨w, v alpha⟩.
Proof.
  intros H0. unfold mean, v. rewrite dot_scale_r, dot_comb. f_equal.
  rewrite (sum_ext n _ (fun i => alpha i * y i * ⟨w, x i⟩ + b * (alpha i * y i)))
    by (intros; unfold m; ring).
  rewrite sum_plus, sum_scale, H0. ring.
Qed.

(** "The mean of ... over the samples" *)
Lemma the_sum alpha w b : dual_feasible alpha ->
  L w b = mean (fun i => Ent (alpha i)) - ⟨w, v alpha⟩ + divergence alpha w b.
Proof.
  intros [Ha H0]. rewrite <- (weighted_margins alpha w b H0). unfold L, divergence.
  destruct lem_lg_young as [Y _].
  rewrite (mean_ext _ (fun i => Ent (alpha i) + (-1 * (alpha i * m w b i) + KL (alpha i) (sigma (- m w b i))))).
  - unfold mean. rewrite !sum_plus, sum_scale. ring.
  - intros i Hi. rewrite (Y (m w b i) (alpha i) (Ha i Hi)). ring.
Qed.

Lemma mean_nonneg f : (forall i, (i < n)%nat -> 0 <= f i) -> mean f >= 0.
Proof.
  intros H. unfold mean. pose proof (sum_nonneg n f H).
  destruct n as [ | k]; [ simpl; lra | ].
  assert (/ INR (S k) > 0) by (apply Rinv_0_lt_compat, lt_0_INR; lia). nra.
Qed.

Lemma divergence_nonneg alpha w b : dual_feasible alpha -> divergence alpha w b >= 0.
Proof.
  intros [Ha _]. apply mean_nonneg. intros i Hi.
  apply Rge_le, KL_nonneg; [ auto | apply sigma_between ].
Qed.

(** "a complete square" *)
Lemma the_square w u : lambda > 0 ->
  lambda / 2 * ‖w‖² - ⟨w, u⟩ + 1 / (2 * lambda) * ‖u‖² =
  lambda / 2 * ‖(fun j => w j - / lambda * u j)‖².
Proof.
  intros Hl. rewrite less_square. field. lra.
Qed.

(** w and b, and the dual variables alpha* that they give, at which the gradient vanishes. *)
Definition dual_of (w : vec) (b : R) : nat -> R := fun i => sigma (- m w b i).
Definition stationary (w : vec) (b : R) : Prop :=
  Σ[i < n] dual_of w b i * y i = 0 /\ forall j, (j < d)%nat -> v (dual_of w b) j = lambda * w j.

Theorem thm_lg_duality : (0 < n)%nat ->
  (lambda > 0 -> forall alpha w b, dual_feasible alpha ->
     penalised w b - low alpha =
       divergence alpha w b + lambda / 2 * ‖(fun j => w j - / lambda * v alpha j)‖² /\
     low alpha <= penalised w b) /\
  (lambda > 0 -> forall wstar bstar, stationary wstar bstar ->
     dual_feasible (dual_of wstar bstar) /\
     low (dual_of wstar bstar) = penalised wstar bstar /\
     (forall alpha, dual_feasible alpha -> low alpha = penalised wstar bstar ->
        forall i, (i < n)%nat -> alpha i = dual_of wstar bstar i) /\
     (forall w b, lambda / 2 * ‖(fun j => w j - wstar j)‖² <= penalised w b - penalised wstar bstar)) /\
  (* lambda = 0 *)
  (forall alpha w b, dual_feasible alpha -> (forall j, (j < d)%nat -> comb n (fun i => alpha i * y i) x j = 0) ->
     L w b - mean (fun i => Ent (alpha i)) = divergence alpha w b /\ divergence alpha w b >= 0).
Proof.
  intros Hn.
  assert (gap : lambda > 0 -> forall alpha w b, dual_feasible alpha ->
     penalised w b - low alpha =
       divergence alpha w b + lambda / 2 * ‖(fun j => w j - / lambda * v alpha j)‖²).
  { intros Hl alpha w b Hf. rewrite <- the_square by exact Hl. unfold penalised, low.
    rewrite (the_sum alpha w b Hf). ring. }
  assert (square : forall u, lambda > 0 -> 0 <= lambda / 2 * ‖u‖²).
  { intros u Hl. pose proof (dot_self d u). apply Rmult_le_pos; lra. }
  split; [ | split ].
  - intros Hl alpha w b Hf. split; [ exact (gap Hl alpha w b Hf) | ].
    pose proof (gap Hl alpha w b Hf) as G. pose proof (divergence_nonneg alpha w b Hf).
    pose proof (square (fun j => w j - / lambda * v alpha j) Hl). lra.
  - intros Hl ws bs [S0 Sv].
    assert (Hf : dual_feasible (dual_of ws bs)).
    { split; [ | exact S0 ]. intros i Hi. pose proof (sigma_between (- m ws bs i)). unfold dual_of. lra. }
    assert (Eq : low (dual_of ws bs) = penalised ws bs).
    { pose proof (gap Hl _ ws bs Hf) as G.
      assert (Z1 : divergence (dual_of ws bs) ws bs = 0).
      { unfold divergence, dual_of. rewrite (mean_ext _ (fun i => 0 * 0)).
        - unfold mean. rewrite sum_scale. ring.
        - intros i Hi. rewrite KL_same by apply sigma_between. ring. }
      rewrite Z1, (dot_zero d (fun j => ws j - / lambda * v (dual_of ws bs) j)) in G
        by (intros j Hj; rewrite Sv by exact Hj; field; lra).
      lra. }
    split; [ exact Hf | split; [ exact Eq | split ] ].
    + (* "Another alpha has a positive KL there." *)
      intros alpha Ha E i Hi. pose proof (gap Hl alpha ws bs Ha) as G.
      pose proof (square (fun j => ws j - / lambda * v alpha j) Hl).
      pose proof (divergence_nonneg alpha ws bs Ha) as N.
      assert (Z : divergence alpha ws bs = 0) by lra.
      unfold divergence, mean in Z.
      assert (P : / INR n > 0) by (apply Rinv_0_lt_compat, lt_0_INR; exact Hn).
      assert (Z' : Σ[k < n] KL (alpha k) (sigma (- m ws bs k)) = 0).
      { apply Rmult_eq_reg_l with (/ INR n); [ rewrite Z; ring | lra ]. }
      destruct Ha as [Ha _]. unfold dual_of.
      apply KL_nonneg; [ auto | apply sigma_between | ].
      apply (sum_zero n (fun k => KL (alpha k) (sigma (- m ws bs k)))); auto.
      intros k Hk. apply Rge_le, KL_nonneg; [ auto | apply sigma_between ].
    + (* "Finally take alpha = alpha*" *)
      intros w b. rewrite <- Eq. rewrite (gap Hl _ w b Hf).
      pose proof (divergence_nonneg (dual_of ws bs) w b Hf).
      assert (E : forall j, (j < d)%nat -> w j - / lambda * v (dual_of ws bs) j = w j - ws j)
        by (intros j Hj; rewrite Sv by exact Hj; field; lra).
      rewrite (dot_ext d _ _ _ E), (dot_ext_r d _ _ _ E). lra.
  - intros alpha w b Hf H0. split; [ | apply divergence_nonneg, Hf ].
    rewrite (the_sum alpha w b Hf).
    assert (Z : ⟨w, v alpha⟩ = 0).
    { unfold v. rewrite dot_scale_r, dot_sym, dot_zero by exact H0. ring. }
    rewrite Z. ring.
Qed.
End Logistic.
