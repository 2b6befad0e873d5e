(** * Lesson 2: thm-hd-radon, thm-hd-vc *)
From LinearClassification Require Import Vectors Ties.

(** ** More vectors than dimensions are linearly dependent
    By induction on the dimension: if some vector has a last entry that is not zero, subtract from
    the others the multiple of it that makes theirs zero. *)
Lemma sum_exchange n (f g : nat -> R) r : (r < n)%nat ->
  Σ[i < n] (if Nat.eq_dec i r then g i else f i) = (Σ[i < n] f i) - f r + g r.
Proof.
  induction n; intros Hr; [ lia | simpl ].
  destruct (Nat.eq_dec n r) as [-> | N].
  - rewrite (sum_ext r _ (fun i => f i)); [ ring | ]. intros i Hi. destruct (Nat.eq_dec i r); [ lia | reflexivity ].
  - rewrite IHn by lia. ring.
Qed.

Lemma dependent q : forall x : nat -> vec, exists c : nat -> R,
  (exists i, (i < S q)%nat /\ c i <> 0) /\
  forall j, (j < q)%nat -> Σ[i < S q] c i * x i j = 0.
Proof.
  induction q as [ | q IH]; intros x.
  { exists (fun _ => 1). split; [ exists O; split; [ lia | lra ] | intros; lia ]. }
  destruct (zero_or_not (S (S q)) (fun i => x i q)) as [Z | (r & Hr & Nr)].
  - (* all last entries are zero: take the first q+1 vectors *)
    destruct (IH x) as (c & (i & Hi & Ni) & Hc).
    exists (fun i => if Nat.eq_dec i (S q) then 0 else c i).
    assert (old : forall j, Σ[i < S (S q)] (if Nat.eq_dec i (S q) then 0 else c i) * x i j
                            = Σ[i < S q] c i * x i j).
    { intros j. rewrite (sum_S (S q)).
      destruct (Nat.eq_dec (S q) (S q)) as [_ | N]; [ | contradiction ].
      rewrite (sum_ext (S q) _ (fun i => c i * x i j)); [ ring | ].
      intros k Hk. destruct (Nat.eq_dec k (S q)); [ lia | reflexivity ]. }
    split.
    + exists i. split; [ lia | ]. destruct (Nat.eq_dec i (S q)); [ lia | exact Ni ].
    + intros j Hj. rewrite old. destruct (Nat.eq_dec j q) as [-> | ]; [ | apply Hc; lia ].
      rewrite (sum_ext (S q) _ (fun i => 0 * c i)), sum_scale; [ ring | ].
      intros k Hk. rewrite Z by lia. ring.
  - (* x_r has one: put the last vector in its place, and subtract *)
    set (t := fun i => x i q / x r q).
    set (other := fun i => if Nat.eq_dec i r then S q else i).
    destruct (IH (fun i j => x (other i) j - t (other i) * x r j)) as (c & (k & Hk & Nk) & Hc).
    (* the coefficient of x_r *)
    set (s := - (Σ[i < S q] c i * t (other i))).
    assert (E : exists c', (exists i, (i < S (S q))%nat /\ c' i <> 0) /\ forall j,
      Σ[i < S (S q)] c' i * x i j = (Σ[i < S q] c i * x (other i) j) + (if Nat.eq_dec r (S q) then 0 else - (c r * x (other r) j) + c r * x (S q) j) + s * x r j).
    { destruct (Nat.eq_dec r (S q)) as [-> | N].
      - exists (fun i => if Nat.eq_dec i (S q) then s else c i). split.
        + exists k. split; [ lia | ]. destruct (Nat.eq_dec k (S q)); [ lia | exact Nk ].
        + intros j. rewrite (sum_S (S q)).
          destruct (Nat.eq_dec (S q) (S q)) as [_ | N]; [ | contradiction ].
          rewrite (sum_ext (S q) _ (fun i => c i * x (other i) j)); [ ring | ].
          intros i Hi. unfold other. destruct (Nat.eq_dec i (S q)); [ lia | reflexivity ].
      - exists (fun i => if Nat.eq_dec i (S q) then c r else if Nat.eq_dec i r then s else c i). split.
        + destruct (Nat.eq_dec k r) as [-> | Nkr].
          * exists (S q). split; [ lia | ]. destruct (Nat.eq_dec (S q) (S q)); [ exact Nk | contradiction ].
          * exists k. split; [ lia | ].
            destruct (Nat.eq_dec k (S q)); [ lia | ]. destruct (Nat.eq_dec k r); [ contradiction | exact Nk ].
        + intros j. rewrite (sum_S (S q)).
          destruct (Nat.eq_dec (S q) (S q)) as [_ | N']; [ | contradiction ].
          rewrite (sum_ext (S q) _ (fun i => if Nat.eq_dec i r then s * x i j else c i * x (other i) j)).
          * rewrite (sum_exchange (S q) (fun i => c i * x (other i) j) (fun i => s * x i j)) by lia. ring.
          * intros i Hi. unfold other. destruct (Nat.eq_dec i (S q)); [ lia | ].
            destruct (Nat.eq_dec i r); reflexivity. }
    destruct E as (c' & Hc' & E). exists c'. split; [ exact Hc' | ]. intros j Hj. rewrite E.
    assert (F : (if Nat.eq_dec r (S q) then 0 else - (c r * x (other r) j) + c r * x (S q) j) = 0).
    { destruct (Nat.eq_dec r (S q)); [ reflexivity | ].
      unfold other. destruct (Nat.eq_dec r r); [ ring | contradiction ]. }
    rewrite F. unfold s.
    assert (G : (Σ[i < S q] c i * (x (other i) j - t (other i) * x r j))
                = (Σ[i < S q] c i * x (other i) j) - (Σ[i < S q] c i * t (other i)) * x r j).
    { rewrite (sum_ext (S q) _ (fun i => c i * x (other i) j + - x r j * (c i * t (other i)))) by (intros; ring).
      rewrite sum_plus, sum_scale. ring. }
    replace (_ + 0 + _) with (Σ[i < S q] c i * (x (other i) j - t (other i) * x r j)) by (rewrite G; ring).
    destruct (Nat.eq_dec j q) as [-> | ]; [ | apply Hc; lia ].
    rewrite (sum_ext (S q) _ (fun i => 0 * c i)), sum_scale; [ ring | ].
    intros i Hi. unfold t. field. exact Nr.
