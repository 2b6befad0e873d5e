(** * Lesson 6, in depth: thm-lg-damped, its first claim *)
From LinearClassification Require Import Vectors Residual Logistic.

(** ** One sample *)
Section Sample.
Variable q : R.
Definition weight (u : R) : R := 1 - q + q * exp (- u).
Definition over (u : R) : R := / 2 * (q * (1 - q)) * (u * u * exp u) + - q * u - ln (weight u).

Lemma weight_pos u : 0 < q < 1 -> 0 < weight u.
Proof. intros Hq. unfold weight. pose proof (exp_pos (- u)). nra. Qed.

Lemma over_slope u : 0 < q < 1 ->
  derivable_pt_lim over u (q * (1 - q) * ((u + / 2 * (u * u)) * exp u - (1 - exp (- u)) / weight u)).
Proof.
  intros Hq. pose proof (weight_pos u Hq) as P0.
  pose proof (derivable_pt_lim_scal (id * id * exp)%F (/ 2 * (q * (1 - q))) u _
    (derivable_pt_lim_mult (id * id)%F exp u _ _
      (derivable_pt_lim_mult id id u 1 1 (derivable_pt_lim_id u) (derivable_pt_lim_id u)) (derivable_pt_lim_exp u))) as D1.
  pose proof (derivable_pt_lim_scal id (- q) u 1 (derivable_pt_lim_id u)) as D2.
  assert (D3 : derivable_pt_lim weight u (0 + q * (exp (- u) * -1))).
  { exact (derivable_pt_lim_plus (fct_cte (1 - q)) _ u _ _ (derivable_pt_lim_const (1 - q) u)
      (derivable_pt_lim_scal (comp exp (- id)%F) q u _ (derivable_pt_lim_comp (- id)%F exp u (-1) _
        (derivable_pt_lim_opp id u 1 (derivable_pt_lim_id u)) (derivable_pt_lim_exp (- u))))). }
  pose proof (derivable_pt_lim_comp weight ln u _ _ D3 (derivable_pt_lim_ln _ P0)) as D4.
  pose proof (derivable_pt_lim_minus _ _ u _ _ (derivable_pt_lim_plus _ _ u _ _ D1 D2) D4) as H.
  match type of H with derivable_pt_lim _ _ ?l =>
    replace (q * (1 - q) * ((u + / 2 * (u * u)) * exp u - (1 - exp (- u)) / weight u)) with l end; [ exact H | ].
  unfold mult_fct, id. unfold weight in *. field. lra.
Qed.

(** e^u - 1 is at most u e^u *)
Lemma rise u : exp u - 1 <= u * exp u.
Proof.
  pose proof (exp_ineq1_le (- u)) as H. pose proof (exp_pos u).
  assert (E : exp u * exp (- u) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). nra.
Qed.

