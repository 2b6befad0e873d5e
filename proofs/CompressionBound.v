(** * Lesson 3, in depth: thm-compression
    Chances are sums over finitely many outcomes, as in Coins. *)
From LinearClassification Require Import Vectors Lunch Coins Compression.
Require Import List Bool.
Import ListNotations.

(** ** Parts of independent draws *)
Section Parts.
Variable A : Type.
Implicit Types (D : list (A * R)) (Ds : list (list (A * R))).

Lemma mean_swap D D' (f : A -> A -> R) :
  mean D (fun a => mean D' (fun b => f a b)) = mean D' (fun b => mean D (fun a => f a b)).
Proof.
  induction D as [ | [a c] D IH]; simpl.
  - rewrite (mean_ext A D' _ (fun _ => 0 * 0)) by (intros; ring). rewrite mean_scale. ring.
  - rewrite IH, mean_plus, mean_scale. reflexivity.
Qed.

Lemma E_mean_swap D Ds : forall f : A -> list A -> R,
  mean D (fun a => E Ds (f a)) = E Ds (fun s => mean D (fun a => f a s)).
Proof.
  induction Ds as [ | D' Ds IH]; intros f; simpl; [ reflexivity | ].
  rewrite mean_swap. apply mean_ext. intros b. apply IH.
Qed.

(** The samples at the positions I, drawn first, and then those at the others *)
Lemma parts D I : forall f : list A -> list A -> R,
  E (repeat D (length I)) (fun s => f (inside A I s) (others A I s)) =
  E (repeat D (count_occ bool_dec I true)) (fun s => E (repeat D (count_occ bool_dec I false)) (f s)).
Proof.
  induction I as [ | b I IH]; intros f; [ reflexivity | ].
  unfold inside, others in *. destruct b; simpl; [ apply mean_ext; intros a; apply (IH (fun s => f (a :: s))) | ].
  rewrite <- E_mean_swap. apply mean_ext. intros a. apply (IH (fun s s' => f s (a :: s'))).
Qed.

Lemma both_counts I : (count_occ bool_dec I true + count_occ bool_dec I false)%nat = length I.
Proof. induction I as [ | [ | ] I IH]; simpl; lia. Qed.

(** A sum over a list *)
Fixpoint total {X : Type} (l : list X) (f : X -> R) : R :=
  match l with [] => 0 | x :: rest => f x + total rest f end.

Lemma E_total {X : Type} Ds (l : list X) (f : X -> list A -> R) :
  E Ds (fun s => total l (fun x => f x s)) = total l (fun x => E Ds (f x)).
Proof.
  induction l as [ | x l IH]; simpl; [ | rewrite E_plus, IH; reflexivity ].
  rewrite (E_ext A Ds _ (fun _ => 0 * 0)) by (intros; ring). rewrite (E_scale A Ds (fun _ => 0)). ring.
Qed.

Lemma total_le {X : Type} (l : list X) f g : (forall x, In x l -> f x <= g x) -> total l f <= total l g.
Proof.
  induction l as [ | x l IH]; simpl; intros H; [ lra | ].
  assert (f x <= g x) by auto. assert (total l f <= total l g) by auto. lra.
Qed.

Lemma total_term {X : Type} (l : list X) f x : (forall y, 0 <= f y) -> In x l -> f x <= total l f.
Proof.
  intros H. assert (N : forall l, 0 <= total l f).
  { clear l. induction l as [ | y l IH]; simpl; [ lra | ]. specialize (H y). lra. }
  induction l as [ | y l IH]; simpl; intros [].
  - subst. specialize (N l). lra.
  - specialize (IH H0). specialize (H y). lra.
Qed.

Lemma total_app {X : Type} (l l' : list X) f : total (l ++ l') f = total l f + total l' f.
Proof. induction l as [ | x l IH]; simpl; [ ring | rewrite IH; ring ]. Qed.

Lemma total_map {X Y : Type} (l : list X) (g : X -> Y) f : total (map g l) f = total l (fun x => f (g x)).
Proof. induction l as [ | x l IH]; simpl; [ reflexivity | rewrite IH; reflexivity ]. Qed.

(** "There are" C(n, K) "sets of each size" *)
Lemma by_size n : forall f : nat -> R,
  total (labelings n) (fun I => f (count_occ bool_dec I true)) = Σ[K < S n] INR (binomial n K) * f K.
Proof.
  induction n as [ | n IH]; intros f; [ simpl; ring | ].
  change (labelings (S n)) with (map (cons true) (labelings n) ++ map (cons false) (labelings n)).
  rewrite total_app, !total_map. simpl count_occ. rewrite (IH (fun K => f (S K))), IH.
  assert (First : forall m (g : nat -> R), Σ[K < S m] g K = g O + Σ[K < m] g (S K)).
  { induction m as [ | m IHm]; intros g; [ simpl; ring | ]. rewrite sum_S, IHm, (sum_S m). ring. }
  rewrite (First (S n) (fun K => INR (binomial (S n) K) * f K)).
  rewrite (sum_ext (S n) (fun K => INR (binomial (S n) (S K)) * f (S K))
    (fun K => INR (binomial n K) * f (S K) + INR (binomial n (S K)) * f (S K)))
    by (intros; simpl binomial; rewrite plus_INR; ring).
  rewrite sum_plus, (First n (fun K => INR (binomial n K) * f K)), (sum_S n (fun K => INR (binomial n (S K)) * f (S K))).
  rewrite (binomial_small n (S n)) by lia. destruct n; simpl; ring.
Qed.

(** "has probability" (1-r)^(n-K) *)
Lemma none_wrong D (w : A -> bool) m :  distribution D ->
  E (repeat D m) (fun s => if existsb w s then 0 else 1) = (1 - mean D (indicator w)) ^ m.
Proof.
  intros HD. induction m as [ | m IH]; [ reflexivity | ]. simpl.
  set (rest := E (repeat D m) (fun s => if existsb w s then 0 else 1)) in *.
  rewrite (mean_ext A D _ (fun a => rest * 1 + - rest * indicator w a)).
  - rewrite mean_plus, !mean_scale, (proj2 HD), IH. ring.
  - intros a. unfold indicator. destruct (w a); simpl; [ | fold rest; ring ].
    rewrite (E_ext A _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite (E_scale A _ (fun _ => 0)). ring.
Qed.
End Parts.

(** ** The bound *)
Section Bound.
(** Samples are drawn from a distribution D; [errs a] says on which samples the classifier of a vector a has a wrong label. *)
Variables (A : Type) (p : nat) (z : A -> vec) (errs : vec -> A -> bool) (D : list (A * R)).

(** What the bound says of a vector a that has a share e of wrong labels on n - K samples *)
Definition within_bound (n K : nat) (delta : R) (a : vec) (e : R) : Prop :=
  let Lambda := ln (INR (binomial n K)) + ln (INR n / delta) in
  er D errs a <= e + sqrt (Lambda / (2 * INR (n - K))) /\ (e = 0 -> er D errs a <= Lambda / INR (n - K)).

(** The bound holds for the vector after N epochs. *)
Definition bounded (N n : nat) (delta : R) (s : list A) : Prop :=
  let I := used A p z N s in
  let K := length (inside A I s) in
  let a := after A p z N s in
  (K < n)%nat -> within_bound n K delta a (er_hat errs a (others A I s)).

Lemma within_bound_dec n K delta a e : {within_bound n K delta a e} + {~ within_bound n K delta a e}.
Proof.
  unfold within_bound. set (Lambda := ln _ + ln _).
  destruct (Rle_dec (er D errs a) (e + sqrt (Lambda / (2 * INR (n - K))))) as [Y | Y]; [ | right; tauto ].
  destruct (Req_EM_T e 0) as [Z | Z]; [ | left; tauto ].
  destruct (Rle_dec (er D errs a) (Lambda / INR (n - K))); [ left | right ]; tauto.
Qed.

Lemma bounded_dec N n delta s : {bounded N n delta s} + {~ bounded N n delta s}.
Proof.
  unfold bounded. cbv zeta.
  destruct (lt_dec (length (inside A (used A p z N s) s)) n) as [Y | Y]; [ | left; tauto ].
  destruct (within_bound_dec n (length (inside A (used A p z N s) s)) delta (after A p z N s)
    (er_hat errs (after A p z N s) (others A (used A p z N s) s))); [ left | right ]; tauto.
Qed.

(** "Given the samples in" I, the others test a fixed classifier *)
Lemma fixed_vector a m Lambda (event : list A -> Prop) (test : forall s, {event s} + {~ event s}) :
  distribution D -> (0 < m)%nat -> Lambda > 0 ->
  (forall s, event s ->
     ~ (er D errs a <= er_hat errs a s + sqrt (Lambda / (2 * INR m)) /\ (er_hat errs a s = 0 -> er D errs a <= Lambda / INR m))) ->
  P (repeat D m) event test <= exp (- Lambda).
Proof.
  intros HD Hm HL Hev. assert (M0 : INR m > 0) by (apply lt_0_INR; exact Hm).
  set (eps1 := sqrt (Lambda / (2 * INR m))) in *. set (eps2 := Lambda / INR m) in *.
  assert (P1 : eps1 > 0) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; lra).
  assert (Q1 : eps1 ^ 2 = Lambda / (2 * INR m)).
  { unfold eps1. rewrite <- Rsqr_pow2. apply Rsqr_sqrt. apply Rlt_le, Rdiv_lt_0_compat; lra. }
  destruct (Rlt_dec eps1 (er D errs a)) as [Big | Small].
  - replace (- Lambda) with (-2 * INR m * eps1 ^ 2) by (rewrite Q1; field; lra).
    apply (too_low A D (fun _ => errs a) m O); auto. intros s Y. specialize (Hev s Y).
    change (er D (fun _ => errs a) O) with (er D errs a). change (er_hat (fun _ => errs a) O s) with (er_hat errs a s).
    destruct (Rle_dec (er_hat errs a s) (er D errs a - eps1)) as [L | L]; [ exact L | exfalso ].
    apply Hev. split; [ lra | intros Z; lra ].
  - destruct (Rlt_dec eps2 (er D errs a)) as [Second | No].
    + apply Rle_trans with (E (repeat D m) (fun s => if existsb (errs a) s then 0 else 1)).
      * apply E_le; [ apply all_alike, HD | ]. intros s Hs. destruct (test s) as [Y | Y]; [ | destruct (existsb _ _); lra ].
        specialize (Hev s Y). destruct (existsb (errs a) s) eqn:X; [ | lra ]. exfalso. apply Hev.
        assert (Pos : er_hat errs a s > 0).
        { unfold er_hat, share. apply existsb_exists in X. destruct X as (x & Hx & W).
          assert (F : In x (filter (errs a) s)) by (apply filter_In; auto).
          apply Rdiv_lt_0_compat; apply lt_0_INR; [ destruct (filter (errs a) s); [ contradiction | simpl; lia ] | ].
          rewrite Hs, repeat_length. exact Hm. }
        split; [ lra | intros; lra ].
      * rewrite none_wrong by exact HD. fold (er D errs a).
        assert (R1 : 0 <= er D errs a <= 1) by (apply mean_indicator, HD).
        (* "(1-r)^{n-K} ≤ e^{-r(n-K)}" *)
        apply Rle_trans with (exp (- er D errs a) ^ m).
        { apply pow_incr. split; [ lra | ]. pose proof (exp_ineq1_le (- er D errs a)). lra. }
        assert (Pw : forall k, exp (- er D errs a) ^ k = exp (- (er D errs a * INR k))).
        { induction k as [ | k IH]; [ simpl; rewrite Rmult_0_r, Ropp_0, exp_0; reflexivity | ].
          rewrite S_INR. simpl. rewrite IH, <- exp_plus. f_equal. ring. }
        rewrite Pw. left. apply exp_increasing. unfold eps2 in Second.
        apply (Rmult_lt_compat_r (INR m)) in Second; [ | exact M0 ].
        unfold Rdiv in Second. rewrite Rmult_assoc, Rinv_l in Second by lra. lra.
    + apply Rle_trans with 0; [ | apply Rlt_le, exp_pos ].
      apply Rle_trans with (E (repeat D m) (fun _ => 0 * 1)); [ | rewrite (E_scale A _ (fun _ => 1)); lra ].
      apply E_le; [ apply all_alike, HD | ]. intros s Hs. destruct (test s) as [Y | Y]; [ exfalso | lra ].
      apply (Hev s Y). assert (0 <= er_hat errs a s).
      { unfold er_hat, share. rewrite Hs, repeat_length. apply Rmult_le_pos; [ apply pos_INR | ].
        apply Rlt_le, Rinv_0_lt_compat, M0. }
      split; [ lra | intros; lra ].
Qed.

Lemma binomial_pos n : forall K, (K <= n)%nat -> (1 <= binomial n K)%nat.
Proof.
  induction n as [ | n IH]; intros [ | K] HK; simpl; try lia. specialize (IH K ltac:(lia)). lia.
Qed.

Lemma inside_length I : forall s : list A, length s = length I ->
  length (inside A I s) = count_occ bool_dec I true.
Proof.
  unfold inside. induction I as [ | b I IH]; intros [ | x s] H; simpl in *; try discriminate; try reflexivity.
  destruct b; simpl; rewrite IH by lia; reflexivity.
Qed.

Theorem thm_compression N n delta : distribution D -> (n >= 2)%nat -> 0 < delta < 1 ->
  P (repeat D n) (bounded N n delta) (bounded_dec N n delta) >= 1 - delta.
Proof.
  intros HD Hn Hd. assert (N0 : INR n > 0) by (apply lt_0_INR; lia).
  assert (N1 : INR n >= 1) by (change 1 with (INR 1); apply Rle_ge, le_INR; lia).
  pose (Lambda := fun K => ln (INR (binomial n K)) + ln (INR n / delta)).
  assert (D1 : INR n / delta > 1).
  { apply Rmult_lt_reg_r with delta; [ lra | ]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (B1 : forall K, (K <= n)%nat -> INR (binomial n K) >= 1).
  { intros K HK. change 1 with (INR 1). apply Rle_ge, le_INR, binomial_pos, HK. }
  assert (L0 : forall K, (K <= n)%nat -> Lambda K > 0).
  { intros K HK. specialize (B1 K HK). unfold Lambda. assert (ln (INR n / delta) > 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (0 <= ln (INR (binomial n K))).
    { rewrite <- ln_1. destruct (Req_dec (INR (binomial n K)) 1) as [-> | ]; [ lra | ].
      left. apply ln_increasing; lra. }
    lra. }
  (* "with probability at most" e^(-Λ) = δ/(n C(n,K)) *)
  assert (X : forall K, (K <= n)%nat -> exp (- Lambda K) = delta / INR n * / INR (binomial n K)).
  { intros K HK. specialize (B1 K HK). unfold Lambda. rewrite Ropp_plus_distr, exp_plus, !exp_Ropp, !exp_ln by lra. field. lra. }
  (* a set I is bad *)
  pose (bad := fun I s => (count_occ bool_dec I true < n)%nat /\
    ~ within_bound n (count_occ bool_dec I true) delta (after A p z N (inside A I s))
        (er_hat errs (after A p z N (inside A I s)) (others A I s))).
  assert (tests : forall I s, {bad I s} + {~ bad I s}).
  { intros I s. unfold bad. destruct (lt_dec (count_occ bool_dec I true) n) as [Y | Y]; [ | right; tauto ].
    destruct (within_bound_dec n (count_occ bool_dec I true) delta (after A p z N (inside A I s))
        (er_hat errs (after A p z N (inside A I s)) (others A I s))); [ right | left ]; tauto. }
  pose (price := fun K => if lt_dec K n then delta / INR n * / INR (binomial n K) else 0).
  assert (Each : forall I, length I = n -> P (repeat D n) (bad I) (tests I) <= price (count_occ bool_dec I true)).
  { intros I HI. set (K := count_occ bool_dec I true) in *.
    pose proof (both_counts I) as BC. fold K in BC. rewrite HI in BC.
    unfold price. destruct (lt_dec K n) as [HK | HK].
    - assert (Y : count_occ bool_dec I false = (n - K)%nat) by lia.
      pose (event := fun s1 s2 => ~ within_bound n K delta (after A p z N s1) (er_hat errs (after A p z N s1) s2)).
      assert (event_dec : forall s1 s2, {event s1 s2} + {~ event s1 s2}).
      { intros s1 s2. unfold event. destruct (within_bound_dec n K delta (after A p z N s1)
          (er_hat errs (after A p z N s1) s2)); [ right | left ]; tauto. }
      unfold P. apply Rle_trans with (E (repeat D (length I))
        (fun s => (fun s1 s2 => if event_dec s1 s2 then 1 else 0) (inside A I s) (others A I s))).
      + rewrite HI. apply E_le; [ apply all_alike, HD | ]. intros s _. cbv beta.
        destruct (tests I s) as [[_ Bd] | _], (event_dec (inside A I s) (others A I s)) as [Ev | Ev]; try lra.
        exfalso. apply Ev. exact Bd.
      + rewrite (parts A D I (fun s1 s2 => if event_dec s1 s2 then 1 else 0)). fold K. rewrite Y.
        apply Rle_trans with (E (repeat D K) (fun _ => exp (- Lambda K) * 1)).
        * apply E_le; [ apply all_alike, HD | ]. intros s1 _. rewrite Rmult_1_r.
          apply (fixed_vector (after A p z N s1) (n - K) (Lambda K) (event s1) (event_dec s1) HD);
            [ lia | apply L0; lia | ]. intros s2 Ev. exact Ev.
        * rewrite (E_scale A _ (fun _ => 1)), E_one by (apply all_alike, HD). rewrite X by lia. lra.
    - apply Rle_trans with (E (repeat D n) (fun _ => 0 * 1)); [ | rewrite (E_scale A _ (fun _ => 1)); lra ].
      apply E_le; [ apply all_alike, HD | ]. intros s _. destruct (tests I s) as [[B _] | _]; [ contradiction | lra ]. }
  (* "In particular the set of the actual run is not" bad *)
  assert (U : E (repeat D n) (fun _ => 1) <= E (repeat D n) (fun s => (if bounded_dec N n delta s then 1 else 0) +
    total (labelings n) (fun I => if tests I s then 1 else 0))).
  { apply E_le; [ apply all_alike, HD | ]. intros s Hs. rewrite repeat_length in Hs.
    assert (T0 : forall I, 0 <= if tests I s then 1 else 0) by (intros I; destruct (tests I s); lra).
    assert (LI : length (used A p z N s) = n) by (rewrite used_length; exact Hs).
    pose proof (total_term (labelings n) _ (used A p z N s) T0 (proj2 (proj2 (each_once n) _) LI)) as T1. cbv beta in T1.
    destruct (bounded_dec N n delta s) as [Y | No].
    - destruct (tests (used A p z N s) s); lra.
    - destruct (tests (used A p z N s) s) as [_ | G]; [ lra | exfalso ]. apply No. intros HK.
      rewrite inside_length in * by lia.
      destruct (within_bound_dec n (count_occ bool_dec (used A p z N s) true) delta (after A p z N s)
        (er_hat errs (after A p z N s) (others A (used A p z N s) s))) as [W | W]; [ exact W | exfalso ].
      apply G. split; [ exact HK | ]. rewrite (proj1 (lem_compression A p z N s)). exact W. }
  rewrite E_one in U by (apply all_alike, HD). rewrite E_plus, E_total in U.
  assert (Sum : total (labelings n) (fun I => E (repeat D n) (fun s => if tests I s then 1 else 0)) <= delta).
  { apply Rle_trans with (total (labelings n) (fun I => price (count_occ bool_dec I true))).
    - apply total_le. intros I HI. apply Each. apply (proj2 (each_once n)). exact HI.
    - rewrite (by_size n price). rewrite sum_S. unfold price at 2. destruct (lt_dec n n) as [F | _]; [ lia | ].
      rewrite (sum_ext n _ (fun _ => delta / INR n * 1)).
      + rewrite sum_scale. assert (S2 : forall m, Σ[j < m] 1 = INR m)
          by (induction m; [ reflexivity | rewrite S_INR; simpl; lra ]).
        rewrite S2. right. field. lra.
      + intros K HK. unfold price. destruct (lt_dec K n) as [_ | F]; [ | lia ].
        specialize (B1 K ltac:(lia)). field. lra. }
  unfold P. lra.
Qed.
End Bound.