Qed.

(** The same with numbers whose sum is zero, for d+2 points: "the d+2 vectors (x_i, 1)" *)
Lemma dependent_affine d (x : nat -> vec) : exists c : nat -> R,
  (exists i, (i < S (S d))%nat /\ c i <> 0) /\ Σ[i < S (S d)] c i = 0 /\
  forall j, (j < d)%nat -> Σ[i < S (S d)] c i * x i j = 0.
Proof.
  destruct (dependent (S d) (fun i j => if Nat.eq_dec j d then 1 else x i j)) as (c & Hc & H).
  exists c. split; [ exact Hc | split ].
  - rewrite <- (H d) by lia. apply sum_ext. intros i Hi.
    destruct (Nat.eq_dec d d); [ ring | contradiction ].
  - intros j Hj. rewrite <- (H j) by lia. apply sum_ext. intros i Hi.
    destruct (Nat.eq_dec j d); [ lia | reflexivity ].
Qed.

(** ** Radon *)
(** alpha are the weights of a weighted mean of those of n points that have [group i = side]. *)
Definition weights_in (n : nat) (group : nat -> bool) (side : bool) (alpha : nat -> R) : Prop :=
  (forall i, (i < n)%nat -> 0 <= alpha i /\ (group i <> side -> alpha i = 0)) /\ Σ[i < n] alpha i = 1.

Theorem thm_hd_radon d (x : nat -> vec) :
  exists group alpha beta,
    weights_in (S (S d)) group true alpha /\ weights_in (S (S d)) group false beta /\
    forall j, (j < d)%nat -> comb (S (S d)) alpha x j = comb (S (S d)) beta x j.
