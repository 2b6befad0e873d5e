(** * Lesson 2: thm-hd-cover *)
From LinearClassification Require Import Vectors Lunch.
Require Import List Bool.
Import ListNotations.

(** A labelling of the points x_0, x_1, ... is a list of labels: true for +, false for -. The plane w through
    the origin of R^d gives these labels, without ties. *)
Definition gives (d : nat) (x : nat -> vec) (w : vec) (labels : list bool) : Prop :=
  forall i b, nth_error labels i = Some b -> if b then dot d w (x i) > 0 else dot d w (x i) < 0.

Definition labeling (d n : nat) (x : nat -> vec) (labels : list bool) : Prop :=
  length labels = n /\ exists w, gives d x w labels.

(** C(m,0) + ... + C(m,d-1) *)
Fixpoint binomials (m d : nat) : nat :=
  match d with O => 0 | S k => binomials m k + binomial m k end.
Definition N (n d : nat) : nat := 2 * binomials (n - 1) d.

(** Any at most d of the points are linearly independent. *)
Definition general_position (d n : nat) (x : nat -> vec) : Prop :=
  forall r pick, (r <= d)%nat ->
    (forall k, (k < r)%nat -> (pick k < n)%nat) ->
    (forall k l, (k < r)%nat -> (l < r)%nat -> pick k = pick l -> k = l) ->
    forall c : nat -> R, (forall j, (j < d)%nat -> Σ[k < r] c k * x (pick k) j = 0) ->
      forall k, (k < r)%nat -> c k = 0.

(** ** Pascal *)
Lemma pascal m d : binomials (S m) (S d) = (binomials m (S d) + binomials m d)%nat.
Proof.
  induction d as [ | d IH]; [ destruct m; reflexivity | ].
  change (binomials (S m) (S (S d))) with (binomials (S m) (S d) + (binomial m d + binomial m (S d)))%nat.
  rewrite IH. simpl. lia.
Qed.

Lemma one_row d : binomials 0 (S d) = 1%nat.
Proof. induction d as [ | d IH]; [ reflexivity | ]. change (binomials 0 (S d) + 0 = 1)%nat. lia. Qed.

(** ** Lists *)
Definition same_labels : forall a b : list bool, {a = b} + {a <> b} := list_eq_dec bool_dec.

(** Lists that begin with true, and with false, without their heads *)
Lemma split_heads (L : list (list bool)) : NoDup L -> (forall l, In l L -> l <> []) ->
  exists A B, NoDup A /\ NoDup B /\ length L = (length A + length B)%nat /\
    (forall D, In D A <-> In (true :: D) L) /\ (forall D, In D B <-> In (false :: D) L).
