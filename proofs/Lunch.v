(** * Lesson 0: thm-lunch
    Integers and labels only: no axiom. *)
Require Import List Arith Lia Bool FinFun.
Import ListNotations.

(** A labelling of u points is a list of u labels. All of them: *)
Fixpoint labelings (u : nat) : list (list bool) :=
  match u with
  | O => [[]]
  | S k => map (cons true) (labelings k) ++ map (cons false) (labelings k)
  end.

(** On how many points two labellings differ. *)
Fixpoint wrong (h s : list bool) : nat :=
  match h, s with
  | b :: h', c :: s' => (if Bool.eqb b c then 0 else 1) + wrong h' s'
  | _, _ => 0
  end.

Fixpoint binomial (u j : nat) : nat :=
  match u, j with
  | _, O => 1
  | O, S _ => 0
  | S k, S i => binomial k i + binomial k (S i)
  end.

(** On how many labellings h has j wrong labels, and the sum of its wrong labels over all of them. *)
Definition with_wrong (h : list bool) (j : nat) : nat :=
  count_occ Nat.eq_dec (map (wrong h) (labelings (length h))) j.
Definition all_wrong (h : list bool) : nat := list_sum (map (wrong h) (labelings (length h))).

Lemma binomial_small u : forall j, u < j -> binomial u j = 0.
Proof.
  induction u; intros [ | j] Hj; simpl; try lia. rewrite !IHu by lia. reflexivity.
Qed.

Lemma binomial_all u : binomial u u = 1.
Proof. induction u; simpl; [ reflexivity | rewrite IHu, binomial_small; lia ]. Qed.

Lemma shifted (l : list nat) j :
  count_occ Nat.eq_dec (map S l) (S j) = count_occ Nat.eq_dec l j /\ count_occ Nat.eq_dec (map S l) 0 = 0.
Proof.
  induction l as [ | a l [IH1 IH2] ]; simpl; [ auto | ].
  destruct (Nat.eq_dec a j), (Nat.eq_dec (S a) (S j)); try lia;
    destruct (Nat.eq_dec (S a) 0); try lia; split; lia.
Qed.

(** The first label is right on one half of the labellings, wrong on the other. *)
Lemma first_label b h : exists l,
  map (wrong (b :: h)) (labelings (S (length h))) = l /\
  (forall j, count_occ Nat.eq_dec l j
     = count_occ Nat.eq_dec (map (wrong h) (labelings (length h))) j
     + count_occ Nat.eq_dec (map S (map (wrong h) (labelings (length h)))) j) /\
  list_sum l = list_sum (map (wrong h) (labelings (length h)))
     + list_sum (map S (map (wrong h) (labelings (length h)))).
Proof.
  eexists. split; [ reflexivity | ]. simpl labelings. rewrite map_app, !map_map.
  destruct b; simpl wrong; split; intros; rewrite ?count_occ_app, ?list_sum_app;
    rewrite ?(Nat.add_comm (count_occ _ (map (fun x => S _) _) _)),
            ?(Nat.add_comm (list_sum (map (fun x => S _) _))); reflexivity.
Qed.

Lemma sum_shifted l : list_sum (map S l) = length l + list_sum l.
Proof. induction l; simpl; lia. Qed.

Lemma how_many u : length (labelings u) = 2 ^ u.
Proof. induction u; simpl; [ reflexivity | rewrite app_length, !map_length; lia ]. Qed.

Lemma each_once u : NoDup (labelings u) /\ forall s, In s (labelings u) <-> length s = u.
Proof.
  induction u as [ | u [ND IN] ]; simpl.
  - split; [ repeat constructor; auto | intros [ | b s]; simpl; split; intros H ]; auto; try lia.
    destruct H as [H | []]. discriminate.
  - assert (M : forall b, NoDup (map (cons b) (labelings u))).
    { intros b. apply Injective_map_NoDup; [ | exact ND ]. intros s s' E. injection E. auto. }
    split.
    + assert (A : forall l l' : list (list bool), NoDup l -> NoDup l' ->
        (forall s, In s l -> ~ In s l') -> NoDup (l ++ l')).
      { intros l l' Hl Hl' D. induction Hl as [ | s l Ns Hl IH]; simpl; [ exact Hl' | ].
        constructor; [ | apply IH; intros; apply D; right; auto ].
        rewrite in_app_iff. intros [I | I]; [ auto | apply (D s); [ left | ]; auto ]. }
      apply A; auto. intros s H H'. apply in_map_iff in H. apply in_map_iff in H'.
      destruct H as (a & <- & _), H' as (a' & E & _). discriminate.
    + intros s. rewrite in_app_iff, !in_map_iff. split.
      * intros [(a & <- & H) | (a & <- & H)]; simpl; f_equal; apply IN; auto.
      * destruct s as [ | [ | ] s]; simpl; intros H; [ discriminate | left | right ];
          exists s; split; auto; apply IN; lia.
Qed.

Theorem thm_lunch (h : list bool) (u : nat) : length h = u -> u >= 1 ->
  (* the labellings are all 2^u, each once *)
  (length (labelings u) = 2 ^ u /\ NoDup (labelings u) /\ forall s, In s (labelings u) <-> length s = u) /\
  (forall j, with_wrong h j = binomial u j) /\
  (* the share of wrong labels, averaged: all_wrong / (2^u u) = 1/2 *)
  2 * all_wrong h = 2 ^ u * u /\
  with_wrong h 0 = 1 /\ with_wrong h u = 1.
Proof.
  intros Hu _.
  assert (C : forall h j, with_wrong h j = binomial (length h) j).
  { clear. unfold with_wrong. induction h as [ | b h IH]; intros j.
    - destruct j; reflexivity.
    - destruct (first_label b h) as (l & E & Hc & _). change (length (b :: h)) with (S (length h)).
      rewrite E, Hc. destruct j as [ | j].
      + rewrite IH. destruct (shifted (map (wrong h) (labelings (length h))) 0) as [_ ->].
        destruct (length h); reflexivity.
      + rewrite IH. destruct (shifted (map (wrong h) (labelings (length h))) j) as [-> _].
        rewrite IH. simpl. lia. }
  assert (A : forall h, 2 * all_wrong h = 2 ^ length h * length h).
  { clear. unfold all_wrong. induction h as [ | b h IH]; [ reflexivity | ].
    destruct (first_label b h) as (l & E & _ & Hs). change (length (b :: h)) with (S (length h)).
    rewrite E, Hs, sum_shifted, map_length, how_many. simpl. nia. }
  split; [ split; [ apply how_many | apply each_once ] | subst u ].
  split; [ apply C | split; [ apply A | split ] ]; rewrite C.
  - destruct (length h); reflexivity.
  - apply binomial_all.
Qed.