Proof.
  (* "there are c_i, not all zero" *)
  destruct (dependent_affine d x) as (c & (k & Hk & Nk) & H1 & Hx). set (n := S (S d)) in *.
  (* c_i = pos c_i - pos (- c_i), and the two parts have the same sum s *)
  set (s := Σ[i < n] pos (c i)).
  assert (E : forall f : nat -> R,
    Σ[i < n] c i * f i = (Σ[i < n] pos (c i) * f i) - Σ[i < n] pos (- c i) * f i).
  { intros f. rewrite (sum_ext n (fun i => c i * f i) (fun i => pos (c i) * f i + -1 * (pos (- c i) * f i))).
    - rewrite sum_plus, sum_scale. ring.
    - intros i Hi. rewrite (pos_split (c i)) at 1. ring. }
  assert (S2 : Σ[i < n] pos (- c i) = s).
  { pose proof (E (fun _ => 1)) as F. cbv beta in F. unfold s.
    rewrite (sum_ext n (fun i => c i * 1) c), (sum_ext n (fun i => pos (c i) * 1) (fun i => pos (c i))),
      (sum_ext n (fun i => pos (- c i) * 1) (fun i => pos (- c i))) in F by (intros; ring).
    change (sum n c) with (Σ[i < n] c i) in F. rewrite H1 in F. lra. }
  (* s is positive *)
  assert (P : s > 0).
  { assert (N : 0 <= s) by (apply sum_nonneg; intros; apply pos_nonneg).
    destruct (Req_dec s 0) as [Z | Z]; [ exfalso; apply Nk | lra ].
    pose proof (sum_zero n _ (fun i _ => pos_nonneg (c i)) Z k Hk) as A.
    rewrite <- S2 in Z. pose proof (sum_zero n _ (fun i _ => pos_nonneg (- c i)) Z k Hk) as B.
    simpl in A, B. rewrite (pos_split (c k)), A, B. ring. }
  assert (I : / s > 0) by (apply Rinv_0_lt_compat; exact P).
  exists (fun i => if Rlt_dec 0 (c i) then true else false),
    (fun i => / s * pos (c i)), (fun i => / s * pos (- c i)).
  split; [ | split ].
  - split; [ intros i Hi; split | ].
    + apply Rmult_le_pos; [ lra | apply pos_nonneg ].
    + destruct (Rlt_dec 0 (c i)) as [C | C]; [ intros F; contradiction | intros _ ].
      unfold pos. rewrite Rmax_left by lra. ring.
    + rewrite sum_scale. change (/ s * s = 1). field. lra.
  - split; [ intros i Hi; split | ].
    + apply Rmult_le_pos; [ lra | apply pos_nonneg ].
    + destruct (Rlt_dec 0 (c i)) as [C | C]; [ intros _ | intros F; contradiction ].
      unfold pos. rewrite Rmax_left by lra. ring.
    + rewrite sum_scale, S2. field. lra.
  - intros j Hj. unfold comb.
    rewrite (sum_ext n (fun i => / s * pos (c i) * x i j) (fun i => / s * (pos (c i) * x i j))) by (intros; ring).
    rewrite (sum_ext n (fun i => / s * pos (- c i) * x i j) (fun i => / s * (pos (- c i) * x i j))) by (intros; ring).
    rewrite !sum_scale. f_equal. pose proof (E (fun i => x i j)) as F. cbv beta in F. rewrite Hx in F by exact Hj. lra.
Qed.

(** ** The VC dimension of halfspaces *)
(** A sample with the label + (true) or - (false) and this score is labelled rightly under the tie rule. *)
Definition right (t : tie_rule) (label : bool) (s : R) : Prop :=
  (if label then wrong_pos t s else wrong_neg t s) = false.

(** The points x_0, ..., x_(m-1) get all their labellings from planes through the origin, or with offset. *)
Definition shattered (t : tie_rule) (d m : nat) (x : nat -> vec) : Prop :=
  forall label : nat -> bool, exists w, forall i, (i < m)%nat -> right t (label i) (dot d w (x i)).
