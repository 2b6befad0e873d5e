(** * Lesson 2b: prop-hd-reduction *)
From LinearClassification Require Import Vectors Ties.
Require Import Bool.

(** How many of 0, ..., n-1 have a property; whether some has it. *)
Fixpoint count (n : nat) (P : nat -> bool) : nat :=
  match n with O => O | S m => count m P + (if P m then 1 else 0) end.
Fixpoint some (n : nat) (P : nat -> bool) : bool :=
  match n with O => false | S m => some m P || P m end.


(** ** Counting *)
Lemma count_ext n P Q : (forall i, (i < n)%nat -> P i = Q i) -> count n P = count n Q.
Proof. induction n; simpl; intros H; [ | rewrite IHn, H; auto ]; auto. Qed.

Lemma count_none n P : (forall i, (i < n)%nat -> P i = false) -> count n P = O.
Proof. induction n; simpl; intros H; [ auto | rewrite IHn, H; auto ]. Qed.

Lemma some_spec n P : some n P = true <-> exists i, (i < n)%nat /\ P i = true.
Proof.
  induction n; simpl.
  - split; [ discriminate | intros (i & Hi & _); lia ].
  - rewrite orb_true_iff, IHn. split.
    + intros [(i & Hi & E) | E]; [ exists i | exists n ]; split; auto.
    + intros (i & Hi & E). destruct (Nat.eq_dec i n) as [-> | ]; [ auto | left; exists i; split; auto; lia ].
Qed.

(** One element more makes the count larger by one at most ... *)
Lemma count_add n Q (b : bool) k :
  (count n (fun v => Q v || (b && Nat.eqb k v)) <= count n Q + (if b then 1 else 0))%nat.
Proof.
  assert (H : (count n (fun v => Q v || (b && Nat.eqb k v))
               <= count n Q + (if b && Nat.ltb k n then 1 else 0))%nat).
  { induction n; simpl; [ lia | revert IHn ].
    destruct b, (Q n), (Nat.eqb_spec k n), (Nat.ltb_spec k n), (Nat.ltb_spec k (S n)); simpl in *; lia. }
  destruct b, (Nat.ltb k n); simpl in *; lia.
Qed.

(** ... so "At most one element is taken for each mistake". *)
Lemma count_taken d N A B pick :
  (count d (fun v => A v || some N (fun j => B j && Nat.eqb (pick j) v))
   <= count d A + count N B)%nat.
Proof.
  induction N as [ | m IH]; simpl.
  - rewrite (count_ext d _ A); [ lia | intros; apply orb_false_r ].
  - rewrite (count_ext d _ (fun v =>
      (A v || some m (fun j => B j && Nat.eqb (pick j) v)) || (B m && Nat.eqb (pick m) v)))
      by (intros; apply orb_assoc).
    apply Nat.le_trans with (1 := count_add d (fun v => A v ||
      some m (fun j => B j && Nat.eqb (pick j) v)) (B m) (pick m)). lia.
Qed.

Section Reduction.
Variables (d N : nat) (In : nat -> nat -> bool).    (* In j v: v is an element of S_j *)
Definition hitting (H : nat -> bool) : Prop :=
  forall j, (j < N)%nat -> exists v, (v < d)%nat /\ In j v = true /\ H v = true.

(** The samples: e_v labelled -1, the indicator vector of S_j labelled +1. *)
Definition e (v : nat) : vec := fun u => if Nat.eqb u v then 1 else 0.
Definition ind (j : nat) : vec := fun u => if In j u then 1 else 0.

Definition mistakes (t : tie_rule) (w : vec) : nat :=
  count d (fun v => wrong_neg t (dot d w (e v))) +
  count N (fun j => wrong_pos t (dot d w (ind j))).

(** ** Scores *)
Lemma score_e w v : (v < d)%nat -> dot d w (e v) = w v.
Proof.
  unfold dot, e. revert v. induction d; intros v Hv; [ lia | simpl ].
  destruct (Nat.eqb_spec n v) as [-> | E].
  - rewrite (sum_ext v _ (fun u => 0 * w u)), sum_scale; [ lra | ].
    intros u Hu. destruct (Nat.eqb_spec u v); [ lia | lra ].
  - rewrite IHn by lia. lra.
