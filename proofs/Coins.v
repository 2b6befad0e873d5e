(** * Lessons 0b and 0c: lem-coins, cor-list, thm-occam
    Chances are sums over finitely many outcomes. *)
From LinearClassification Require Import Vectors.
Require Import List Bool Classical_Prop.
Import ListNotations.

(** ** Independent draws *)
Section Draws.
Variable A : Type.

(** A distribution on finitely many values: a list of values, each with its chance. *)
Fixpoint mean (D : list (A * R)) (f : A -> R) : R :=
  match D with [] => 0 | (a, chance) :: rest => chance * f a + mean rest f end.
Definition distribution (D : list (A * R)) : Prop :=
  (forall a chance, In (a, chance) D -> 0 <= chance) /\ mean D (fun _ => 1) = 1.

(** The mean over independent draws, the first from the first distribution, and so on *)
Fixpoint E (Ds : list (list (A * R))) (f : list A -> R) : R :=
  match Ds with [] => f [] | D :: rest => mean D (fun a => E rest (fun s => f (a :: s))) end.

(** The chance of an event, for which a test says whether it happens *)
Definition P (Ds : list (list (A * R))) (event : list A -> Prop)
    (test : forall s, {event s} + {~ event s}) : R :=
  E Ds (fun s => if test s then 1 else 0).

(** Which share of the draws has a property *)
Definition share (property : A -> bool) (s : list A) : R :=
  INR (length (filter property s)) / INR (length s).
Definition indicator (property : A -> bool) (a : A) : R := if property a then 1 else 0.
End Draws.
Arguments mean {A}. Arguments distribution {A}. Arguments E {A}. Arguments P {A}.
Arguments share {A}. Arguments indicator {A}.

Section Means.
Variable A : Type.
Implicit Types (D : list (A * R)) (Ds : list (list (A * R))).

Lemma mean_ext D f g : (forall a, f a = g a) -> mean D f = mean D g.
Proof. intros H. induction D as [ | [a p] D IH]; simpl; [ reflexivity | rewrite IH, H; reflexivity ]. Qed.

Lemma mean_scale D f c : mean D (fun a => c * f a) = c * mean D f.
Proof. induction D as [ | [a p] D IH]; simpl; [ ring | rewrite IH; ring ]. Qed.

Lemma mean_plus D f g : mean D (fun a => f a + g a) = mean D f + mean D g.
Proof. induction D as [ | [a p] D IH]; simpl; [ ring | rewrite IH; ring ]. Qed.

Lemma mean_le D f g : distribution D -> (forall a, f a <= g a) -> mean D f <= mean D g.
Proof.
  intros [Hp _] H. induction D as [ | [a p] D IH]; simpl; [ lra | ].
  assert (0 <= p) by (apply (Hp a); left; reflexivity).
  assert (mean D f <= mean D g) by (apply IH; intros b q Hb; apply (Hp b); right; exact Hb).
  specialize (H a). nra.
Qed.

Lemma mean_indicator D property : distribution D -> 0 <= mean D (indicator property) <= 1.
Proof.
  intros H. split.
  - replace 0 with (mean D (fun _ => 0 * 0)) by (rewrite mean_scale; ring).
    apply mean_le; [ exact H | ]. intros a. unfold indicator. destruct (property a); lra.
  - rewrite <- (proj2 H). apply mean_le; [ exact H | ]. intros a. unfold indicator. destruct (property a); lra.
Qed.

Lemma E_le Ds : forall f g, Forall distribution Ds ->
  (forall s, length s = length Ds -> f s <= g s) -> E Ds f <= E Ds g.
Proof.
  induction Ds as [ | D Ds IH]; intros f g HD H; simpl; [ apply H; reflexivity | ].
  inversion HD; subst. apply mean_le; auto. intros a. apply IH; auto.
  intros s Hs. apply H. simpl. lia.
Qed.

Lemma E_ext Ds : forall f g, (forall s, f s = g s) -> E Ds f = E Ds g.
Proof.
  induction Ds as [ | D Ds IH]; intros f g H; simpl; [ apply H | ].
  apply mean_ext. intros a. apply IH. auto.
Qed.

Lemma E_scale Ds : forall f c, E Ds (fun s => c * f s) = c * E Ds f.
Proof.
  induction Ds as [ | D Ds IH]; intros f c; simpl; [ reflexivity | ].
  rewrite <- mean_scale. apply mean_ext. intros a. apply (IH (fun s => f (a :: s))).
Qed.

Lemma E_plus Ds : forall f g, E Ds (fun s => f s + g s) = E Ds f + E Ds g.
Proof.
  induction Ds as [ | D Ds IH]; intros f g; simpl; [ reflexivity | ].
  rewrite <- mean_plus. apply mean_ext. intros a. apply (IH (fun s => f (a :: s))).
Qed.

Lemma E_one Ds : Forall distribution Ds -> E Ds (fun _ => 1) = 1.
Proof.
  induction 1 as [ | D Ds HD _ IH]; simpl; [ reflexivity | ].
  transitivity (mean D (fun _ => 1)); [ apply mean_ext; intros _; exact IH | apply HD ].
Qed.

Lemma E_sum Ds M (f : nat -> list A -> R) : E Ds (fun s => Σ[j < M] f j s) = Σ[j < M] E Ds (f j).
Proof.
  induction M as [ | M IH]; simpl.
  - rewrite (E_ext Ds _ (fun s => 0 * 0)) by (intros; ring). rewrite (E_scale Ds (fun _ => 0)). ring.
  - rewrite E_plus, IH. reflexivity.