Definition shattered_with_offset (t : tie_rule) (d m : nat) (x : nat -> vec) : Prop :=
  forall label : nat -> bool, exists w b, forall i, (i < m)%nat -> right t (label i) (dot d w (x i) + b).

Lemma right_pos t s : right t true s -> 0 <= s /\ (t <> plus -> 0 < s).
Proof.
  unfold right, wrong_pos. destruct (Rlt_dec 0 s); [ intros; split; intros; lra | ].
  destruct (Rlt_dec s 0); [ discriminate | ].
  destruct t; simpl; intros E; try discriminate. split; [ lra | intros F; contradiction ].
Qed.

Lemma right_neg t s : right t false s -> s <= 0 /\ (t <> minus -> s < 0).
Proof.
  unfold right, wrong_neg. destruct (Rlt_dec s 0); [ intros; split; intros; lra | ].
  destruct (Rlt_dec 0 s); [ discriminate | ].
  destruct t; simpl; intros E; try discriminate. split; [ lra | intros F; contradiction ].
Qed.

Lemma right_strict t (label : bool) s : (if label then s > 0 else s < 0) -> right t label s.
Proof.
  destruct label; unfold right, wrong_pos, wrong_neg; intros H;
    [ destruct (Rlt_dec 0 s) | destruct (Rlt_dec s 0) ]; auto; lra.
Qed.

(** The sign that the tie rule does not help, and the labels by the sign of c. *)
Definition unhelped (t : tie_rule) (s : R) : Prop := match t with minus => s > 0 | _ => s < 0 end.
Definition by_sign (t : tie_rule) (s : R) : bool :=
  match t with minus => if Rlt_dec 0 s then true else false | _ => if Rlt_dec s 0 then false else true end.

(** "If w produced these labels" *)
Lemma no_plane d m t c (x : nat -> vec) w :
  (forall j, (j < d)%nat -> Σ[i < m] c i * x i j = 0) ->
  (exists i, (i < m)%nat /\ unhelped t (c i)) ->
  ~ forall i, (i < m)%nat -> right t (by_sign t (c i)) (dot d w (x i)).
Proof.
  intros H0 (k & Hk & Ck) H.
  assert (E : Σ[i < m] c i * dot d w (x i) = 0).
  { rewrite <- (dot_comb d m c x w), dot_sym. apply dot_zero. exact H0. }
  assert (T : forall i, (i < m)%nat -> 0 <= c i * dot d w (x i)).
  { intros i Hi. specialize (H i Hi). unfold by_sign in H.
    destruct t; [ destruct (Rlt_dec 0 (c i)) | destruct (Rlt_dec (c i) 0) | destruct (Rlt_dec (c i) 0) ];
      first [ apply right_pos in H | apply right_neg in H ]; nra. }
  pose proof (sum_zero m _ T E k Hk) as Z. simpl in Z. specialize (H k Hk). unfold by_sign in H. unfold unhelped in Ck.
  destruct t; [ destruct (Rlt_dec 0 (c k)) | destruct (Rlt_dec (c k) 0) | destruct (Rlt_dec (c k) 0) ]; try lra.
  - apply right_pos in H. destruct H as [_ H]. assert (minus <> plus) by discriminate.
    specialize (H H1). nra.
  - apply right_neg in H. destruct H as [_ H]. assert (plus <> minus) by discriminate.
    specialize (H H1). nra.
  - apply right_neg in H. destruct H as [_ H]. assert (both_wrong <> minus) by discriminate.
    specialize (H H1). nra.
Qed.