Qed.

Lemma one_large n f v : (v < n)%nat -> (forall u, (u < n)%nat -> f u >= -1) ->
  sum n f >= f v - (INR n - 1).
Proof.
  induction n; intros Hv H; [ lia | ]. rewrite S_INR. simpl.
  assert (L : forall m, (m <= n)%nat -> sum m f >= - INR m).
  { induction m; intros; [ simpl; lra | rewrite S_INR; simpl ].
    assert (f m >= -1) by (apply H; lia). assert (sum m f >= - INR m) by (apply IHm; lia). lra. }
  destruct (Nat.eq_dec v n) as [-> | ].
  - specialize (L n ltac:(lia)). lra.
  - assert (sum n f >= f v - (INR n - 1)) by (apply IHn; [ lia | auto ]).
    assert (f n >= -1) by auto. lra.
Qed.

(** ** (1) "For a hitting set H, the hyperplane with w_v = d on H and w_v = -1
    elsewhere makes exactly |H| mistakes." *)
Definition plane (H : nat -> bool) : vec := fun v => if H v then INR d else -1.

Lemma plane_of_hitting_set t H : hitting H -> mistakes t (plane H) = count d H.
Proof.
  intros Hh. unfold mistakes.
  (* "Off H the score of e_v is -1: right. On H it is d: wrong." *)
  rewrite (count_ext d _ H).
  2:{ intros v Hv. rewrite score_e by auto. unfold plane, wrong_neg.
      assert (INR d > 0) by (apply lt_0_INR; lia).
      destruct (H v); destruct (Rlt_dec _ 0); try lra; destruct (Rlt_dec 0 _); auto; lra. }
  (* "Each S_j has an element in H and at most d-1 outside, so its score is at least 1" *)
  rewrite (count_none N); [ lia | ].
  intros j Hj. destruct (Hh j Hj) as (v & Hv & Hin & HH).
  assert (Hs : dot d (plane H) (ind j) >= 1).
  { unfold dot. assert (B : forall u, (u < d)%nat -> plane H u * ind j u >= -1).
    { intros u Hu. unfold plane, ind. assert (0 <= INR d) by apply pos_INR.
      destruct (H u), (In j u); lra. }
    pose proof (one_large d _ v Hv B) as L. simpl in L.
    assert (Fv : plane H v * ind j v = INR d) by (unfold plane, ind; rewrite HH, Hin; lra).
    rewrite Fv in L. lra. }
  unfold wrong_pos. destruct (Rlt_dec 0 _); auto; lra.
Qed.

(** ** (2) "take all v for which e_v is a mistake, and one element of each S_j that
    is a mistake": pick j is the element taken of S_j *)
Definition read_back t w (pick : nat -> nat) (v : nat) : bool :=
  wrong_neg t (dot d w (e v)) ||
  some N (fun j => wrong_pos t (dot d w (ind j)) && Nat.eqb (pick j) v).

Lemma hitting_set_of_plane t w pick :
  (forall j, (j < N)%nat -> (pick j < d)%nat /\ In j (pick j) = true) ->
  hitting (read_back t w pick) /\ (count d (read_back t w pick) <= mistakes t w)%nat.
Proof.
  intros Hp. split; [ | apply count_taken ].
  intros j Hj. destruct (Hp j Hj) as [Pd Pin].
  destruct (wrong_pos t (dot d w (ind j))) eqn:E.
  - (* "If it is a mistake, one of its elements was taken." *)
    exists (pick j). repeat split; auto. apply orb_true_iff. right.
    apply some_spec. exists j. split; auto. rewrite E, Nat.eqb_refl. reflexivity.
  - (* "If it is right, ... e_v, labelled -1, is a mistake, and v was taken." *)
    destruct (some d (fun v => In j v && wrong_neg t (w v))) eqn:Q.
    + apply some_spec in Q. destruct Q as (v & Hv & A). apply andb_true_iff in A.
      exists v. repeat split; try apply A; auto.
      unfold read_back. rewrite score_e by auto. destruct A as [_ ->]. reflexivity.
    + exfalso.
      assert (right : forall v, (v < d)%nat -> In j v = true -> wrong_neg t (w v) = false).
      { intros v Hv Hi. destruct (wrong_neg t (w v)) eqn:W; auto.
        rewrite <- Q. symmetry. apply some_spec. exists v. rewrite Hi, W. auto. }
      assert (T : forall v, (v < d)%nat -> 0 <= - (w v * ind j v)).
      { intros v Hv. unfold ind. destruct (In j v) eqn:Hi; [ | lra ].
        specialize (right v Hv Hi). unfold wrong_neg in right.
        destruct (Rlt_dec (w v) 0); [ lra | ]. destruct (Rlt_dec 0 (w v)); [ discriminate | lra ]. }
      assert (S0 : - dot d w (ind j) = Σ[v < d] - (w v * ind j v)).
      { unfold dot. rewrite (sum_ext d (fun v => - _) (fun v => -1 * (w v * ind j v)))
          by (intros; lra). rewrite sum_scale. lra. }
      assert (S1 : 0 <= Σ[v < d] - (w v * ind j v)) by (apply sum_nonneg; auto).
      unfold wrong_pos in E.
      destruct (Rlt_dec 0 _); [ lra | ]. destruct (Rlt_dec _ 0); [ discriminate | ].
      (* the score of S_j is 0, so the weight of pick j is 0, so e_(pick j) is a tie *)
      assert (Z : Σ[v < d] - (w v * ind j v) = 0) by lra.
      pose proof (sum_zero d _ T Z (pick j) Pd) as W. simpl in W.
      unfold ind in W. rewrite Pin in W.
      specialize (right (pick j) Pd Pin). unfold wrong_neg in right.
      destruct (Rlt_dec (w (pick j)) 0); [ lra | ].
      destruct (Rlt_dec 0 (w (pick j))); [ discriminate | ].
      destruct t; simpl in *; discriminate.
Qed.

Lemma choice : (forall j, (j < N)%nat -> exists v, (v < d)%nat /\ In j v = true) ->
  exists pick, forall j, (j < N)%nat -> (pick j < d)%nat /\ In j (pick j) = true.
Proof.
  induction N as [ | M IH]; intros nonempty.
  - exists (fun _ => O). intros; lia.
  - destruct IH as [f Hf]; [ intros; apply nonempty; lia | ].
    destruct (nonempty M ltac:(lia)) as (v & Hv & Hi).
    exists (fun j => if Nat.eqb j M then v else f j). intros j Hj.
    destruct (Nat.eqb_spec j M) as [-> | ]; [ auto | apply Hf; lia ].
Qed.

(** "So Opt = tau": some plane makes at most k mistakes exactly if some hitting set has at
    most k elements, for every k; so the smallest of either are the same. *)
Theorem prop_hd_reduction t :
  (forall j, (j < N)%nat -> exists v, (v < d)%nat /\ In j v = true) ->
  (* 1 *)
  (forall H, hitting H -> mistakes t (plane H) = count d H) /\
  (* 2; pick j is the element that is taken of S_j *)
  (forall w pick,
     (forall j, (j < N)%nat -> (pick j < d)%nat /\ In j (pick j) = true) ->
     hitting (read_back t w pick) /\ (count d (read_back t w pick) <= mistakes t w)%nat) /\
  (* Opt = tau *)
  (forall k, (exists w, (mistakes t w <= k)%nat) <->
             (exists H, hitting H /\ (count d H <= k)%nat)).
Proof.
  intros nonempty. split; [ | split ].
  - exact (plane_of_hitting_set t).
  - exact (hitting_set_of_plane t).
  - destruct (choice nonempty) as [pick Hp]. intros k. split.
    + intros [w Hw]. exists (read_back t w pick).
      destruct (hitting_set_of_plane t w pick Hp). split; [ auto | lia ].
    + intros (H & Hh & Hk). exists (plane H). rewrite plane_of_hitting_set; auto.
Qed.
End Reduction.
