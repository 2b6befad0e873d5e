(** * Farkas: a vector is in a cone, or a plane separates it
    No theorem of the book, but what strong duality needs. From the nearest point of a cone, without limits. *)
From LinearClassification Require Import Vectors Nearest.
Require Import List.
Import ListNotations.

(** v is a combination of the vectors of a list with weights that are not negative, in its p entries. *)
Fixpoint cone (p : nat) (L : list vec) (v : vec) : Prop :=
  match L with
  | [] => forall j, (j < p)%nat -> v j = 0
  | g :: rest => exists t, 0 <= t /\ cone p rest (fun j => v j - t * g j)
  end.

Section Farkas.
Variable p : nat.
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖²" := (dot p a a) (a at level 9).

Lemma cone_ext L : forall v w, (forall j, (j < p)%nat -> v j = w j) -> cone p L v -> cone p L w.
Proof.
  induction L as [ | g L IH]; intros v w E H; simpl in *.
  - intros j Hj. rewrite <- E by exact Hj. auto.
  - destruct H as (t & Ht & H). exists t. split; [ exact Ht | ]. apply (IH _ _ (fun j Hj => f_equal (fun s => s - t * g j) (E j Hj)) H).
Qed.

Lemma cone_app L M : forall v, cone p (L ++ M) v -> exists u, cone p L u /\ cone p M (fun j => v j - u j).
Proof.
  induction L as [ | g L IH]; intros v H; simpl in *.
  - exists (fun _ => 0). split; [ auto | ]. apply (cone_ext M v); [ intros; ring | exact H ].
  - destruct H as (t & Ht & H). destruct (IH _ H) as (u & Hu & Hm). exists (fun j => u j + t * g j). split.
    + exists t. split; [ exact Ht | ]. apply (cone_ext L u); [ intros; ring | exact Hu ].
    + apply (cone_ext M (fun j => v j - t * g j - u j)); [ intros; ring | exact Hm ].
Qed.

(** The vectors f 0, ..., f (n-1) *)
Lemma cone_family n (f : nat -> vec) : forall k v, cone p (map f (seq k n)) v ->
  exists l, (forall i, (i < n)%nat -> 0 <= l i) /\ forall j, (j < p)%nat -> v j = Σ[i < n] l i * f (k + i)%nat j.
Proof.
  induction n as [ | n IH]; intros k v H; simpl in H.
  - exists (fun _ => 0). split; [ intros; lia | exact H ].
  - destruct H as (t & Ht & H). destruct (IH (S k) _ H) as (l & Pl & El).
    exists (fun i => match i with O => t | S m => l m end). split.
    + intros [ | i] Hi; [ exact Ht | apply Pl; lia ].
    + intros j Hj. specialize (El j Hj).
      assert (Shift : forall q h, sum (S q) h = h O + Σ[i < q] h (S i)).
      { induction q as [ | q IHq]; intros h; [ simpl; ring | ]. rewrite sum_S, IHq, sum_S. ring. }
      rewrite Shift, Nat.add_0_r.
      rewrite (sum_ext n (fun i => l i * f (k + S i)%nat j) (fun i => l i * f (S k + i)%nat j))
        by (intros i Hi; f_equal; f_equal; lia). lra.
Qed.

(** The entries of a list, by their numbers *)
Lemma cone_of_weights L : forall l v, (forall i, (i < length L)%nat -> 0 <= l i) ->
  (forall j, (j < p)%nat -> v j = comb (length L) l (fun i => nth i L (fun _ => 0)) j) -> cone p L v.
Proof.
  induction L as [ | g L IH]; intros l v Pl E; simpl.
  - intros j Hj. rewrite E by exact Hj. reflexivity.
  - exists (l O). split; [ apply Pl; simpl; lia | ]. apply (IH (fun i => l (S i))).
    + intros i Hi. apply Pl. simpl. lia.
    + intros j Hj. rewrite E by exact Hj. unfold comb. simpl length.
      assert (Shift : forall q h, sum (S q) h = h O + Σ[i < q] h (S i)).
      { induction q as [ | q IHq]; intros h; [ simpl; ring | ]. rewrite sum_S, IHq, sum_S. ring. }
      rewrite Shift. simpl nth. ring.
Qed.

Lemma farkas L b : cone p L b \/ exists r, (forall g, In g L -> 0 <= ⟨r, g⟩) /\ ⟨r, b⟩ < 0.
Proof.
  set (n := length L). set (g := fun i => nth i L (fun _ : nat => 0)).
  destruct (least p n g (fun j => - b j)) as (l & Pl & Ml).
  set (r := reach n g (fun j => - b j) l) in *.
  (* a step along one vector *)
  assert (E1 : forall i j m, (i < m)%nat -> comb m (fun k => if Nat.eq_dec k i then 1 else 0) g j = g i j).
  { intros i j. unfold comb. induction m as [ | m IH]; intros Hm; [ lia | ]. rewrite sum_S.
    destruct (Nat.eq_dec m i) as [-> | N].
    - rewrite (sum_ext i _ (fun _ => 0 * 0)), sum_scale; [ ring | ].
      intros k Hk. destruct (Nat.eq_dec k i); [ lia | ring ].
    - rewrite IH by lia. ring. }
  assert (Plus : forall i, (i < n)%nat -> 0 <= ⟨r, g i⟩).
  { intros i Hi. apply uphill. intros t Ht.
    rewrite (dot_self_ext p (fun j => r j + t * g i j)
      (reach n g (fun j => - b j) (fun k => 1 * l k + t * (if Nat.eq_dec k i then 1 else 0)))).
    - apply Ml. intros k Hk. specialize (Pl k Hk). destruct (Nat.eq_dec k i); lra.
    - intros j Hj. unfold r, reach. rewrite comb_mix, E1 by exact Hi. ring. }
  (* a step back to 0 *)
  assert (Back : 0 <= ⟨r, fun j => -1 * comb n l g j⟩).
  { apply uphill. intros t Ht.
    rewrite (dot_self_ext p (fun j => r j + t * (-1 * comb n l g j))
      (reach n g (fun j => - b j) (fun k => (1 - t) * l k + 0 * l k))).
    - apply Ml. intros k Hk. specialize (Pl k Hk). nra.
    - intros j Hj. unfold r, reach. rewrite comb_mix. ring. }
  rewrite (dot_scale_r p (-1) r (comb n l g)) in Back.
  assert (RR : ⟨r, r⟩ = - ⟨r, b⟩ + ⟨r, comb n l g⟩).
  { assert (X : ⟨r, r⟩ = ⟨r, fun j => -1 * b j + comb n l g j⟩)
      by (apply dot_ext_r; intros j Hj; unfold r at 1, reach; ring).
    rewrite X, (dot_plus_r p r (fun j => -1 * b j)), dot_scale_r. ring. }
  pose proof (dot_self p r) as R0. destruct (Req_dec ⟨r, r⟩ 0) as [Z | N].
  - left. apply (cone_of_weights L l); [ exact Pl | ]. intros j Hj.
    pose proof (dot_self_zero p r Z j Hj) as E. unfold r, reach in E. cbv beta in E.
    change (b j = comb n l g j). lra.
  - right. exists r. assert (R1 : ⟨r, r⟩ > 0) by (destruct (Rdichotomy _ _ N); lra).
    split; [ | lra ]. intros h Hh.
    apply (In_nth L h (fun _ => 0)) in Hh. destruct Hh as (i & Hi & <-). apply (Plus i Hi).
Qed.
End Farkas.
