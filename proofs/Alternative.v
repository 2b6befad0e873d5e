(** * Lesson 8b: thm-lp-alternative *)
From LinearClassification Require Import Vectors Margin.

Section Alternative.
(** [y i] is true for the label +1, false for -1. *)
Variables (d n : nat) (x : nat -> vec) (y : nat -> bool).
Notation "⟨ a , b ⟩" := (dot d a b).

Definition separates (w : vec) (b : R) : Prop := forall i, (i < n)%nat ->
  if y i then ⟨w, x i⟩ + b > 0 else ⟨w, x i⟩ + b < 0.

(** A weighted mean of the samples of one class *)
Definition in_hull (s : bool) (u : vec) : Prop := exists alpha,
  simplex n alpha /\ (forall i, (i < n)%nat -> y i <> s -> alpha i = 0) /\
  forall j, (j < d)%nat -> comb n alpha x j = u j.

(** The signed samples z_i = y_i (x_i, 1) *)
Definition label (i : nat) : R := if y i then 1 else -1.
Definition signed (i : nat) : vec := fun j => label i * (if Nat.eq_dec j d then 1 else x i j).

Lemma signed_score a i : dot (S d) a (signed i) = label i * (⟨a, x i⟩ + a d).
Proof.
  unfold dot, signed. rewrite sum_S. destruct (Nat.eq_dec d d) as [_ | N]; [ | contradiction ].
  rewrite (sum_ext d _ (fun j => label i * (a j * x i j))), sum_scale; [ ring | ].
  intros j Hj. destruct (Nat.eq_dec j d); [ lia | ring ].
Qed.

Lemma signed_comb alpha j : comb n alpha signed j =
  if Nat.eq_dec j d then Σ[i < n] alpha i * label i else comb n (fun i => alpha i * label i) x j.
Proof.
  unfold comb, signed. destruct (Nat.eq_dec j d) as [-> | N]; apply sum_ext; intros i Hi.
  - ring.
  - ring.
Qed.

Theorem thm_lp_alternative :
  let one := exists w b, separates w b in
  let two := exists u, in_hull true u /\ in_hull false u in
  (one \/ two) /\ ~ (one /\ two).
Proof.
  destruct (thm_gordan (S d) n signed) as (G & Not & _). split.
  - destruct G as [(a & Ha) | (alpha & [Ha H1] & H0)]; [ left | right ].
    + exists a, (a d). intros i Hi. specialize (Ha i Hi). rewrite signed_score in Ha. unfold label in Ha.
      destruct (y i); lra.
    + (* both classes have the total 1/2 *)
      assert (L : Σ[i < n] alpha i * label i = 0).
      { rewrite <- (H0 d ltac:(lia)), signed_comb. destruct (Nat.eq_dec d d); [ reflexivity | contradiction ]. }
      assert (X : forall j, (j < d)%nat -> comb n (fun i => alpha i * label i) x j = 0).
      { intros j Hj. rewrite <- (H0 j ltac:(lia)), signed_comb. destruct (Nat.eq_dec j d); [ lia | reflexivity ]. }
      exists (comb n alpha x).
      assert (Half : forall (s : bool) c, c = (if s then 1 else -1) -> in_hull s (comb n alpha x)).
      { intros s c Hc. exists (fun i => alpha i + c * (alpha i * label i)). split; [ split | split ].
        - intros i Hi. specialize (Ha i Hi). unfold label. rewrite Hc. destruct s, (y i); lra.
        - rewrite sum_plus, sum_scale, L. change (sum n (fun i => alpha i)) with (Σ[i < n] alpha i). rewrite H1. ring.
        - intros i Hi N. unfold label. rewrite Hc. destruct s, (y i); try contradiction; try ring; exfalso; auto.
        - intros j Hj. unfold comb. rewrite (sum_ext n _ (fun i => alpha i * x i j + c * (alpha i * label i * x i j)))
            by (intros; ring).
          rewrite sum_plus, sum_scale. specialize (X j Hj). unfold comb in X. rewrite X. ring. }
      split; [ apply (Half true 1) | apply (Half false (-1)) ]; reflexivity.
  - intros [(w & b & Hs) (u & (alpha & [Pa Sa] & Za & Ea) & (beta & [Pb Sb] & Zb & Eb))].
    apply Not. split.
    + exists (fun j => if Nat.eq_dec j d then b else w j). intros i Hi. specialize (Hs i Hi). rewrite signed_score.
      destruct (Nat.eq_dec d d) as [_ | N]; [ | contradiction ].
      rewrite (dot_ext d _ w) by (intros j Hj; destruct (Nat.eq_dec j d); [ lia | reflexivity ]).
      unfold label. destruct (y i); lra.
    + assert (A : forall i, (i < n)%nat -> alpha i * label i = alpha i).
      { intros i Hi. unfold label. destruct (y i) eqn:Y; [ ring | ]. rewrite Za by (auto; congruence). ring. }
      assert (B : forall i, (i < n)%nat -> beta i * label i = - beta i).
      { intros i Hi. unfold label. destruct (y i) eqn:Y; [ | ring ]. rewrite Zb by (auto; congruence). ring. }
      exists (fun i => 1 / 2 * alpha i + 1 / 2 * beta i). split; [ split | ].
      * intros i Hi. specialize (Pa i Hi). specialize (Pb i Hi). lra.
      * rewrite sum_plus, !sum_scale.
        change (sum n (fun i => alpha i)) with (Σ[i < n] alpha i).
        change (sum n (fun i => beta i)) with (Σ[i < n] beta i). rewrite Sa, Sb. field.
      * intros j Hj. rewrite signed_comb. destruct (Nat.eq_dec j d) as [-> | N].
        -- rewrite (sum_ext n _ (fun i => 1 / 2 * alpha i + - (1 / 2) * beta i)).
           ++ rewrite sum_plus, !sum_scale.
              change (sum n (fun i => alpha i)) with (Σ[i < n] alpha i).
              change (sum n (fun i => beta i)) with (Σ[i < n] beta i). rewrite Sa, Sb. ring.
           ++ intros i Hi. rewrite Rmult_plus_distr_r, !Rmult_assoc, (A i Hi), (B i Hi). ring.
        -- unfold comb. rewrite (sum_ext n _ (fun i => 1 / 2 * (alpha i * x i j) + - (1 / 2) * (beta i * x i j))).
           ++ rewrite sum_plus, !sum_scale. specialize (Ea j ltac:(lia)). specialize (Eb j ltac:(lia)).
              unfold comb in Ea, Eb. rewrite Ea, Eb. ring.
           ++ intros i Hi. rewrite Rmult_plus_distr_r, !Rmult_assoc.
              replace (alpha i * (label i * x i j)) with (alpha i * label i * x i j) by ring.
              replace (beta i * (label i * x i j)) with (beta i * label i * x i j) by ring.
              rewrite (A i Hi), (B i Hi). ring.
Qed.
End Alternative.