Lemma over_nonneg u : 0 < q < 1 -> 0 <= u -> 0 <= over u.
Proof.
  intros Hq Hu. assert (Z : over 0 = 0).
  { unfold over, weight. rewrite Ropp_0, exp_0. replace (1 - q + q * 1) with 1 by ring. rewrite ln_1. ring. }
  destruct (Req_dec u 0) as [-> | N]; [ lra | ].
  destruct (MVT_cor2 over (fun u => q * (1 - q) * ((u + / 2 * (u * u)) * exp u - (1 - exp (- u)) / weight u)) 0 u)
    as (c & E & Hc); [ lra | intros; apply over_slope; exact Hq | ].
  pose proof (weight_pos c Hq) as P0. pose proof (rise c) as R0.
  pose proof (exp_pos c) as P1. pose proof (exp_pos (- c)) as P2.
  assert (I : exp c * exp (- c) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (S1 : (1 - exp (- c)) / weight c <= exp c - 1).
  { apply Rmult_le_reg_r with (weight c); [ exact P0 | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (B : exp (- c) <= weight c).
    { unfold weight. assert (exp (- c) <= 1); [ | nra ]. rewrite <- exp_0. left. apply exp_increasing. lra. }
    assert (1 <= exp c) by (rewrite <- exp_0; left; apply exp_increasing; lra). nra. }
  assert (S2 : 0 <= (c + / 2 * (c * c)) * exp c - (1 - exp (- c)) / weight c).
  { assert (0 <= c * c * exp c) by (apply Rmult_le_pos; nra). lra. }
  assert (0 <= q * (1 - q) * ((c + / 2 * (c * c)) * exp c - (1 - exp (- c)) / weight c) * (u - 0)).
  { apply Rmult_le_pos; [ apply Rmult_le_pos; nra | lra ]. }
  lra.
Qed.
End Sample.

Lemma sigma_opposite m : sigma (- m) = exp (- m) / (1 + exp (- m)) /\ sigma m = 1 - sigma (- m).
Proof.
  unfold sigma. rewrite Ropp_involutive. pose proof (exp_pos m). pose proof (exp_pos (- m)).
  assert (I : exp m * exp (- m) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (E : 1 / (1 + exp m) = exp (- m) / (1 + exp (- m))).
  { apply Rmult_eq_reg_r with ((1 + exp m) * (1 + exp (- m))); [ | nra ]. field_simplify; [ nra | lra | lra ]. }
  split; [ exact E | rewrite E; field; lra ].
Qed.

Lemma other_side m : ln (1 + exp (- m)) = ln (1 + exp m) - m.
Proof.
  pose proof (exp_pos m). pose proof (exp_pos (- m)).
  assert (I : exp m * exp (- m) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (1 + exp (- m)) with ((1 + exp m) * exp (- m)) by nra.
  rewrite ln_mult, ln_exp by lra. ring.
Qed.

(** The loss of one sample when its margin m grows by u. *)
Lemma one_sample m u :
  ln (1 + exp (- (m + u))) <=
  ln (1 + exp (- m)) - u * sigma (- m) + / 2 * (sigma m * sigma (- m)) * (u * u * exp (Rabs u)).
Proof.
  assert (G : forall m u, 0 <= u -> ln (1 + exp (- (m + u))) <=
    ln (1 + exp (- m)) - u * sigma (- m) + / 2 * (sigma m * sigma (- m)) * (u * u * exp u)).
  { clear m u. intros m u Hu. destruct (sigma_opposite m) as [E1 E2]. pose proof (exp_pos (- m)) as P1.
    assert (Hq : 0 < sigma (- m) < 1) by apply sigma_between.
    pose proof (over_nonneg (sigma (- m)) u Hq Hu) as O. unfold over in O.
    pose proof (weight_pos (sigma (- m)) u Hq) as P0.
    replace (1 + exp (- (m + u))) with ((1 + exp (- m)) * weight (sigma (- m)) u).
    - rewrite ln_mult by lra. rewrite E2. nra.
    - unfold weight. rewrite E1. replace (- (m + u)) with (- m + - u) by ring. rewrite exp_plus. field. lra. }
  destruct (Rle_dec 0 u) as [Hu | Hu].
  - rewrite Rabs_right by lra. apply G, Hu.
  - rewrite Rabs_left by lra. specialize (G (- m) (- u) ltac:(lra)).
    rewrite (other_side (m + u)), (other_side m). destruct (sigma_opposite m) as [_ E2].
    rewrite Ropp_involutive, E2 in *. replace (- (- m + - u)) with (m + u) in G by ring. nra.
Qed.

(** ** All samples *)
Section Damped.
(** The n rows z_i = y_i (x_i, 1) are those of the book's matrix, each with the sign of its label. *)
Variables (n p : nat) (z : nat -> vec).
Notation "⟨ a , b ⟩" := (dot p a b).

(** The loss, its gradient, and what its Hessian does to a vector *)
Definition log_loss (a : vec) : R := / INR n * Σ[i < n] ln (1 + exp (- ⟨a, z i⟩)).
Definition gradient (a : vec) : vec := fun j => - / INR n * comb n (fun i => sigma (- ⟨a, z i⟩)) z j.
Definition hessian (a u : vec) : vec := fun j =>
  / INR n * comb n (fun i => sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * ⟨u, z i⟩) z j.

(** The columns of the rows z_i are independent. *)
Definition independent : Prop :=
  forall u, (forall i, (i < n)%nat -> ⟨u, z i⟩ = 0) -> forall j, (j < p)%nat -> u j = 0.

(** The step s of Newton's method, the squared decrement, and the test of a shorter step *)
Definition newton_step (a s : vec) : Prop := forall j, (j < p)%nat -> hessian a s j = - gradient a j.
Definition dec2 (a s : vec) : R := - ⟨gradient a, s⟩.
Definition after (a s : vec) (t : R) : vec := fun j => a j + t * s j.
Definition passes (a s : vec) (t : R) : Prop := log_loss (after a s t) <= log_loss a - 1/4 * t * dec2 a s.

Lemma average_le f g : (forall i, (i < n)%nat -> f i <= g i) -> / INR n * sum n f <= / INR n * sum n g.
Proof.
  destruct (Nat.eq_dec n 0) as [N | N]; intros H; [ rewrite N; simpl; lra | ].
  apply Rmult_le_compat_l; [ | apply sum_le, H ]. apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia.
Qed.

Lemma after_margin a s t i : ⟨after a s t, z i⟩ = ⟨a, z i⟩ + t * ⟨s, z i⟩.
Proof. unfold after. rewrite (dot_plus p a (fun j => t * s j)), dot_scale. reflexivity. Qed.

Lemma gradient_dot a u : ⟨gradient a, u⟩ = - / INR n * Σ[i < n] sigma (- ⟨a, z i⟩) * ⟨u, z i⟩.
Proof. unfold gradient. rewrite dot_scale. f_equal. rewrite dot_sym, dot_comb. reflexivity. Qed.

Lemma hessian_dot a u : ⟨u, hessian a u⟩
  = / INR n * Σ[i < n] sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨u, z i⟩ * ⟨u, z i⟩).
Proof.
  unfold hessian. rewrite dot_scale_r. f_equal. rewrite dot_comb. apply sum_ext. intros; ring.
Qed.

Lemma curvature_pos m : 0 < sigma m * sigma (- m).
Proof. apply Rmult_lt_0_compat; apply sigma_between. Qed.

(** ** The derivatives *)
Lemma line m c : derivable_pt_lim (fun t => - (m + t * c)) 0 (- c).
Proof.
  pose proof (derivable_pt_lim_opp _ 0 _ (derivable_pt_lim_plus (fct_cte m) (mult_real_fct c id) 0 _ _
    (derivable_pt_lim_const m 0) (derivable_pt_lim_scal id c 0 1 (derivable_pt_lim_id 0)))) as H.
  replace (- c) with (- (0 + c * 1)) by ring. intros e He. destruct (H e He) as [d Hd]. exists d. intros h Nh Sh.
  specialize (Hd h Nh Sh). unfold opp_fct, plus_fct, fct_cte, mult_real_fct, id in Hd.
  replace (- (m + (0 + h) * c)) with (- (m + c * (0 + h))) by ring. replace (- (m + 0 * c)) with (- (m + c * 0)) by ring.
  exact Hd.
Qed.

Lemma grown m c : derivable_pt_lim (fun t => 1 + exp (- (m + t * c))) 0 (- c * exp (- m)).
Proof.
  pose proof (derivable_pt_lim_plus (fct_cte 1) _ 0 _ _ (derivable_pt_lim_const 1 0)
    (derivable_pt_lim_comp _ exp 0 _ _ (line m c) (derivable_pt_lim_exp _))) as H.
  replace (- c * exp (- m)) with (0 + exp (- (m + 0 * c)) * - c); [ exact H | ].
  replace (m + 0 * c) with m by ring. ring.
Qed.

Lemma loss_slope m c : derivable_pt_lim (fun t => ln (1 + exp (- (m + t * c)))) 0 (- sigma (- m) * c).
Proof.
  pose proof (exp_pos (- m)). assert (P0 : 0 < 1 + exp (- (m + 0 * c))) by (replace (m + 0 * c) with m by ring; lra).
  pose proof (derivable_pt_lim_comp _ ln 0 _ _ (grown m c) (derivable_pt_lim_ln _ P0)) as D.
  replace (- sigma (- m) * c) with (/ (1 + exp (- (m + 0 * c))) * (- c * exp (- m))); [ exact D | ].
  replace (m + 0 * c) with m by ring. destruct (sigma_opposite m) as [-> _]. field. lra.
Qed.

Lemma sigma_slope m c : derivable_pt_lim (fun t => sigma (- (m + t * c))) 0 (- (sigma m * sigma (- m)) * c).
Proof.
  pose proof (exp_pos (- m)). assert (P0 : 1 + exp (- (m + 0 * c)) <> 0) by (replace (m + 0 * c) with m by ring; lra).
  pose proof (derivable_pt_lim_minus (fct_cte 1) _ 0 _ _ (derivable_pt_lim_const 1 0)
    (derivable_pt_lim_div (fct_cte 1) _ 0 _ _ (derivable_pt_lim_const 1 0) (grown m c) P0)) as D.
  replace (- (sigma m * sigma (- m)) * c) with
    (0 - (0 * (1 + exp (- (m + 0 * c))) - - c * exp (- m) * 1) / Rsqr (1 + exp (- (m + 0 * c)))).
  - intros e He. destruct (D e He) as [d Hd]. exists d. intros h Nh Sh. specialize (Hd h Nh Sh).
    unfold minus_fct, fct_cte, div_fct in Hd.
    assert (E : forall t, sigma (- (m + t * c)) = 1 - 1 / (1 + exp (- (m + t * c)))).
    { intros t. destruct (sigma_opposite (m + t * c)) as [_ E2]. unfold sigma in E2 at 1. lra. }
    rewrite !E. exact Hd.
  - replace (m + 0 * c) with m by ring. destruct (sigma_opposite m) as [E1 E2]. rewrite E2, E1. unfold Rsqr. field. lra.
Qed.

Lemma sum_slope k (f : nat -> R -> R) t l : (forall i, (i < k)%nat -> derivable_pt_lim (f i) t (l i)) ->
  derivable_pt_lim (fun t => Σ[i < k] f i t) t (Σ[i < k] l i).
Proof.
  induction k as [ | k IH]; intros H; simpl; [ apply (derivable_pt_lim_const 0 t) | ].
  apply (derivable_pt_lim_plus (fun t => Σ[i < k] f i t) (f k)); auto.
Qed.

Lemma derivable_ext f g t l : (forall t, f t = g t) -> derivable_pt_lim f t l -> derivable_pt_lim g t l.
Proof. intros H D e He. destruct (D e He) as [d Hd]. exists d. intros h. rewrite <- !H. apply Hd. Qed.

Lemma gradient_is a u : derivable_pt_lim (fun t => log_loss (after a u t)) 0 ⟨gradient a, u⟩.
Proof.
  rewrite gradient_dot. pose proof (derivable_pt_lim_scal _ (/ INR n) 0 _
    (sum_slope n (fun i t => ln (1 + exp (- (⟨a, z i⟩ + t * ⟨u, z i⟩)))) 0 _ (fun i _ => loss_slope ⟨a, z i⟩ ⟨u, z i⟩))) as D.
  replace (- / INR n * Σ[i < n] sigma (- ⟨a, z i⟩) * ⟨u, z i⟩)
    with (/ INR n * Σ[i < n] - sigma (- ⟨a, z i⟩) * ⟨u, z i⟩).
  - revert D. apply derivable_ext. intros t. unfold mult_real_fct, log_loss. f_equal. apply sum_ext. intros i Hi.
    rewrite after_margin. reflexivity.
  - rewrite (sum_ext n (fun i => - sigma (- ⟨a, z i⟩) * ⟨u, z i⟩) (fun i => -1 * (sigma (- ⟨a, z i⟩) * ⟨u, z i⟩)))
      by (intros; ring). rewrite sum_scale. ring.
Qed.

Lemma hessian_is a u w : derivable_pt_lim (fun t => ⟨gradient (after a u t), w⟩) 0 ⟨hessian a u, w⟩.
Proof.
  pose proof (derivable_pt_lim_scal _ (- / INR n) 0 _
    (sum_slope n (fun i t => mult_real_fct ⟨w, z i⟩ (fun t => sigma (- (⟨a, z i⟩ + t * ⟨u, z i⟩))) t) 0 _
      (fun i _ => derivable_pt_lim_scal _ ⟨w, z i⟩ 0 _ (sigma_slope ⟨a, z i⟩ ⟨u, z i⟩)))) as D.
  match type of D with derivable_pt_lim _ _ ?l => replace ⟨hessian a u, w⟩ with l end.
  - revert D. apply derivable_ext. intros t. rewrite gradient_dot. unfold mult_real_fct. f_equal. apply sum_ext.
    intros i Hi. rewrite after_margin. ring.
  - unfold hessian. rewrite dot_scale, (dot_sym p _ w), dot_comb, <- Ropp_mult_distr_l, Ropp_mult_distr_r. f_equal.
    rewrite <- (Rmult_1_l (sum n _)), Ropp_mult_distr_l, <- sum_scale. apply sum_ext. intros; ring.
Qed.

Lemma square_gone c u : 0 < c -> c * (u * u) = 0 -> u = 0.
Proof. intros Hc E. destruct (Req_dec u 0) as [Z | N]; [ exact Z | exfalso ]. assert (0 < u * u) by nra. nra. Qed.

(** "⟨s, ∇²L(a)s⟩ = dec²" *)
Lemma dec2_is a s : newton_step a s -> dec2 a s = ⟨s, hessian a s⟩.
Proof.
  intros H. rewrite (dot_ext_r p (hessian a s) (fun j => -1 * gradient a j)) by (intros; rewrite H; auto; ring).
  rewrite dot_scale_r. unfold dec2. rewrite (dot_sym p s). ring.
Qed.

(** "Integrate twice", sample by sample *)
Lemma along a s r t : newton_step a s -> 0 < t -> (forall i, (i < n)%nat -> Rabs ⟨s, z i⟩ <= r) ->
  log_loss (after a s t) <= log_loss a - t * dec2 a s + / 2 * (t * t) * exp (t * r) * dec2 a s.
Proof.
  intros H Ht Hr. rewrite (dec2_is a s H) at 2. unfold dec2. rewrite gradient_dot, hessian_dot. unfold log_loss.
  set (S0 := Σ[i < n] ln (1 + exp (- ⟨a, z i⟩))).
  set (S1 := Σ[i < n] sigma (- ⟨a, z i⟩) * ⟨s, z i⟩).
  set (S2 := Σ[i < n] sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨s, z i⟩ * ⟨s, z i⟩)).
  replace (/ INR n * S0 - t * - (- / INR n * S1) + / 2 * (t * t) * exp (t * r) * (/ INR n * S2))
    with (/ INR n * (S0 + (- t * S1 + / 2 * (t * t) * exp (t * r) * S2))) by ring.
  unfold S0, S1, S2. rewrite <- (sum_scale n (- t)), <- (sum_scale n (/ 2 * (t * t) * exp (t * r))), <- !sum_plus. apply average_le. intros i Hi. rewrite after_margin.
  pose proof (one_sample ⟨a, z i⟩ (t * ⟨s, z i⟩)) as O. specialize (Hr i Hi).
  set (c := sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩)) in *. set (u := ⟨s, z i⟩) in *.
  assert (Hc : 0 < c) by apply curvature_pos.
  assert (X : exp (Rabs (t * u)) <= exp (t * r)).
  { rewrite Rabs_mult, (Rabs_right t) by lra.
    assert (Y : t * Rabs u <= t * r) by (apply Rmult_le_compat_l; lra).
    destruct Y as [Y | Y]; [ left; apply exp_increasing, Y | right; f_equal; exact Y ]. }
  assert (Z : 0 <= / 2 * c * (t * t * (u * u))).
  { apply Rmult_le_pos; [ lra | ]. apply Rmult_le_pos; nra. }
  pose proof (Rmult_le_compat_l _ _ _ Z X). lra.
Qed.

Lemma dec2_nonneg a s : newton_step a s -> 0 <= dec2 a s.
Proof.
  intros H. rewrite dec2_is, hessian_dot by exact H.
  apply Rle_trans with (/ INR n * Σ[i < n] 0 * 0); [ rewrite sum_scale; lra | ]. apply average_le. intros i Hi.
  rewrite Rmult_0_l. pose proof (curvature_pos ⟨a, z i⟩). apply Rmult_le_pos; nra.
Qed.

(** If the decrement is zero, so is the gradient. *)
Lemma dec2_zero a s : newton_step a s -> dec2 a s = 0 -> forall j, (j < p)%nat -> gradient a j = 0.
Proof.
  intros H Z j Hj. destruct (Nat.eq_dec n 0) as [N | N].
  { unfold gradient, comb. rewrite N. simpl. ring. }
  assert (P0 : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  rewrite dec2_is, hessian_dot in Z by exact H.
  assert (Z1 : forall i, (i < n)%nat -> ⟨s, z i⟩ = 0).
  { intros i Hi. assert (E : sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨s, z i⟩ * ⟨s, z i⟩) = 0).
    { apply (sum_zero n (fun i => sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨s, z i⟩ * ⟨s, z i⟩))); auto.
      - intros l Hl. pose proof (curvature_pos ⟨a, z l⟩). apply Rmult_le_pos; nra.
      - apply Rmult_eq_reg_l with (/ INR n); [ rewrite Rmult_0_r; exact Z | lra ]. }
    apply (square_gone _ _ (curvature_pos ⟨a, z i⟩) E). }
  specialize (H j Hj). unfold hessian, comb in H.
  rewrite (sum_ext n _ (fun i => 0 * 0)), sum_scale in H by (intros i Hi; rewrite Z1; auto; ring). lra.
Qed.

(** There is one step: least squares, with the rows √v_i z_i, have a minimiser. *)
Lemma step_exists a : exists s, newton_step a s.
Proof.
  set (c := fun i => sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩)).
  assert (C : forall i, 0 < c i) by (intros; apply curvature_pos).
  assert (R0 : forall i, sqrt (c i) * sqrt (c i) = c i) by (intros; apply sqrt_sqrt; specialize (C i); lra).
  assert (R1 : forall i, 0 < sqrt (c i)) by (intros; apply sqrt_lt_R0, C).
  destruct (thm_normal_equations n p (fun i j => sqrt (c i) * z i j) (fun i => sigma (- ⟨a, z i⟩) / sqrt (c i)))
    as (_ & (s & Hs) & _).
  apply least_is_orthogonal in Hs. exists s. intros j Hj. specialize (Hs j Hj).
  unfold hessian, gradient. rewrite Ropp_mult_distr_l, Ropp_involutive. f_equal. unfold comb in *.
  apply Rminus_diag_uniq_sym. rewrite <- Hs.
  unfold Rminus. rewrite <- (Rmult_1_l (- sum n _)), <- Ropp_mult_distr_r, Ropp_mult_distr_l, <- sum_scale, <- sum_plus.
  apply sum_ext. intros i Hi. unfold residual, scores.
  rewrite (sum_ext p _ (fun l => sqrt (c i) * (s l * z i l))), sum_scale by (intros; ring).
  change (Σ[l < p] s l * z i l) with ⟨s, z i⟩. fold (c i). specialize (R1 i). rewrite <- (R0 i) at 1. field. lra.
Qed.

Lemma step_is_one a s s' : independent -> newton_step a s -> newton_step a s' ->
  forall j, (j < p)%nat -> s j = s' j.
Proof.
  intros I H H' j Hj. destruct (Nat.eq_dec n 0) as [N | N].
  { assert (F : 1 = 0) by (apply (I (fun _ => 1) ltac:(intros; lia) j Hj)). lra. }
  set (u := fun j => s j - s' j).
  assert (P0 : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (U : forall i, ⟨u, z i⟩ = ⟨s, z i⟩ - ⟨s', z i⟩) by (intros; unfold u; apply dot_minus).
  assert (Z : ⟨u, hessian a u⟩ = 0).
  { rewrite (dot_ext_r p (hessian a u) (fun l => hessian a s l - hessian a s' l)).
    - rewrite dot_minus_r, (dot_ext_r p (hessian a s) (hessian a s')); [ ring | ].
      intros l Hl. rewrite H, H' by exact Hl. reflexivity.
    - intros l Hl. unfold hessian. rewrite <- Rmult_minus_distr_l. f_equal. unfold comb, Rminus.
      rewrite <- (Rmult_1_l (- sum n _)), <- Ropp_mult_distr_r, Ropp_mult_distr_l, <- sum_scale, <- sum_plus.
      apply sum_ext. intros i Hi. rewrite U. ring. }
  rewrite hessian_dot in Z.
  assert (E : u j = 0); [ | unfold u in E; lra ]. apply I; [ | exact Hj ]. intros i Hi.
  assert (E : sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨u, z i⟩ * ⟨u, z i⟩) = 0).
  { apply (sum_zero n (fun i => sigma ⟨a, z i⟩ * sigma (- ⟨a, z i⟩) * (⟨u, z i⟩ * ⟨u, z i⟩))); auto.
    - intros l Hl. pose proof (curvature_pos ⟨a, z l⟩). apply Rmult_le_pos; nra.
    - apply Rmult_eq_reg_l with (/ INR n); [ rewrite Rmult_0_r; exact Z | lra ]. }
  exact (square_gone _ _ (curvature_pos ⟨a, z i⟩) E).
Qed.

Lemma margins_bounded s : exists r, forall i, (i < n)%nat -> Rabs ⟨s, z i⟩ <= r.
Proof.
  exists (Σ[i < n] Rabs ⟨s, z i⟩). intros i Hi.
  apply (sum_term n (fun i => Rabs ⟨s, z i⟩)); auto. intros; apply Rabs_pos.
Qed.

Lemma first_of (event : nat -> Prop) : (forall k, {event k} + {~ event k}) -> (exists k, event k) ->
  exists k, event k /\ forall l, (l < k)%nat -> ~ event l.
Proof.
  intros D [K HK].
  assert (G : forall k, (exists l, (l < k)%nat /\ event l /\ forall l', (l' < l)%nat -> ~ event l') \/
    forall l, (l < k)%nat -> ~ event l).
  { induction k as [ | k [(l & Hl & H) | N]]; [ right; intros; lia | left; exists l; split; [ lia | exact H ] | ].
    destruct (D k) as [Y | Y]; [ left; exists k; auto | right ]. intros l Hl.
    destruct (Nat.eq_dec l k) as [-> | ]; [ exact Y | apply N; lia ]. }
  destruct (G (S K)) as [(l & _ & H) | N]; [ exists l; exact H | exfalso; apply (N K); auto ].
Qed.

Theorem thm_lg_damped a : independent ->
  (* gradient and Hessian are the derivatives along every line *)
  (forall u, derivable_pt_lim (fun t => log_loss (after a u t)) 0 ⟨gradient a, u⟩) /\
  (forall u w, derivable_pt_lim (fun t => ⟨gradient (after a u t), w⟩) 0 ⟨hessian a u, w⟩) /\
  (* there is exactly one step s *)
  (exists s, newton_step a s) /\
  (forall s s', newton_step a s -> newton_step a s' -> forall j, (j < p)%nat -> s j = s' j) /\
  forall s, newton_step a s ->
    (* 1 *)
    (forall r t, (forall i, (i < n)%nat -> Rabs ⟨s, z i⟩ <= r) ->
       t > 0 -> t * exp (t * r) <= 3/2 -> passes a s t) /\
    (* so one of 1, 1/2, 1/4, ... is the first that passes, and no step that passes raises the loss *)
    (exists k, passes a s ((1/2) ^ k) /\ forall l, (l < k)%nat -> ~ passes a s ((1/2) ^ l)) /\
    (forall t, t > 0 -> passes a s t -> log_loss (after a s t) <= log_loss a /\
       ((exists j, (j < p)%nat /\ gradient a j <> 0) -> log_loss (after a s t) < log_loss a)).
Proof.
  intros I. split; [ apply gradient_is | split; [ apply hessian_is | ] ]. split; [ apply step_exists | split; [ intros; apply step_is_one with a; auto | ] ]. intros s H.
  pose proof (dec2_nonneg a s H) as D0.
  assert (One : forall r t, (forall i, (i < n)%nat -> Rabs ⟨s, z i⟩ <= r) ->
    t > 0 -> t * exp (t * r) <= 3/2 -> passes a s t).
  { intros r t Hr Ht Hs. unfold passes. pose proof (along a s r t H Ht Hr) as Al.
    assert (0 <= (3/2 - t * exp (t * r)) * (t * dec2 a s)) by (apply Rmult_le_pos; [ lra | apply Rmult_le_pos; lra ]).
    lra. }
  split; [ exact One | split ].
  - apply first_of; [ intros; apply Rle_dec | ]. destruct (margins_bounded s) as [r Hr].
    set (r' := Rmax 0 r). pose proof (Rmax_l 0 r) as M1. pose proof (Rmax_r 0 r) as M2. fold r' in M1, M2.
    pose proof (exp_pos (- r')) as P0.
    destruct (pow_lt_1_zero (1/2) ltac:(rewrite Rabs_right; lra) (exp (- r')) P0) as [k Hk].
    exists k. specialize (Hk k ltac:(lia)). assert (T : (1/2) ^ k > 0) by (apply pow_lt; lra).
    pose proof (pow_incr (1/2) 1 k ltac:(lra)) as T1. rewrite pow1 in T1.
    rewrite Rabs_right in Hk by lra. apply (One r'); [ intros i Hi; specialize (Hr i Hi); lra | exact T | ].
    assert (X : exp ((1/2) ^ k * r') <= exp r').
    { assert (Y : (1/2) ^ k * r' <= r') by nra.
      destruct Y as [Y | Y]; [ left; apply exp_increasing, Y | right; f_equal; exact Y ]. }
    pose proof (exp_pos r'). assert (E : exp (- r') * exp r' = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
    assert ((1/2) ^ k * exp ((1/2) ^ k * r') <= (1/2) ^ k * exp r') by (apply Rmult_le_compat_l; lra).
    assert ((1/2) ^ k * exp r' <= exp (- r') * exp r') by (apply Rmult_le_compat_r; lra). lra.
  - intros t Ht Ps. unfold passes in Ps. assert (0 <= t * dec2 a s) by (apply Rmult_le_pos; lra). split; [ lra | ].
    intros (j & Hj & N). assert (dec2 a s <> 0) by (intros Z; apply N, (dec2_zero a s H Z j Hj)).
    assert (0 < t * dec2 a s) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
End Damped.