Proof.
  induction L as [ | l L IH]; intros ND NE.
  - exists [], []. repeat split; try constructor; try intros []; auto.
  - inversion ND as [ | l' L' Nl ND' E]; subst.
    destruct (IH ND' ltac:(intros; apply NE; right; auto)) as (A & B & HA & HB & Len & IA & IB).
    destruct l as [ | [ | ] D]; [ exfalso; apply (NE []); [ left | ]; reflexivity | | ].
    + exists (D :: A), B. split; [ constructor; [ rewrite IA | ]; auto | ]. split; [ exact HB | ].
      split; [ simpl; lia | ]. split; intros D'; simpl.
      * rewrite IA. split; (intros [H | H]; [ left; congruence | right; exact H ]).
      * rewrite IB. split; [ intros H; right; exact H | intros [H | H]; [ discriminate | exact H ] ].
    + exists A, (D :: B). split; [ exact HA | ]. split; [ constructor; [ rewrite IB | ]; auto | ].
      split; [ simpl; lia | ]. split; intros D'; simpl.
      * rewrite IA. split; [ intros H; right; exact H | intros [H | H]; [ discriminate | exact H ] ].
      * rewrite IB. split; (intros [H | H]; [ left; congruence | right; exact H ]).
Qed.

Lemma union_and_common (A B : list (list bool)) : NoDup A -> NoDup B ->
  exists U I, NoDup U /\ NoDup I /\ (length A + length B = length U + length I)%nat /\
    (forall D, In D U -> In D A \/ In D B) /\ (forall D, In D I -> In D A /\ In D B).
Proof.
  intros HA HB.
  assert (G : exists U I, NoDup U /\ NoDup I /\ (length A + length B = length U + length I)%nat /\
    (forall D, In D U -> In D A \/ In D B) /\ (forall D, In D I -> In D A /\ In D B) /\
    (forall D, In D A -> In D U)).
  { induction B as [ | b B IH].
    - exists A, []. split; [ exact HA | ]. split; [ constructor | ]. split; [ reflexivity | ].
      split; [ auto | ]. split; [ intros D [] | auto ].
    - inversion HB as [ | b' B' Nb HB' E]; subst. destruct (IH HB') as (U & I & HU & HI & Len & IU & II & UI).
      destruct (in_dec same_labels b A) as [Y | F].
      + exists U, (b :: I). split; [ exact HU | ].
        split; [ constructor; [ intros X; apply Nb, II, X | exact HI ] | ]. split; [ simpl; lia | ].
        split; [ intros D H; destruct (IU D H); simpl; auto | ]. split; [ | exact UI ].
        intros D [<- | H]; [ split; [ exact Y | left; reflexivity ] | ].
        destruct (II D H). split; [ | right ]; auto.
      + exists (b :: U), I. split; [ constructor; [ intros X; destruct (IU b X); contradiction | exact HU ] | ].
        split; [ exact HI | ]. split; [ simpl; lia | ].
        split; [ intros D [<- | H]; [ right; left; reflexivity | destruct (IU D H); simpl; auto ] | ].
        split; [ intros D H; destruct (II D H); split; [ | right ]; auto | ].
        intros D H. right. apply UI, H. }
  destruct G as (U & I & G). exists U, I. tauto.
Qed.

(** ** One more point *)
Lemma gives_cons d x w b D : gives d x w (b :: D) <->
  (if b then dot d w (x O) > 0 else dot d w (x O) < 0) /\ gives d (fun i => x (S i)) w D.
Proof.
  split.
  - intros H. split; [ apply (H O b); reflexivity | intros i; apply (H (S i)) ].
  - intros [H0 H] [ | i] c E; [ injection E as <-; exact H0 | apply (H i c E) ].
Qed.

(** A mixture of planes that give the same labels gives them, too. *)
Lemma gives_mix d x u w c e D : c > 0 -> e > 0 -> gives d x u D -> gives d x w D ->
  gives d x (fun j => c * u j + e * w j) D.
Proof.
  intros Hc He Hu Hw i b E. specialize (Hu i b E). specialize (Hw i b E).
  rewrite (dot_plus d (fun j => c * u j) (fun j => e * w j)), !dot_scale. destruct b; nra.
Qed.

(** "for small ε > 0" *)
Lemma gives_near d : forall D x w v, gives d x w D ->
  exists e, e > 0 /\ forall t, Rabs t <= e -> gives d x (fun j => w j + t * v j) D.
Proof.
  induction D as [ | b D IH]; intros x w v H.
  - exists 1. split; [ lra | ]. intros t Ht [ | i] c E; discriminate.
  - apply gives_cons in H. destruct H as [H0 H]. destruct (IH _ w v H) as (e & He & Near).
    set (s := dot d w (x O)) in *. set (q := dot d v (x O)).
    assert (S0 : Rabs s > 0) by (apply Rabs_pos_lt; destruct b; lra).
    pose proof (Rabs_pos q) as Q0.
    exists (Rmin e (Rabs s / (2 * (1 + Rabs q)))). split.
    + apply Rmin_glb_lt; [ lra | apply Rdiv_lt_0_compat; lra ].
    + intros t Ht. apply gives_cons. split.
      * rewrite (dot_plus d w (fun j => t * v j)), dot_scale. fold s q.
        assert (T : Rabs t <= Rabs s / (2 * (1 + Rabs q))) by (apply Rle_trans with (1 := Ht), Rmin_r).
        assert (B : Rabs (t * q) < Rabs s).
        { rewrite Rabs_mult. pose proof (Rabs_pos t).
          apply Rle_lt_trans with (Rabs s / (2 * (1 + Rabs q)) * (1 + Rabs q)).
          - apply Rmult_le_compat; lra.
          - replace (Rabs s / (2 * (1 + Rabs q)) * (1 + Rabs q)) with (Rabs s / 2) by (field; lra). lra. }
        apply Rabs_def2 in B. destruct b.
        -- rewrite (Rabs_right s) in B; lra.
        -- rewrite (Rabs_left s) in B; lra.
      * apply Near. apply Rle_trans with (1 := Ht), Rmin_l.
Qed.

(** ** One dimension less
    x0 has an entry q that is not zero. A plane through x0 is known by its other entries, and sees of every
    point the part that is left when a multiple of x0 has made entry q zero: "If w is orthogonal to x, its score does not depend on
    the component of" the point "along x". *)
Section Flat.
Variables (d : nat) (x0 : vec) (q : nat).
Definition skip (j : nat) : nat := if lt_dec j q then j else S j.
Definition flat (y : vec) : vec := fun j => y (skip j) - y q / x0 q * x0 (skip j).

Lemma sum_skip (f : nat -> R) : (q <= d)%nat -> sum (S d) f = (Σ[j < d] f (skip j)) + f q.
Proof.
  induction d as [ | k IH]; intros Hq.
  - replace q with O by lia. simpl. ring.
  - destruct (Nat.eq_dec q (S k)) as [E | E].
    + assert (G : Σ[j < S k] f (skip j) = sum (S k) f).
      { apply sum_ext. intros j Hj. unfold skip. destruct (lt_dec j q); [ reflexivity | lia ]. }
      rewrite sum_S, G, E. reflexivity.
    + rewrite sum_S, IH, (sum_S k) by lia. unfold skip at 3. destruct (lt_dec k q); [ lia | ring ].
Qed.

Lemma flat_score w y : (q <= d)%nat -> x0 q <> 0 -> dot (S d) w x0 = 0 ->
  dot (S d) w y = dot d (fun j => w (skip j)) (flat y).
Proof.
  intros Hq N0 H. unfold dot in *. rewrite sum_skip in * by exact Hq. unfold flat.
  rewrite (sum_ext d (fun j => w (skip j) * (y (skip j) - y q / x0 q * x0 (skip j)))
    (fun j => w (skip j) * y (skip j) + - (y q / x0 q) * (w (skip j) * x0 (skip j)))) by (intros; ring).
  rewrite sum_plus, sum_scale.
  set (s := Σ[j < d] w (skip j) * x0 (skip j)) in *.
  replace s with (- (w q * x0 q)) by lra. field. exact N0.
Qed.

Lemma unflat w' : (q <= d)%nat -> x0 q <> 0 ->
  exists w, dot (S d) w x0 = 0 /\ forall j, (j < d)%nat -> w (skip j) = w' j.
Proof.
  intros Hq N0. set (s := Σ[j < d] w' j * x0 (skip j)).
  exists (fun j => if lt_dec j q then w' j else if Nat.eq_dec j q then - s / x0 q else w' (pred j)).
  assert (E : forall j, (j < d)%nat -> (fun j => if lt_dec j q then w' j else if Nat.eq_dec j q then - s / x0 q
                                     else w' (pred j)) (skip j) = w' j).
  { intros j Hj. unfold skip. cbv beta. destruct (lt_dec j q) as [L | L].
    - destruct (lt_dec j q); [ reflexivity | lia ].
    - destruct (lt_dec (S j) q); [ lia | ]. destruct (Nat.eq_dec (S j) q); [ lia | reflexivity ]. }
  split; [ | exact E ]. unfold dot. rewrite sum_skip by exact Hq.
  rewrite (sum_ext d _ (fun j => w' j * x0 (skip j))) by (intros j Hj; rewrite <- (E j Hj) at 1; reflexivity).
  fold s. destruct (lt_dec q q); [ lia | ]. destruct (Nat.eq_dec q q); [ field; exact N0 | contradiction ].
Qed.
End Flat.

(** ** "at most" *)
Lemma cover_le m : forall d x L, NoDup L -> (forall l, In l L -> labeling d (S m) x l) ->
  (length L <= 2 * binomials m d)%nat.
Proof.
  induction m as [ | m IH]; intros [ | d] x L ND H.
  - destruct L as [ | l L]; [ auto | exfalso ]. destruct (H l (or_introl eq_refl)) as (Len & w & G).
    destruct l as [ | b l]; [ discriminate | ]. specialize (G O b eq_refl). unfold dot in G. simpl in G.
    destruct b; lra.
  - rewrite one_row. change (length L <= length [[true]; [false]])%nat. apply NoDup_incl_length; [ exact ND | ].
    intros l Hl. destruct (H l Hl) as (Len & _). destruct l as [ | [ | ] [ | b l]]; try discriminate; simpl; auto.
  - destruct L as [ | l L]; [ simpl; lia | exfalso ]. destruct (H l (or_introl eq_refl)) as (Len & w & G).
    destruct l as [ | b l]; [ discriminate | ]. specialize (G O b eq_refl). unfold dot in G. simpl in G.
    destruct b; lra.
  - (* "each labelling of the n+1 points extends one, D, of the first n. How many of the D have two extensions?" *)
    destruct (split_heads L ND) as (A & B & HA & HB & Len & IA & IB).
    { intros l Hl E. destruct (H l Hl) as (Len & _). subst. discriminate. }
    destruct (union_and_common A B HA HB) as (U & I & HU & HI & Sum & InU & InI).
    rewrite pascal.
    assert (LU : (length U <= 2 * binomials m (S d))%nat).
    { apply (IH (S d) (fun i => x (S i))); [ exact HU | ]. intros D HD.
      assert (X : exists b, In (b :: D) L)
        by (destruct (InU D HD) as [Y | Y]; [ exists true; apply IA, Y | exists false; apply IB, Y ]).
      destruct X as (b & X). destruct (H _ X) as (LD & w & G). apply gives_cons in G.
      split; [ simpl in LD; lia | exists w; apply G ]. }
    assert (LI : (length I <= 2 * binomials m d)%nat).
    { destruct I as [ | D0 I']; [ simpl; lia | ].
      (* x is not 0 *)
      assert (Q : exists q, (q <= d)%nat /\ x O q <> 0).
      { destruct (zero_or_not (S d) (x O)) as [Z | (q & Hq & Nq)]; [ exfalso | exists q; split; [ lia | exact Nq ] ].
        destruct (InI D0 (or_introl eq_refl)) as [Y _]. apply IA in Y. destruct (H _ Y) as (_ & w & G).
        apply gives_cons in G. destruct G as [G _]. rewrite dot_sym, dot_zero in G by exact Z. lra. }
      destruct Q as (q & Hq & Nq).
      apply (IH d (fun i => flat (x O) q (x (S i)))); [ exact HI | ]. intros D HD.
      destruct (InI D HD) as [Y1 Y2]. apply IA in Y1. apply IB in Y2.
      destruct (H _ Y1) as (LD & u & Gu). destruct (H _ Y2) as (_ & u' & Gu').
      apply gives_cons in Gu. destruct Gu as [Pu Gu]. apply gives_cons in Gu'. destruct Gu' as [Pu' Gu'].
      (* "The segment from u to u' contains a w with ⟨w, x⟩ = 0" *)
      set (w := fun j => - dot (S d) u' (x O) * u j + dot (S d) u (x O) * u' j).
      assert (W0 : dot (S d) w (x O) = 0).
      { unfold w. rewrite (dot_plus (S d) (fun j => - dot (S d) u' (x O) * u j)
          (fun j => dot (S d) u (x O) * u' j)), !dot_scale. ring. }
      assert (Gw : gives (S d) (fun i => x (S i)) w D) by (apply gives_mix; auto; lra).
      split; [ simpl in LD; lia | exists (fun j => w (skip q j)) ].
      intros i b E. specialize (Gw i b E). cbv beta in *.
      rewrite (flat_score d (x O) q w (x (S i)) Hq Nq W0) in Gw. exact Gw. }
    lia.
Qed.

(** ** "with equality in general position" *)
Lemma position_tail d n x : general_position d (S n) x -> general_position d n (fun i => x (S i)).
Proof.
  intros H r pick Hr Hp Inj c Hc. apply (H r (fun k => S (pick k)) Hr); auto.
  intros k Hk. specialize (Hp k Hk). lia.
Qed.

(** "a linear dependence among ... of them ... would be one among these points with x added" *)
Lemma position_flat d n x q : (q <= d)%nat -> x O q <> 0 ->
  general_position (S d) (S n) x -> general_position d n (fun i => flat (x O) q (x (S i))).
Proof.
  intros Hq Nq H r pick Hr Hp Inj c Hc.
  set (s := Σ[k < r] c k * x (S (pick k)) q).
  set (c' := fun k => if Nat.eq_dec k r then - s / x O q else c k).
  set (pick' := fun k => if Nat.eq_dec k r then O else S (pick k)).
  assert (E : forall j, Σ[k < S r] c' k * x (pick' k) j = (Σ[k < r] c k * x (S (pick k)) j) - s / x O q * x O j).
  { intros j. rewrite sum_S. unfold c' at 2, pick' at 2. destruct (Nat.eq_dec r r) as [_ | F]; [ | contradiction ].
    rewrite (sum_ext r _ (fun k => c k * x (S (pick k)) j)); [ field; exact Nq | ].
    intros k Hk. unfold c', pick'. destruct (Nat.eq_dec k r); [ lia | reflexivity ]. }
  assert (Z : forall k, (k < S r)%nat -> c' k = 0).
  { apply (H (S r) pick'); [ lia | | | ].
    - intros k Hk. unfold pick'. destruct (Nat.eq_dec k r); [ lia | specialize (Hp k ltac:(lia)); lia ].
    - intros k l Hk Hl. unfold pick'. destruct (Nat.eq_dec k r), (Nat.eq_dec l r); try lia.
      intros F. injection F. apply Inj; lia.
    - intros j Hj. rewrite E. destruct (Nat.eq_dec j q) as [-> | Nj].
      + fold s. field. exact Nq.
      + set (j' := if lt_dec j q then j else pred j).
        assert (Ej : skip q j' = j).
        { unfold skip, j'. destruct (lt_dec j q) as [L | L].
          - destruct (lt_dec j q); [ reflexivity | lia ].
          - destruct (lt_dec (pred j) q); lia. }
        assert (Hj' : (j' < d)%nat) by (unfold j'; destruct (lt_dec j q); lia).
        specialize (Hc j' Hj'). unfold flat in Hc. rewrite Ej in Hc.
        rewrite (sum_ext r _ (fun k => c k * x (S (pick k)) j + - (x O j / x O q) * (c k * x (S (pick k)) q))) in Hc
          by (intros; field; exact Nq).
        rewrite sum_plus, sum_scale in Hc. fold s in Hc. rewrite <- Hc. field. exact Nq. }
  intros k Hk. specialize (Z k ltac:(lia)). unfold c' in Z. destruct (Nat.eq_dec k r); [ lia | exact Z ].
Qed.

Lemma choose_heads (P : list bool -> Prop) (L : list (list bool)) :
  (forall D, In D L -> exists b, P (b :: D)) -> exists f, forall D, In D L -> P (f D :: D).
Proof.
  induction L as [ | D0 L IH]; intros H; [ exists (fun _ => true); intros D [] | ].
  destruct IH as [f Hf]; [ intros; apply H; right; auto | ].
  destruct (H D0 (or_introl eq_refl)) as [b Hb].
  exists (fun D => if same_labels D D0 then b else f D). intros D [<- | HD];
    [ destruct (same_labels D0 D0); [ exact Hb | contradiction ] | ].
  destruct (same_labels D D0) as [-> | _]; [ exact Hb | apply Hf, HD ].
Qed.

Lemma NoDup_both (A B : list (list bool)) : NoDup A -> NoDup B -> (forall a, In a A -> ~ In a B) -> NoDup (A ++ B).
Proof.
  intros HA HB D. induction HA as [ | a A Na HA IH]; simpl; [ exact HB | ].
  constructor; [ | apply IH; intros; apply D; right; auto ].
  rewrite in_app_iff. intros [I | I]; [ auto | apply (D a); [ left | ]; auto ].
Qed.

Lemma not_zero d n x : general_position (S d) n x -> (0 < n)%nat -> exists q, (q <= d)%nat /\ x O q <> 0.
Proof.
  intros GP Hn. destruct (zero_or_not (S d) (x O)) as [Z | (q & Hq & Nq)]; [ exfalso | exists q; split; [ lia | exact Nq ] ].
  assert (F : (fun _ : nat => 1) O = 0); [ | lra ].
  apply (GP 1%nat (fun _ => O)) with (c := fun _ => 1) (k := O); try (intros; lia).
  intros j Hj. simpl. rewrite (Z j Hj). ring.
Qed.

Lemma cover_ge m : forall d x, general_position d (S m) x ->
  exists L, NoDup L /\ (forall l, In l L -> labeling d (S m) x l) /\ length L = (2 * binomials m d)%nat.
Proof.
  induction m as [ | m IH]; intros [ | d] x GP.
  1, 3: exists []; split; [ constructor | split; [ intros l [] | reflexivity ] ].
  all: assert (Q : exists q, (q <= d)%nat /\ x O q <> 0) by (apply (not_zero d _ x GP); lia).
  all: destruct Q as (q & Hq & Nq).
  all: assert (X0 : dot (S d) (x O) (x O) > 0) by
    (pose proof (dot_self (S d) (x O)); destruct (Req_dec (dot (S d) (x O) (x O)) 0) as [Z | Z]; [ | lra ];
     exfalso; apply Nq; apply (dot_self_zero (S d) _ Z); lia).
  - (* one point *)
    exists [[true]; [false]]. split; [ | split ].
    + repeat constructor; simpl; intuition discriminate.
    + intros l [<- | [<- | []]]; (split; [ reflexivity | ]);
        [ exists (x O) | exists (fun j => -1 * x O j) ]; apply gives_cons;
        (split; [ rewrite ?dot_scale; lra | intros [ | i] b E; discriminate ]).
    + rewrite one_row. reflexivity.
  - destruct (IH (S d) (fun i => x (S i)) (position_tail _ _ _ GP)) as (L1 & N1 & H1 & C1).
    destruct (IH d _ (position_flat d (S m) x q Hq Nq GP)) as (L2 & N2 & H2 & C2).
    (* a plane through x that gives D can be turned either way *)
    assert (turn : forall w D, dot (S d) w (x O) = 0 -> length D = S m -> gives (S d) (fun i => x (S i)) w D ->
              forall b, labeling (S d) (S (S m)) x (b :: D)).
    { intros w D W0 LD G b. split; [ simpl; lia | ].
      destruct (gives_near (S d) D _ w (x O) G) as (e & He & Near).
      set (t := if b then e else - e).
      exists (fun j => w j + t * x O j). apply gives_cons. split.
      - rewrite (dot_plus (S d) w (fun j => t * x O j)), dot_scale, W0. unfold t. destruct b; nra.
      - apply Near. unfold t. destruct b; [ rewrite Rabs_right | rewrite Rabs_left ]; lra. }
    assert (Two : forall D b, In D L2 -> labeling (S d) (S (S m)) x (b :: D)).
    { intros D b HD. destruct (H2 D HD) as (LD & w' & G).
      destruct (unflat d (x O) q w' Hq Nq) as (w & W0 & Ew).
      apply (turn w D W0 LD). intros i c E. specialize (G i c E). cbv beta in *.
      rewrite (flat_score d (x O) q w (x (S i)) Hq Nq W0), (dot_ext d _ w') by exact Ew. exact G. }
    assert (One : forall D, In D L1 -> exists b, labeling (S d) (S (S m)) x (b :: D)).
    { intros D HD. destruct (H1 D HD) as (LD & w & G).
      destruct (Req_dec (dot (S d) w (x O)) 0) as [W0 | W0].
      - exists true. apply (turn w D W0 LD G).
      - destruct (Rdichotomy _ _ W0) as [S0 | S0]; [ exists false | exists true ];
          (split; [ simpl; lia | exists w; apply gives_cons; split; [ exact S0 | exact G ] ]). }
    destruct (choose_heads _ L1 One) as [f Hf].
    exists (map (fun D => f D :: D) L1 ++ map (fun D => negb (f D) :: D) L2). split; [ | split ].
    + assert (M : forall (g : list bool -> bool) L, NoDup L -> NoDup (map (fun D => g D :: D) L)).
      { intros g L HL. apply FinFun.Injective_map_NoDup; [ | exact HL ]. intros a b E. injection E. auto. }
      apply NoDup_both; [ apply M, N1 | apply (M (fun D => negb (f D))), N2 | ].
      intros a Ha Hb. apply in_map_iff in Ha. apply in_map_iff in Hb.
      destruct Ha as (D & <- & _), Hb as (D' & E & _). injection E as E1 E2. subst D'. destruct (f D); discriminate.
    + intros l Hl. apply in_app_iff in Hl. destruct Hl as [Hl | Hl]; apply in_map_iff in Hl;
        destruct Hl as (D & <- & HD); [ apply Hf, HD | apply Two, HD ].
    + rewrite app_length, !map_length, C1, C2, pascal. lia.
Qed.

Theorem thm_hd_cover d n x : (d >= 1)%nat -> (n >= 1)%nat ->
  (forall L, NoDup L -> (forall l, In l L -> labeling d n x l) -> (length L <= N n d)%nat) /\
  (general_position d n x ->
     exists L, NoDup L /\ (forall l, In l L <-> labeling d n x l) /\ length L = N n d).
Proof.
  intros _ Hn. unfold N. destruct n as [ | m]; [ lia | ]. replace (S m - 1)%nat with m by lia.
  split; [ apply cover_le | ]. intros GP. destruct (cover_ge m d x GP) as (L & ND & H & C).
  exists L. split; [ exact ND | split; [ | exact C ] ]. intros l. split; [ apply H | intros Hl ].
  destruct (in_dec same_labels l L) as [I | I]; [ exact I | exfalso ].
  (* one more would be too many *)
  assert (B : (length (l :: L) <= 2 * binomials m d)%nat).
  { apply (cover_le m d x); [ constructor; auto | ]. intros l' [<- | Hl']; auto. }
  simpl in B. lia.
Qed.