Qed.
End Means.

(** ** One coin *)
Section Coin.
Variable q : R.
(** By how much, on average, a coin multiplies a stake, when heads multiply it by e^t *)
Definition toss (t : R) : R := 1 - q + q * exp t.

Lemma toss_slope t : derivable_pt_lim toss t (q * exp t).
Proof.
  assert (H : derivable_pt_lim (fct_cte (1 - q) + mult_real_fct q exp)%F t (0 + q * exp t)).
  { apply derivable_pt_lim_plus; [ apply derivable_pt_lim_const | ].
    apply derivable_pt_lim_scal, derivable_pt_lim_exp. }
  rewrite Rplus_0_l in H. exact H.
Qed.

Lemma toss_pos t : 0 <= q <= 1 -> toss t > 0.
Proof. intros Hq. unfold toss. pose proof (exp_pos t). destruct (Req_dec q 0) as [-> | N]; nra. Qed.

(** t/4 + q - r with "r" the share of the stake that is on heads: ψ' is below t/4 *)
Definition slack (t : R) : R := (/ 4 * t + q) - q * exp t / toss t.

Lemma slack_slope t : 0 <= q <= 1 -> derivable_pt_lim slack t (/ 4 - q * (1 - q) * exp t / (toss t * toss t)).
Proof.
  intros Hq. pose proof (toss_pos t Hq) as P0.
  assert (H : derivable_pt_lim ((mult_real_fct (/ 4) id + fct_cte q) - (mult_real_fct q exp / toss))%F t
    ((/ 4 * 1 + 0) - (q * exp t * toss t - q * exp t * (mult_real_fct q exp t)) / Rsqr (toss t))).
  { apply derivable_pt_lim_minus.
    - apply derivable_pt_lim_plus; [ apply derivable_pt_lim_scal, derivable_pt_lim_id | apply derivable_pt_lim_const ].
    - apply derivable_pt_lim_div; [ apply derivable_pt_lim_scal, derivable_pt_lim_exp | apply toss_slope | lra ]. }
  replace (/ 4 - q * (1 - q) * exp t / (toss t * toss t))
    with ((/ 4 * 1 + 0) - (q * exp t * toss t - q * exp t * (mult_real_fct q exp t)) / Rsqr (toss t)); [ exact H | ].
  unfold mult_real_fct, Rsqr. unfold toss at 1. field. lra.
Qed.

(** "the last by the quotient rule": r(1-r) is at most 1/4 *)
Lemma slack_rises t : 0 <= q <= 1 -> / 4 - q * (1 - q) * exp t / (toss t * toss t) >= 0.
Proof.
  intros Hq. pose proof (toss_pos t Hq) as P0.
  replace (/ 4 - q * (1 - q) * exp t / (toss t * toss t)) with ((1 - q - q * exp t) ^ 2 / (4 * (toss t * toss t)))
    by (unfold toss in *; field; lra).
  apply Rle_ge, Rmult_le_pos; [ apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat; nra ].
Qed.

Lemma slack_nonneg t : 0 <= q <= 1 -> 0 <= t -> slack t >= 0.
Proof.
  intros Hq Ht. assert (Z : slack 0 = 0) by (unfold slack, toss; rewrite exp_0; field; lra).
  destruct (Req_dec t 0) as [-> | N]; [ lra | ].
  destruct (MVT_cor2 slack (fun t => / 4 - q * (1 - q) * exp t / (toss t * toss t)) 0 t) as (c & E & _);
    [ lra | intros; apply slack_slope; exact Hq | ].
  pose proof (slack_rises c Hq). nra.
Qed.

(** "gives ψ_i(t) ≤ t²/8", without the logarithm *)
Lemma one_coin t : 0 <= q <= 1 -> 0 <= t -> toss t <= exp (t * q + t * t / 8).
Proof.
  intros Hq Ht. set (u := fun t => t * (- / 8 * t + - q)).
  set (G := fun t => toss t * exp (u t)).
  assert (slope : forall t, derivable_pt_lim G t (- (toss t * exp (u t)) * slack t)).
  { clear t Ht. intros t. pose proof (toss_pos t Hq) as P0.
    assert (U : derivable_pt_lim u t (1 * (- / 8 * t + - q) + t * (- / 8 * 1 + 0))).
    { exact (derivable_pt_lim_mult id (mult_real_fct (- / 8) id + fct_cte (- q))%F t 1 (- / 8 * 1 + 0)
        (derivable_pt_lim_id t) (derivable_pt_lim_plus _ _ t _ _
          (derivable_pt_lim_scal id (- / 8) t 1 (derivable_pt_lim_id t)) (derivable_pt_lim_const (- q) t))). }
    pose proof (derivable_pt_lim_mult toss (comp exp u) t _ _ (toss_slope t)
      (derivable_pt_lim_comp u exp t _ _ U (derivable_pt_lim_exp (u t)))) as H.
    replace (- (toss t * exp (u t)) * slack t)
      with (q * exp t * comp exp u t + toss t * (exp (u t) * (1 * (- / 8 * t + - q) + t * (- / 8 * 1 + 0)))); [ exact H | ].
    unfold comp, slack. field. lra. }
  assert (Z : G 0 = 1).
  { unfold G, toss, u. replace (0 * (- / 8 * 0 + - q)) with 0 by ring. rewrite exp_0. ring. }
  assert (L : G t <= 1).
  { destruct (Req_dec t 0) as [-> | N]; [ lra | ].
    destruct (MVT_cor2 G (fun t => - (toss t * exp (u t)) * slack t) 0 t) as (c & E & C); [ lra | auto | ].
    pose proof (slack_nonneg c Hq ltac:(lra)). pose proof (toss_pos c Hq). pose proof (exp_pos (u c)).
    assert (0 <= toss c * exp (u c) * slack c) by (apply Rmult_le_pos; [ apply Rmult_le_pos | ]; lra).
    assert (0 <= toss c * exp (u c) * slack c * t) by (apply Rmult_le_pos; lra). nra. }
  unfold G in L. apply Rmult_le_reg_r with (exp (u t)); [ apply exp_pos | ].
  rewrite <- exp_plus. replace (t * q + t * t / 8 + u t) with 0 by (unfold u; field). rewrite exp_0. exact L.
Qed.
End Coin.

(** ** All coins *)
Section Tails.
Variable A : Type.
Implicit Types (Ds : list (list (A * R))) (w : A -> bool).

Definition expected w Ds : R := fold_right Rplus 0 (map (fun D => mean D (indicator w)) Ds).

(** "Since the coins are independent" *)
Lemma stake Ds w t : Forall distribution Ds -> 0 <= t ->
  E Ds (fun s => exp (t * INR (length (filter w s)))) <= exp (t * expected w Ds + INR (length Ds) * (t * t / 8)).
Proof.
  intros HD Ht. induction HD as [ | D0 Ds H0 HD IH].
  - simpl. right. f_equal. unfold expected. simpl. ring.
  - cbn [E].
    set (rest := E Ds (fun s => exp (t * INR (length (filter w s))))) in *.
    assert (S1 : mean D0 (fun a => E Ds (fun s => exp (t * INR (length (filter w (a :: s))))))
              = mean D0 (fun a => rest * (1 + (exp t - 1) * indicator w a))).
    { apply mean_ext. intros a. unfold rest. rewrite Rmult_comm, <- E_scale. apply E_ext. intros s.
      unfold indicator. simpl filter. destruct (w a); [ | f_equal; ring ].
      change (length (a :: filter w s)) with (S (length (filter w s))).
      rewrite S_INR, Rmult_plus_distr_l, exp_plus, Rmult_1_r. ring. }
    rewrite S1, mean_scale, mean_plus, mean_scale, (proj2 H0).
    set (q := mean D0 (indicator w)). assert (Hq : 0 <= q <= 1) by (apply mean_indicator; exact H0).
    replace (1 + (exp t - 1) * q) with (toss q t) by (unfold toss; ring).
    replace (t * expected w (D0 :: Ds) + INR (length (D0 :: Ds)) * (t * t / 8))
      with ((t * expected w Ds + INR (length Ds) * (t * t / 8)) + (t * q + t * t / 8)).
    + rewrite exp_plus. apply Rmult_le_compat; [ | | exact IH | apply one_coin; auto ].
      * unfold rest. replace 0 with (E Ds (fun _ => 0 * 1)) by (rewrite (E_scale A Ds (fun _ => 1)); ring).
        apply E_le; [ exact HD | ]. intros s _. rewrite Rmult_0_l. apply Rlt_le, exp_pos.
      * apply Rlt_le, toss_pos, Hq.
    + unfold expected. simpl length. rewrite S_INR. simpl. fold q. ring.
Qed.

(** "By Markov's inequality ... The exponent is smallest at t = 4ε" *)
Lemma above Ds w eps event (test : forall s, {event s} + {~ event s}) : Forall distribution Ds -> eps > 0 ->
  (forall s, length s = length Ds -> event s ->
     INR (length (filter w s)) >= expected w Ds + INR (length Ds) * eps) ->
  P Ds event test <= exp (-2 * INR (length Ds) * eps ^ 2).
Proof.
  intros HD He Hev. unfold P. set (n := INR (length Ds)) in *. set (t := 4 * eps). set (c := expected w Ds + n * eps).
  apply Rle_trans with (E Ds (fun s => exp (- (t * c)) * exp (t * INR (length (filter w s))))).
  - apply E_le; [ exact HD | ]. intros s Hs. rewrite <- exp_plus. destruct (test s) as [Y | _].
    + specialize (Hev s Hs Y). fold c in Hev. rewrite <- exp_0.
      assert (T : 0 <= t * INR (length (filter w s)) - t * c) by (unfold t; nra).
      destruct T as [T | T]; [ left; apply exp_increasing; lra | right; f_equal; lra ].
    + apply Rlt_le, exp_pos.
  - rewrite E_scale. apply Rle_trans with (exp (- (t * c)) * exp (t * expected w Ds + n * (t * t / 8))).
    + apply Rmult_le_compat_l; [ apply Rlt_le, exp_pos | ]. apply stake; [ exact HD | unfold t; lra ].
    + rewrite <- exp_plus. right. f_equal. unfold c, t. field.
Qed.

Lemma filter_negb w s : INR (length (filter w s)) + INR (length (filter (fun a => negb (w a)) s)) = INR (length s).
Proof.
  rewrite <- plus_INR. f_equal. induction s as [ | a s IH]; simpl; [ reflexivity | ].
  destruct (w a); simpl; lia.
Qed.

Lemma expected_negb w Ds : Forall distribution Ds ->
  expected w Ds + expected (fun a => negb (w a)) Ds = INR (length Ds).
Proof.
  intros HD. induction HD as [ | D0 Ds H0 _ IH]; unfold expected in *; simpl map; simpl fold_right; [ simpl; ring | ].
  simpl length. rewrite S_INR, <- IH.
  assert (M : mean D0 (indicator w) + mean D0 (indicator (fun a => negb (w a))) = 1).
  { rewrite <- (proj2 H0), <- mean_plus. apply mean_ext. intros a. unfold indicator. destruct (w a); simpl; ring. }
  lra.
Qed.

(** "For the other bound toss" 1 - B_i *)
Lemma below Ds w eps event (test : forall s, {event s} + {~ event s}) : Forall distribution Ds -> eps > 0 ->
  (forall s, length s = length Ds -> event s ->
     INR (length (filter w s)) <= expected w Ds - INR (length Ds) * eps) ->
  P Ds event test <= exp (-2 * INR (length Ds) * eps ^ 2).
Proof.
  intros HD He Hev. apply (above Ds (fun a => negb (w a))); auto. intros s Hs Y. specialize (Hev s Hs Y).
  pose proof (filter_negb w s) as F. pose proof (expected_negb w Ds HD) as X. rewrite Hs in F. lra.
Qed.

(** The union bound for two *)
Lemma either Ds event event1 event2 (test : forall s, {event s} + {~ event s})
    (test1 : forall s, {event1 s} + {~ event1 s}) (test2 : forall s, {event2 s} + {~ event2 s}) :
  Forall distribution Ds -> (forall s, event s -> event1 s \/ event2 s) ->
  P Ds event test <= P Ds event1 test1 + P Ds event2 test2.
Proof.
  intros HD H. unfold P. rewrite <- E_plus. apply E_le; [ exact HD | ]. intros s _.
  destruct (test s) as [Y | N], (test1 s), (test2 s); try lra. exfalso. destruct (H s Y); contradiction.
Qed.
End Tails.

(** ** Hoeffding's inequality for coins *)
Definition coin (q : R) : list (bool * R) := [(true, q); (false, 1 - q)].
Definition heads (s : list bool) : R := share (fun b => b) s.

Theorem lem_coins (q : list R) eps :
  q <> [] -> (forall c, In c q -> 0 <= c <= 1) -> eps > 0 ->
  let n := INR (length q) in
  let average := fold_right Rplus 0 q / n in
  P (map coin q) (fun s => heads s >= average + eps) (fun s => Rge_dec _ _) <= exp (-2 * n * eps ^ 2) /\
  P (map coin q) (fun s => heads s <= average - eps) (fun s => Rle_dec _ _) <= exp (-2 * n * eps ^ 2) /\
  P (map coin q) (fun s => Rabs (heads s - average) >= eps) (fun s => Rge_dec _ _) <= 2 * exp (-2 * n * eps ^ 2).
Proof.
  intros Hn Hq He n average.
  assert (N0 : n > 0) by (apply lt_0_INR; destruct q; [ contradiction | simpl; lia ]).
  assert (HD : Forall distribution (map coin q)).
  { apply Forall_forall. intros D0 HD. apply in_map_iff in HD. destruct HD as (c & <- & Hc). specialize (Hq c Hc).
    split; [ | simpl; ring ]. intros a p [E | [E | []]]; injection E as <- <-; lra. }
  assert (X : expected bool (fun b => b) (map coin q) = fold_right Rplus 0 q).
  { unfold expected. rewrite map_map. f_equal. rewrite <- (map_id q) at 2. apply map_ext. intros c.
    unfold indicator. simpl. ring. }
  assert (L : INR (length (map coin q)) = n) by (rewrite map_length; reflexivity).
  assert (Av : average * n = fold_right Rplus 0 q) by (unfold average; field; lra).
  assert (Sh : forall s, length s = length (map coin q) -> heads s * n = INR (length (filter (fun b => b) s))).
  { intros s Hs. unfold heads, share. rewrite Hs, L. field. lra. }
  assert (Up : P (map coin q) (fun s => heads s >= average + eps) (fun s => Rge_dec _ _) <= exp (-2 * n * eps ^ 2)).
  { rewrite <- L. apply (above bool _ (fun b => b)); auto. intros s Hs Y. rewrite X, L, <- Av, <- (Sh s Hs). nra. }
  assert (Lo : P (map coin q) (fun s => heads s <= average - eps) (fun s => Rle_dec _ _) <= exp (-2 * n * eps ^ 2)).
  { rewrite <- L. apply (below bool _ (fun b => b)); auto. intros s Hs Y. rewrite X, L, <- Av, <- (Sh s Hs). nra. }
  split; [ exact Up | split; [ exact Lo | ] ].
  apply Rle_trans with (P (map coin q) (fun s => heads s >= average + eps) (fun s => Rge_dec _ _) +
    P (map coin q) (fun s => heads s <= average - eps) (fun s => Rle_dec _ _)); [ | lra ].
  apply either; [ exact HD | ]. intros s Y. unfold Rabs in Y. destruct (Rcase_abs _) in Y; [ right | left ]; lra.
Qed.

(** ** Errors
    Samples are drawn from one distribution D; [errs h] says on which samples the classifier h has a wrong label.
    Only this matters of a sample. *)
Section Errors.
Variables (A H : Type) (D : list (A * R)) (errs : H -> A -> bool).

(** The error of h, and its share of wrong labels on samples *)
Definition er (h : H) : R := mean D (indicator (errs h)).
Definition er_hat (h : H) (s : list A) : R := share (errs h) s.
End Errors.
Arguments er {A H}. Arguments er_hat {A H}.

(** ** Choosing from a list *)
Section List.
Variables (A : Type) (D : list (A * R)) (M : nat) (errs : nat -> A -> bool).

Definition for_all (event : nat -> list A -> Prop) (s : list A) : Prop := forall j, (j < M)%nat -> event j s.

Lemma for_all_dec event (test : forall j s, {event j s} + {~ event j s}) s :
  {for_all event s} + {~ for_all event s}.
Proof.
  unfold for_all. induction M as [ | m IH]; [ left; intros; lia | ].
  destruct IH as [Y | N]; [ | right; intros H; apply N; intros; apply H; lia ].
  destruct (test m s) as [Y' | N']; [ left | right; intros H; apply N', H; lia ].
  intros j Hj. destruct (Nat.eq_dec j m) as [-> | ]; [ exact Y' | apply Y; lia ].
Qed.

Lemma one_fails event (test : forall j s, {event j s} + {~ event j s}) s :
  ~ for_all event s -> exists j, (j < M)%nat /\ ~ event j s.
Proof.
  unfold for_all. induction M as [ | m IH]; intros H; [ exfalso; apply H; intros; lia | ].
  destruct (test m s) as [Y | N]; [ | exists m; split; [ lia | exact N ] ].
  destruct IH as (j & Hj & F); [ | exists j; split; [ lia | exact F ] ]. intros K. apply H.
  intros j Hj. destruct (Nat.eq_dec j m) as [-> | ]; [ exact Y | apply K; lia ].
Qed.

(** "the probability that any of" them "happens is at most the sum" *)
Lemma union_bound Ds (good : list A -> Prop) test (bad : nat -> list A -> Prop) tests :
  Forall distribution Ds -> (forall s, ~ good s -> exists j, (j < M)%nat /\ bad j s) ->
  P Ds good test >= 1 - Σ[j < M] P Ds (bad j) (tests j).
Proof.
  intros HD H. unfold P.
  rewrite <- (E_sum A Ds M (fun j s => if tests j s then 1 else 0)), <- (E_one A Ds HD) at 1.
  assert (L : E Ds (fun _ => 1) <= E Ds (fun s => (if test s then 1 else 0) + Σ[j < M] (if tests j s then 1 else 0))).
  { apply E_le; [ exact HD | ]. intros s _.
    assert (N : forall j, (j < M)%nat -> 0 <= if tests j s then 1 else 0) by (intros; destruct (tests j s); lra).
    destruct (test s) as [Y | No].
    - pose proof (sum_nonneg M _ N). lra.
    - destruct (H s No) as (j & Hj & B). pose proof (sum_term M _ j N Hj) as T. cbv beta in T.
      destruct (tests j s); [ lra | contradiction ]. }
  rewrite E_plus in L. lra.
Qed.

Lemma all_alike n : distribution D -> Forall distribution (repeat D n).
Proof. intros H. apply Forall_forall. intros D0 H0. apply repeat_spec in H0. subst. exact H. Qed.

Lemma expected_alike n j : expected A (errs j) (repeat D n) = INR n * er D errs j.
Proof.
  unfold expected. induction n as [ | k IH]; [ simpl; ring | ]. rewrite S_INR. simpl. rewrite IH. unfold er. ring.
Qed.

Lemma counted n j s : (0 < n)%nat -> length s = length (repeat D n) ->
  INR (length (filter (errs j) s)) = er_hat errs j s * INR n.
Proof.
  intros Hn Hs. rewrite repeat_length in Hs. unfold er_hat, share. rewrite Hs.
  assert (INR n > 0) by (apply lt_0_INR; exact Hn). field. lra.
Qed.

(** The chance of a share that is too low, and of one that is too high *)
Lemma too_low n j eps event (test : forall s, {event s} + {~ event s}) : distribution D -> (0 < n)%nat -> eps > 0 ->
  (forall s, event s -> er_hat errs j s <= er D errs j - eps) ->
  P (repeat D n) event test <= exp (-2 * INR n * eps ^ 2).
Proof.
  intros HD Hn He H. rewrite <- (repeat_length D n) at 2. apply (below A _ (errs j)); [ apply all_alike, HD | exact He | ].
  intros s Hs Y. rewrite (counted n) , expected_alike, repeat_length by auto. specialize (H s Y). pose proof (pos_INR n). nra.
Qed.

Lemma too_high n j eps event (test : forall s, {event s} + {~ event s}) : distribution D -> (0 < n)%nat -> eps > 0 ->
  (forall s, event s -> er_hat errs j s >= er D errs j + eps) ->
  P (repeat D n) event test <= exp (-2 * INR n * eps ^ 2).
Proof.
  intros HD Hn He H. rewrite <- (repeat_length D n) at 2. apply (above A _ (errs j)); [ apply all_alike, HD | exact He | ].
  intros s Hs Y. rewrite (counted n), expected_alike, repeat_length by auto. specialize (H s Y). pose proof (pos_INR n). nra.
Qed.

Theorem cor_list n delta :
  distribution D -> (0 < n)%nat -> (0 < M)%nat -> 0 < delta < 1 ->
  let eps := sqrt (ln (2 * INR M / delta) / (2 * INR n)) in
  let near j s := Rabs (er D errs j - er_hat errs j s) < eps in
  P (repeat D n) (for_all near) (for_all_dec near (fun j s => Rlt_dec _ _)) >= 1 - delta /\
  (* where this happens, one with the fewest wrong labels is nearly as good as any *)
  forall s, for_all near s ->
    forall j, (j < M)%nat -> (forall k, (k < M)%nat -> er_hat errs j s <= er_hat errs k s) ->
      forall k, (k < M)%nat -> er D errs j < er D errs k + 2 * eps.
Proof.
  intros HD Hn HM Hd eps near.
  assert (N0 : INR n > 0) by (apply lt_0_INR; exact Hn).
  assert (M0 : INR M >= 1) by (change 1 with (INR 1); apply Rle_ge, le_INR; lia).
  set (c := 2 * INR M / delta).
  assert (C : c > 1).
  { unfold c. apply Rmult_lt_reg_r with delta; [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (L0 : ln c > 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (E0 : eps > 0) by (unfold eps; fold c; apply sqrt_lt_R0, Rdiv_lt_0_compat; lra).
  assert (E2 : eps ^ 2 = ln c / (2 * INR n)).
  { unfold eps. fold c. rewrite <- Rsqr_pow2. apply Rsqr_sqrt. apply Rlt_le, Rdiv_lt_0_compat; lra. }
  (* "each has probability at most" δ/2M *)
  assert (B : exp (-2 * INR n * eps ^ 2) = delta / (2 * INR M)).
  { rewrite E2. replace (-2 * INR n * (ln c / (2 * INR n))) with (- ln c) by (field; lra).
    rewrite exp_Ropp, exp_ln by lra. unfold c. field. lra. }
  split.
  - pose (far := fun j s => ~ near j s).
    assert (tests : forall j s, {far j s} + {~ far j s}).
    { intros j s. unfold far, near. destruct (Rlt_dec (Rabs (er D errs j - er_hat errs j s)) eps); [ right | left ]; auto. }
    apply Rge_trans with (1 - Σ[j < M] P (repeat D n) (far j) (tests j)).
    + apply union_bound; [ apply all_alike, HD | ]. intros s. apply one_fails. intros; apply Rlt_dec.
    + assert (S1 : Σ[j < M] P (repeat D n) (far j) (tests j) <= Σ[j < M] delta / INR M * 1).
      { apply sum_le. intros j Hj.
        apply Rle_trans with (P (repeat D n) (fun s => er_hat errs j s <= er D errs j - eps) (fun s => Rle_dec _ _) +
          P (repeat D n) (fun s => er_hat errs j s >= er D errs j + eps) (fun s => Rge_dec _ _)).
        - apply either; [ apply all_alike, HD | ]. intros s F. unfold far, near, Rabs in F.
          destruct (Rcase_abs _) in F; [ right | left ]; lra.
        - pose proof (too_low n j eps _ (fun s => Rle_dec (er_hat errs j s) (er D errs j - eps)) HD Hn E0 ltac:(auto)) as T1.
          pose proof (too_high n j eps _ (fun s => Rge_dec (er_hat errs j s) (er D errs j + eps)) HD Hn E0 ltac:(auto)) as T2.
          rewrite B in T1, T2. apply Rle_trans with (1 := Rplus_le_compat _ _ _ _ T1 T2). right. field. lra. }
      rewrite sum_scale in S1. assert (S2 : forall m, Σ[j < m] 1 = INR m)
        by (induction m; [ reflexivity | rewrite S_INR; simpl; lra ]).
      rewrite S2 in S1. replace (delta / INR M * INR M) with delta in S1 by (field; lra). lra.
  - intros s H j Hj Least k Hk. pose proof (H j Hj) as H1. pose proof (H k Hk) as H2. specialize (Least k Hk).
    unfold near in H1, H2. apply Rabs_def2 in H1. apply Rabs_def2 in H2. lra.
Qed.

(** ** Occam's bound, for the first M of a sequence of classifiers *)
Fixpoint begins (w s : list bool) : bool :=
  match w, s with
  | [], _ => true
  | b :: w', c :: s' => Bool.eqb b c && begins w' s'
  | _ :: _, [] => false
  end.

Lemma two_beginnings : forall s w w', begins w s = true -> begins w' s = true ->
  (exists t, w' = w ++ t) \/ (exists t, w = w' ++ t).
Proof.
  induction s as [ | c s IH]; intros [ | b w] [ | b' w'] H H'; simpl in *; try discriminate;
    try (left; eexists; reflexivity); try (right; eexists; reflexivity).
  apply andb_true_iff in H. apply andb_true_iff in H'. destruct H as [E H], H' as [E' H'].
  apply Bool.eqb_prop in E. apply Bool.eqb_prop in E'. subst.
  destruct (IH w w' H H') as [[t ->] | [t ->]]; [ left | right ]; exists t; reflexivity.
Qed.

(** "The tosses begin with" a word "with probability" 1/2 to its length. *)
Lemma chance_of_word : forall w l, (length w <= l)%nat ->
  E (repeat (coin (/ 2)) l) (fun s => if begins w s then 1 else 0) = (/ 2) ^ length w.
Proof.
  assert (O : forall l, E (repeat (coin (/ 2)) l) (fun _ => 1) = 1).
  { intros l. apply E_one, Forall_forall. intros D0 H. apply repeat_spec in H. subst. split; [ | simpl; lra ].
    intros a p [E | [E | []]]; injection E as <- <-; lra. }
  induction w as [ | b w IH]; intros l Hl; [ apply O | ]. destruct l as [ | l]; [ simpl in Hl; lia | ].
  specialize (IH l ltac:(simpl in Hl; lia)). simpl.
  assert (Z : E (repeat (coin (/ 2)) l) (fun _ => 0) = 0).
  { rewrite (E_ext bool _ _ (fun _ => 0 * 1)) by (intros; ring). rewrite (E_scale bool _ (fun _ => 1)). ring. }
  destruct b; simpl; rewrite IH, Z; field.
Qed.

(** "at most one of these happens. So the probabilities add up to at most one" *)
Lemma kraft (word : nat -> list bool) :
  (forall i j, (i < M)%nat -> (j < M)%nat -> i <> j -> forall rest, word j <> word i ++ rest) ->
  Σ[j < M] (/ 2) ^ length (word j) <= 1.
Proof.
  intros PF.
  assert (L : exists l, forall j, (j < M)%nat -> (length (word j) <= l)%nat).
  { clear. induction M as [ | m [l H]]; [ exists O; intros; lia | ]. exists (l + length (word m))%nat.
    intros j Hj. destruct (Nat.eq_dec j m) as [-> | ]; [ lia | specialize (H j ltac:(lia)); lia ]. }
  destruct L as [l Hl].
  rewrite (sum_ext M _ (fun j => E (repeat (coin (/ 2)) l) (fun s => if begins (word j) s then 1 else 0)))
    by (intros; symmetry; apply chance_of_word; auto).
  rewrite <- E_sum.
  assert (HD : Forall distribution (repeat (coin (/ 2)) l)).
  { apply Forall_forall. intros D0 H. apply repeat_spec in H. subst. split; [ | simpl; lra ].
    intros a p [E | [E | []]]; injection E as <- <-; lra. }
  apply Rle_trans with (E (repeat (coin (/ 2)) l) (fun _ => 1)); [ | right; apply E_one; exact HD ].
  apply E_le; [ exact HD | ]. intros s _.
  assert (G : Σ[j < M] (if begins (word j) s then 1 else 0) <= 1 /\
    (Σ[j < M] (if begins (word j) s then 1 else 0) > 0 -> exists j, (j < M)%nat /\ begins (word j) s = true)); [ | exact (proj1 G) ].
  clear Hl. induction M as [ | m IH]; [ simpl; split; [ lra | intros; lra ] | ].
  destruct IH as [I1 I2]. { intros i j Hi Hj. apply PF; lia. }
  rewrite sum_S. destruct (begins (word m) s) eqn:B.
  - split; [ | intros _; exists m; split; [ lia | exact B ] ].
    destruct (Rle_dec (Σ[j < m] (if begins (word j) s then 1 else 0)) 0) as [Z | N]; [ lra | exfalso ].
    destruct I2 as (j & Hj & Bj); [ lra | ].
    destruct (two_beginnings s _ _ B Bj) as [[t E] | [t E]].
    + apply (PF m j ltac:(lia) ltac:(lia) ltac:(lia) t E).
    + apply (PF j m ltac:(lia) ltac:(lia) ltac:(lia) t E).
  - split; [ lra | ]. intros H. destruct I2 as (j & Hj & Bj); [ lra | exists j; split; [ lia | exact Bj ] ].
Qed.

Lemma finite_occam n delta (word : nat -> list bool) :
  distribution D -> (0 < n)%nat -> 0 < delta < 1 ->
  (forall i j, (i < M)%nat -> (j < M)%nat -> i <> j -> forall rest, word j <> word i ++ rest) ->
  let gap j := sqrt ((INR (length (word j)) * ln 2 + ln (1 / delta)) / (2 * INR n)) in
  let bounded j s := er D errs j <= er_hat errs j s + gap j in
  P (repeat D n) (for_all bounded) (for_all_dec bounded (fun j s => Rle_dec _ _)) >= 1 - delta.
Proof.
  intros HD Hn Hd PF gap bounded.
  assert (N0 : INR n > 0) by (apply lt_0_INR; exact Hn).
  assert (D1 : 1 / delta > 1).
  { apply Rmult_lt_reg_r with delta; [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (L0 : ln (1 / delta) > 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (L2 : ln 2 > 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (G0 : forall j, INR (length (word j)) * ln 2 + ln (1 / delta) > 0).
  { intros j. pose proof (pos_INR (length (word j))). nra. }
  (* "its share of the failure probability" *)
  assert (B : forall j, exp (-2 * INR n * gap j ^ 2) = delta * (/ 2) ^ length (word j)).
  { intros j. specialize (G0 j). unfold gap. rewrite <- Rsqr_pow2, Rsqr_sqrt
      by (apply Rlt_le, Rdiv_lt_0_compat; lra).
    replace (-2 * INR n * ((INR (length (word j)) * ln 2 + ln (1 / delta)) / (2 * INR n)))
      with (- ln (1 / delta) + - (INR (length (word j)) * ln 2)) by (field; lra).
    rewrite exp_plus, exp_Ropp, exp_ln by lra.
    assert (Pw : forall k, exp (- (INR k * ln 2)) = (/ 2) ^ k).
    { induction k as [ | k IH]; [ simpl; rewrite Rmult_0_l, Ropp_0; apply exp_0 | ].
      rewrite S_INR. replace (- ((INR k + 1) * ln 2)) with (- ln 2 + - (INR k * ln 2)) by ring.
      rewrite exp_plus, IH, exp_Ropp, exp_ln by lra. reflexivity. }
    rewrite Pw. field. lra. }
  pose (missed := fun j s => ~ bounded j s).
  assert (tests : forall j s, {missed j s} + {~ missed j s}).
  { intros j s. unfold missed, bounded. destruct (Rle_dec (er D errs j) (er_hat errs j s + gap j)); [ right | left ]; auto. }
  apply Rge_trans with (1 - Σ[j < M] P (repeat D n) (missed j) (tests j)).
  - apply union_bound; [ apply all_alike, HD | ]. intros s. apply one_fails. intros; apply Rle_dec.
  - assert (S1 : Σ[j < M] P (repeat D n) (missed j) (tests j) <= Σ[j < M] delta * (/ 2) ^ length (word j)).
    { apply sum_le. intros j Hj. rewrite <- B. apply too_low with j; auto.
      - apply sqrt_lt_R0, Rdiv_lt_0_compat; [ apply G0 | lra ].
      - intros s F. unfold missed, bounded in F. lra. }
    rewrite sum_scale in S1. pose proof (kraft word PF). nra.
Qed.
End List.

(** ** Occam's bound
    There may be infinitely many classifiers. But only finitely many samples can be drawn, and for each that breaks
    the bound one classifier is enough to break it. *)
Section Occam.
Variables (A H : Type) (D : list (A * R)) (errs : H -> A -> bool) (word : H -> list bool).

(** No word begins another. *)
Definition prefix_free : Prop := forall h h', h <> h' -> forall rest, word h' <> word h ++ rest.

(** All that n draws can give *)
Fixpoint outcomes (n : nat) : list (list A) :=
  match n with O => [[]] | S k => flat_map (fun draw => map (cons (fst draw)) (outcomes k)) D end.

Lemma E_outcomes n : forall f g : list A -> R, distribution D ->
  (forall s, In s (outcomes n) -> f s <= g s) -> E (repeat D n) f <= E (repeat D n) g.
Proof.
  induction n as [ | n IH]; intros f g HD L; [ apply L; left; reflexivity | ]. simpl.
  assert (G : forall D', (forall draw, In draw D' -> In draw D) ->
    mean D' (fun a => E (repeat D n) (fun s => f (a :: s))) <= mean D' (fun a => E (repeat D n) (fun s => g (a :: s)))).
  { induction D' as [ | [a c] D' IH']; intros Sub; simpl; [ lra | ].
    assert (I : In (a, c) D) by (apply Sub; left; reflexivity).
    assert (0 <= c) by (apply (proj1 HD) with a; exact I).
    assert (E (repeat D n) (fun s => f (a :: s)) <= E (repeat D n) (fun s => g (a :: s))).
    { apply IH; [ exact HD | ]. intros s Hs. apply L. simpl. apply in_flat_map. exists (a, c).
      split; [ exact I | apply in_map, Hs ]. }
    assert (mean D' (fun a => E (repeat D n) (fun s => f (a :: s))) <= mean D' (fun a => E (repeat D n) (fun s => g (a :: s))))
      by (apply IH'; intros; apply Sub; right; assumption). nra. }
  apply G. auto.
Qed.

(** For each of these that breaks something, a classifier with which it breaks; each is named once. *)
Lemma enough (holds : H -> list A -> Prop) (all : list (list A)) : exists l, NoDup l /\
  forall s, In s all -> (forall h, In h l -> holds h s) -> forall h, holds h s.
Proof.
  induction all as [ | s all (l & ND & IH)]; [ exists []; split; [ constructor | intros s [] ] | ].
  destruct (classic (exists h, ~ holds h s)) as [[h F] | N].
  - destruct (classic (In h l)) as [I | I]; [ exists l | exists (h :: l) ]; split; auto; [ | constructor; auto | ];
      intros s' [<- | Hs'] Y h'; try (exfalso; apply F, Y; auto; left; reflexivity); apply IH; auto.
    intros h0 H0. apply Y. right. exact H0.
  - exists l. split; [ exact ND | ]. intros s' [<- | Hs'] Y h; [ | apply IH; auto ].
    destruct (classic (holds h s)) as [T | F]; [ exact T | exfalso; apply N; exists h; exact F ].
Qed.

Theorem thm_occam n delta :
  distribution D -> (0 < n)%nat -> 0 < delta < 1 -> prefix_free ->
  let gap h := sqrt ((INR (length (word h)) * ln 2 + ln (1 / delta)) / (2 * INR n)) in
  let bounded s := forall h, er D errs h <= er_hat errs h s + gap h in
  forall test : (forall s, {bounded s} + {~ bounded s}),
  P (repeat D n) bounded test >= 1 - delta.
Proof.
  intros HD Hn Hd PF gap bounded test.
  destruct (enough (fun h s => er D errs h <= er_hat errs h s + gap h) (outcomes n)) as (l & ND & En).
  destruct l as [ | h0 rest].
  - apply Rle_ge, Rle_trans with (E (repeat D n) (fun _ => 1)); [ rewrite E_one by (apply all_alike, HD); lra | ].
    apply E_outcomes; [ exact HD | ]. intros s Hs. destruct (test s) as [ | F]; [ lra | exfalso ].
    apply F. intros h. apply En; [ exact Hs | intros h' [] ].
  - set (l := h0 :: rest) in *. pose (pick := fun j => nth j l h0).
    assert (PF' : forall i j, (i < length l)%nat -> (j < length l)%nat -> i <> j ->
      forall r, word (pick j) <> word (pick i) ++ r).
    { intros i j Hi Hj Nij. apply PF. intros Same. apply Nij. apply (proj1 (NoDup_nth l h0) ND); auto. }
    apply Rge_trans with (2 := finite_occam A D (length l) (fun j => errs (pick j)) n delta (fun j => word (pick j)) HD Hn Hd PF').
    apply Rle_ge. apply E_outcomes; [ exact HD | ]. intros s Hs.
    destruct (for_all_dec _ _ _ _ s) as [Y | _]; [ | destruct (test s); lra ].
    destruct (test s) as [ | F]; [ lra | exfalso ]. apply F. intros h. revert h. apply En; [ exact Hs | ].
    intros h Hh. destruct (In_nth l h h0 Hh) as (j & Hj & <-). exact (Y j Hj).
Qed.
End Occam.