(** "Any d+1 points of R^d are linearly dependent ... Choose the sign of c" *)
Lemma not_more d m t x : (d < m)%nat -> ~ shattered t d m x.
Proof.
  intros Hm H. destruct (dependent d x) as (c0 & (k & Hk & Nk) & H0).
  (* coefficients for all m points, and both signs *)
  set (c := fun (s : R) i => if lt_dec i (S d) then s * c0 i else 0).
  assert (Hc : forall s j, (j < d)%nat -> Σ[i < m] c s i * x i j = 0).
  { intros s j Hj. replace m with (S d + (m - S d))%nat by lia.
    assert (F : forall l, Σ[i < S d + l] c s i * x i j = s * Σ[i < S d] c0 i * x i j).
    { induction l as [ | l IH].
      - rewrite Nat.add_0_r, <- sum_scale. apply sum_ext. intros i Hi. unfold c.
        destruct (lt_dec i (S d)); [ ring | lia ].
      - rewrite Nat.add_succ_r.
        rewrite sum_S, IH. unfold c at 1. destruct (lt_dec (S d + l) (S d)); [ lia | ring ]. }
    rewrite F, H0 by exact Hj. ring. }
  assert (Hs : exists s, unhelped t (c s k)).
  { unfold unhelped, c. destruct (lt_dec k (S d)); [ | lia ]. destruct (Rdichotomy _ _ Nk).
    - exists (match t with minus => -1 | _ => 1 end). destruct t; lra.
    - exists (match t with minus => 1 | _ => -1 end). destruct t; lra. }
  destruct Hs as [s Hs].
  destruct (H (fun i => by_sign t (c s i))) as [w Hw].
  apply (no_plane d m t (c s) x w); [ apply Hc | exists k; split; [ lia | exact Hs ] | exact Hw ].
Qed.

(** The unit vectors. *)
Definition e (v : nat) : vec := fun u => if Nat.eq_dec u v then 1 else 0.

Lemma score_e d w v : dot d w (e v) = if lt_dec v d then w v else 0.
Proof.
  unfold dot, e. induction d as [ | k IH]; [ destruct (lt_dec v 0); [ lia | reflexivity ] | simpl ].
  rewrite IH. destruct (lt_dec v k), (lt_dec v (S k)), (Nat.eq_dec k v); try lia; subst; ring.
Qed.

Theorem thm_hd_vc d t :
  (exists x, shattered t d d x) /\ (forall m x, (d < m)%nat -> ~ shattered t d m x) /\
  (exists x, shattered_with_offset t d (S d) x) /\
  (forall m x, (S d < m)%nat -> ~ shattered_with_offset t d m x).
Proof.
  split; [ | split; [ intros m x; apply not_more | split ] ].
  - (* "w = (y_1, ..., y_d) has scores y_i" *)
    exists e. intros label. exists (fun v => if label v then 1 else -1). intros i Hi.
    apply right_strict. rewrite score_e. destruct (lt_dec i d); [ | lia ]. destruct (label i); lra.
  - (* "With an intercept add the point 0, labelled y_0": here it is the last one *)
    exists (fun v => if Nat.eq_dec v d then (fun _ => 0) else e v). intros label.
    set (y := fun v => if label v then 1 else -1).
    exists (fun v => y v - y d / 2), (y d / 2). intros i Hi. apply right_strict.
    destruct (Nat.eq_dec i d) as [-> | N].
    + rewrite dot_sym, dot_zero by auto. unfold y. destruct (label d); lra.
    + rewrite score_e. destruct (lt_dec i d); [ | lia ].
      replace (y i - y d / 2 + y d / 2) with (y i) by ring. unfold y. destruct (label i); lra.
  - (* "apply this to the points (x_i, 1)" *)
    intros m x Hm H. apply (not_more (S d) m t (fun i j => if Nat.eq_dec j d then 1 else x i j) Hm).
    intros label. destruct (H label) as (w & b & Hw). exists (fun j => if Nat.eq_dec j d then b else w j).
    intros i Hi. specialize (Hw i Hi).
    replace (dot (S d) _ _) with (dot d w (x i) + b); [ exact Hw | ].
    unfold dot. simpl. destruct (Nat.eq_dec d d); [ | contradiction ].
    rewrite (sum_ext d (fun j => (if Nat.eq_dec j d then b else w j) * (if Nat.eq_dec j d then 1 else x i j))
      (fun j => w j * x i j)); [ ring | ].
    intros j Hj. destruct (Nat.eq_dec j d); [ lia | reflexivity ].
Qed.
