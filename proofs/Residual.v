(** * Lesson 5: thm-normal-equations *)
From LinearClassification Require Import Vectors.

Section Residual.
(** X has n rows X_0, ..., X_(n-1) with p entries each; t has n entries. *)
Variables (n p : nat) (X : nat -> vec) (t : vec).
Notation "⟨ a , b ⟩" := (dot n a b).               (* of vectors with n entries *)
Notation "‖ a ‖²" := (dot n a a) (a at level 9).

(** The scores Xa, what is left of t, and Xᵀr. *)
Definition scores (a : vec) : vec := fun i => Σ[j < p] a j * X i j.
Definition residual (a : vec) : vec := fun i => t i - scores a i.
Definition orthogonal (r : vec) : Prop := forall j, (j < p)%nat -> comb n r X j = 0.

Definition loss (a : vec) : R := 1/2 * ‖(residual a)‖².
Definition bound (r : vec) : R := ⟨t, r⟩ - 1/2 * ‖r‖².
Definition minimiser (a : vec) : Prop := forall a', loss a <= loss a'.
Definition independent_columns : Prop :=
  forall u, (forall i, (i < n)%nat -> scores u i = 0) -> forall j, (j < p)%nat -> u j = 0.

(** ⟨r, Xu⟩ = ⟨Xᵀr, u⟩ *)
Lemma transposed r u : ⟨r, scores u⟩ = dot p (comb n r X) u.
Proof.
  rewrite (dot_sym p), dot_comb. apply sum_ext. intros i Hi. reflexivity.
Qed.

Lemma orthogonal_scores r u : orthogonal r -> ⟨r, scores u⟩ = 0.
Proof. intros H. rewrite transposed. apply dot_zero, H. Qed.

Lemma scores_plus a u i : scores (fun j => a j + u j) i = scores a i + scores u i.
Proof. unfold scores. rewrite <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma scores_scale c u i : scores (fun j => c * u j) i = c * scores u i.
Proof. unfold scores. rewrite <- sum_scale. apply sum_ext. intros; ring. Qed.

(** "compare a with a + u" *)
Lemma compare a u :
  loss (fun j => a j + u j) = loss a - ⟨residual a, scores u⟩ + 1/2 * ‖(scores u)‖².
Proof.
  unfold loss.
  rewrite (dot_ext n (residual (fun j => a j + u j)) (fun i => residual a i - scores u i))
    by (intros; unfold residual; rewrite scores_plus; ring).
  rewrite (dot_ext_r n (residual (fun j => a j + u j)) (fun i => residual a i - scores u i))
    by (intros; unfold residual; rewrite scores_plus; ring).
  rewrite dot_minus, !dot_minus_r, (dot_sym n (scores u) (residual a)). field.
Qed.

Lemma loss_ext a a' : (forall j, (j < p)%nat -> a j = a' j) -> loss a = loss a'.
Proof.
  intros H. assert (E : forall i, (i < n)%nat -> residual a i = residual a' i).
  { intros i Hi. unfold residual, scores. f_equal. apply sum_ext. intros; rewrite H; auto. }
  unfold loss. rewrite (dot_ext n _ _ _ E), (dot_ext_r n _ _ _ E). reflexivity.
Qed.

(** "If Xᵀe = 0, this is never below ‖e‖², and equal to it exactly if Xu = 0." *)
Lemma step_from a a' : orthogonal (residual a) ->
  loss a' = loss a + 1/2 * ‖(scores (fun j => a' j - a j))‖².
Proof.
  intros H. rewrite (loss_ext a' (fun j => a j + (a' j - a j))) by (intros; ring).
  rewrite compare, orthogonal_scores by exact H. ring.
Qed.

Lemma orthogonal_is_least a : orthogonal (residual a) -> minimiser a.
Proof.
  intros H a'. rewrite (step_from a a' H).
  pose proof (dot_self n (scores (fun j => a' j - a j))). lra.
Qed.

(** "If Xᵀe = g ≠ 0, then u = εg with a small ε > 0 gives less" *)
Lemma least_is_orthogonal a : minimiser a -> orthogonal (residual a).
Proof.
  intros M. set (g := comb n (residual a) X).
  assert (Z : dot p g g = 0).
  { destruct (Req_dec (dot p g g) 0) as [Z | Z]; [ exact Z | exfalso ].
    pose proof (dot_self p g) as G. set (q := ‖(scores g)‖²). assert (Q : 0 <= q) by apply dot_self.
    set (e := dot p g g / (1 + q)).
    assert (He : e * (1 + q) = dot p g g) by (unfold e; field; lra).
    assert (E0 : e > 0) by (apply Rdiv_lt_0_compat; lra).
    pose proof (M (fun j => a j + e * g j)) as L. rewrite (compare a (fun j => e * g j)) in L.
    assert (S1 : ⟨residual a, scores (fun j => e * g j)⟩ = e * dot p g g).
    { rewrite transposed. fold g. apply dot_scale_r. }
    assert (S2 : ‖(scores (fun j => e * g j))‖² = e * e * q).
    { rewrite (dot_ext n _ (fun i => e * scores g i)), (dot_ext_r n _ (fun i => e * scores g i))
        by (intros; apply scores_scale).
      rewrite dot_scale, dot_scale_r. unfold q. ring. }
    rewrite S1, S2, <- He in L. nra. }
  exact (dot_self_zero p g Z).
Qed.

(** "the sum of a vector Xa in it and of a vector r at a right angle to it": column after column. *)
Lemma projection q (v : nat -> vec) (s : vec) : exists a : vec,
  forall k, (k < q)%nat -> ⟨fun i => s i - Σ[j < q] a j * v j i, v k⟩ = 0.
Proof.
  revert s. induction q as [ | q IH]; intros s; [ exists (fun _ => 0); intros; lia | ].
  destruct (IH s) as [a Ha]. destruct (IH (v q)) as [b Hb].
  set (r := fun i => s i - Σ[j < q] a j * v j i).
  set (e := fun i => v q i - Σ[j < q] b j * v j i).
  (* what is at a right angle to the first q is so to their combinations *)
  assert (K : forall (u : vec) (f : nat -> R), (forall k, (k < q)%nat -> ⟨u, v k⟩ = 0) ->
    ⟨u, fun i => Σ[j < q] f j * v j i⟩ = 0).
  { intros u f Hu. change (⟨u, comb q f v⟩ = 0). rewrite dot_comb.
    rewrite (sum_ext q _ (fun k => 0 * f k)), sum_scale; [ ring | ].
    intros k Hk. rewrite Hu by auto. ring. }
  assert (Vq : forall u : vec, (forall k, (k < q)%nat -> ⟨u, v k⟩ = 0) -> ⟨u, v q⟩ = ⟨u, e⟩)
    by (intros u Hu; unfold e; rewrite dot_minus_r, K by auto; ring).
  set (c := if Req_EM_T ‖e‖² 0 then 0 else ⟨r, e⟩ / ‖e‖²).
  assert (C : ⟨r, e⟩ = c * ‖e‖²).
  { unfold c. destruct (Req_EM_T ‖e‖² 0) as [Z | Z]; [ | field; exact Z ].
    rewrite dot_sym, dot_zero; [ ring | ]. apply dot_self_zero. exact Z. }
  exists (fun j => if Nat.eq_dec j q then c else a j - c * b j).
  assert (E : forall i, s i - (Σ[j < S q] (if Nat.eq_dec j q then c else a j - c * b j) * v j i)
                        = r i - c * e i).
  { intros i. simpl. destruct (Nat.eq_dec q q) as [_ | N]; [ | contradiction ].
    rewrite (sum_ext q _ (fun j => a j * v j i + - c * (b j * v j i))).
    - rewrite sum_plus, sum_scale. unfold r, e. ring.
    - intros j Hj. destruct (Nat.eq_dec j q); [ lia | ring ]. }
  assert (O : forall k, (k < q)%nat -> ⟨fun i => r i - c * e i, v k⟩ = 0).
  { intros k Hk. rewrite dot_less, (Ha k Hk : ⟨r, v k⟩ = 0), (Hb k Hk : ⟨e, v k⟩ = 0). ring. }
  intros k Hk. rewrite (dot_ext n _ (fun i => r i - c * e i)) by (intros; apply E).
  destruct (Nat.eq_dec k q) as [-> | N]; [ | apply O; lia ].
  rewrite Vq by exact O. rewrite dot_less. rewrite C. ring.
Qed.

Lemma least_exists : exists a, minimiser a.
Proof.
  destruct (projection p (fun j i => X i j) t) as [a Ha]. exists a. apply orthogonal_is_least.
  intros j Hj. exact (Ha j Hj).
Qed.

Theorem thm_normal_equations :
  (* 1 *)
  (forall a, minimiser a <-> orthogonal (residual a)) /\
  (exists a, minimiser a) /\
  (forall a a', minimiser a -> minimiser a' -> forall i, (i < n)%nat -> scores a i = scores a' i) /\
  ((forall a a', minimiser a -> minimiser a' -> forall j, (j < p)%nat -> a j = a' j)
   <-> independent_columns) /\
  (* 2 *)
  (forall a, minimiser a ->
     orthogonal (residual a) /\ bound (residual a) = loss a /\
     forall r, orthogonal r ->
       bound r <= loss a /\ (bound r = loss a -> forall i, (i < n)%nat -> r i = residual a i)).
Proof.
  assert (iff : forall a, minimiser a <-> orthogonal (residual a))
    by (split; [ apply least_is_orthogonal | apply orthogonal_is_least ]).
  (* two minimisers differ by a u with Xu = 0 *)
  assert (same : forall a a', minimiser a -> minimiser a' ->
    forall i, (i < n)%nat -> scores (fun j => a' j - a j) i = 0).
  { intros a a' M M'. apply dot_self_zero. pose proof (step_from a a' (proj1 (iff a) M)) as E.
    pose proof (M' a). pose proof (M a'). lra. }
  split; [ exact iff | split; [ exact least_exists | split; [ | split ] ] ].
  - intros a a' M M' i Hi. pose proof (same a a' M M' i Hi) as E.
    rewrite <- (Rplus_0_r (scores a i)), <- E, <- scores_plus. unfold scores. apply sum_ext. intros; ring.
  - split.
    + intros One u Hu j Hj. destruct least_exists as [a M].
      assert (M' : minimiser (fun j => a j + u j)).
      { intros a'. rewrite compare.
        rewrite (dot_sym n (residual a)), !dot_zero by exact Hu. pose proof (M a'). lra. }
      pose proof (One a _ M M' j Hj) as E. simpl in E. lra.
    + intros I a a' M M' j Hj. pose proof (I _ (same a a' M M') j Hj) as E. simpl in E. lra.
  - intros a M. assert (O : orthogonal (residual a)) by (apply iff, M).
    (* "Let Xᵀr = 0 and a be arbitrary. Then" ⟨t, r⟩ = ⟨t - Xa, r⟩ *)
    assert (B : forall r, orthogonal r ->
      loss a - bound r = 1/2 * ‖(fun i => residual a i - r i)‖²).
    { intros r Hr. unfold loss, bound.
      assert (T : ⟨t, r⟩ = ⟨residual a, r⟩).
      { unfold residual. rewrite (dot_minus n t (scores a)), (dot_sym n (scores a)), orthogonal_scores by auto.
        ring. }
      rewrite T, dot_minus, !dot_minus_r, (dot_sym n r (residual a)). field. }
    split; [ exact O | split ].
    + pose proof (B (residual a) O) as E.
      rewrite (dot_zero n (fun i => residual a i - residual a i)) in E by (intros; ring). lra.
    + intros r Hr. pose proof (B r Hr) as E. pose proof (dot_self n (fun i => residual a i - r i)).
      split; [ lra | ]. intros Eq i Hi.
      assert (Z : ‖(fun i => residual a i - r i)‖² = 0) by lra.
      pose proof (dot_self_zero n _ Z i Hi) as D. simpl in D. lra.
Qed.
End Residual.
