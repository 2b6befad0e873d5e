(** * Finite sums, inner product, length
    A vector of R^p is a function from the indices 0, ..., p-1 to the reals;
    what it does beyond p plays no part. Nothing is used but Coq's own reals. *)
Require Export Reals Lra Lia.
Open Scope R_scope.

Definition vec := nat -> R.

Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.
Arguments sum n%nat f.
Notation "'Σ[' i < n ] e" := (sum n (fun i => e))
  (at level 41, i name, n at level 40, e at level 41, format "Σ[ i < n ]  e").

Definition dot  (p : nat) (a b : vec) : R := Σ[j < p] a j * b j.
Definition norm (p : nat) (a : vec)   : R := sqrt (dot p a a).
Definition pos  (s : R) : R := Rmax 0 s.               (* the book's s_+ *)

(** Zᵀalpha = Σ_i alpha_i z_i *)
Definition comb (n : nat) (alpha : nat -> R) (z : nat -> vec) : vec :=
  fun j => Σ[i < n] alpha i * z i j.

(** ** Sums *)
Section Sums.
Variable n : nat.
Implicit Types f g : nat -> R.

Lemma sum_ext f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n; simpl; intros H; [ lra | rewrite IHn0; auto; rewrite H; auto ]. Qed.

Lemma sum_le f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n; simpl; intros H; [ lra | ].
  assert (sum n0 f <= sum n0 g) by auto. assert (f n0 <= g n0) by auto. lra.
Qed.

Lemma sum_plus f g : Σ[i < n] (f i + g i) = (Σ[i < n] f i) + Σ[i < n] g i.
Proof. induction n; simpl; lra. Qed.

Lemma sum_scale c f : Σ[i < n] (c * f i) = c * Σ[i < n] f i.
Proof. induction n; simpl; lra. Qed.

Lemma sum_nonneg f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  induction n; simpl; intros H; [ lra | ].
  assert (0 <= sum n0 f) by auto. assert (0 <= f n0) by auto. lra.
Qed.

Lemma sum_S f : sum (S n) f = sum n f + f n.
Proof. reflexivity. Qed.

(** A sum of terms >= 0 is zero only if every term is. *)
Lemma sum_zero f : (forall i, (i < n)%nat -> 0 <= f i) -> sum n f = 0 ->
  forall i, (i < n)%nat -> f i = 0.
Proof.
  induction n; simpl; intros H E i Hi; [ lia | ].
  assert (0 <= sum n0 f) by (clear -H; induction n0; simpl; [ lra |
    assert (0 <= f n0) by auto; assert (0 <= sum n0 f) by auto; lra ]).
  assert (0 <= f n0) by auto.
  destruct (Nat.eq_dec i n0) as [-> | ]; [ lra | ].
  apply IHn0; auto; [ lra | lia ].
Qed.
End Sums.

(** No term is above the sum. *)
Lemma sum_term n (f : nat -> R) i : (forall l, (l < n)%nat -> 0 <= f l) -> (i < n)%nat -> f i <= sum n f.
Proof.
  induction n; simpl; intros H Hi; [ lia | ].
  assert (0 <= f n) by auto. assert (0 <= sum n f) by (apply sum_nonneg; auto).
  destruct (Nat.eq_dec i n) as [-> | ]; [ lra | ].
  assert (f i <= sum n f) by (apply IHn; auto; lia). lra.
Qed.

Lemma sum_swap m n (f : nat -> nat -> R) :
  Σ[i < m] Σ[j < n] f i j = Σ[j < n] Σ[i < m] f i j.
Proof.
  induction m; simpl.
  - induction n; simpl; lra.
  - rewrite IHm. symmetry. apply sum_plus.
Qed.

(** ** Inner product *)
Section Dot.
Variable p : nat.
Notation "⟨ a , b ⟩" := (dot p a b).
Notation "‖ a ‖" := (norm p a) (a at level 9).
Implicit Types a b c : vec.

Lemma dot_sym a b : ⟨a, b⟩ = ⟨b, a⟩.
Proof. apply sum_ext; intros; lra. Qed.

Lemma dot_plus a b c : ⟨fun j => a j + b j, c⟩ = ⟨a, c⟩ + ⟨b, c⟩.
Proof.
  unfold dot. rewrite <- sum_plus. apply sum_ext; intros; lra.
Qed.

Lemma dot_scale t a c : ⟨fun j => t * a j, c⟩ = t * ⟨a, c⟩.
Proof.
  unfold dot. rewrite <- sum_scale. apply sum_ext; intros; lra.
Qed.

Lemma dot_plus_r a b c : ⟨a, fun j => b j + c j⟩ = ⟨a, b⟩ + ⟨a, c⟩.
Proof. rewrite dot_sym, dot_plus, !(dot_sym a). reflexivity. Qed.

Lemma dot_scale_r t a c : ⟨a, fun j => t * c j⟩ = t * ⟨a, c⟩.
Proof. rewrite dot_sym, dot_scale, dot_sym. reflexivity. Qed.

(** Vectors that agree in their p entries have the same inner products. *)
Lemma dot_ext a b c : (forall j, (j < p)%nat -> a j = b j) -> ⟨a, c⟩ = ⟨b, c⟩.
Proof. intros H. apply sum_ext; intros; rewrite H; auto. Qed.

Lemma dot_ext_r a b c : (forall j, (j < p)%nat -> a j = b j) -> ⟨c, a⟩ = ⟨c, b⟩.
Proof. intros H. rewrite (dot_sym c a), (dot_ext a b c), dot_sym; auto. Qed.

Lemma dot_minus a b c : ⟨fun j => a j - b j, c⟩ = ⟨a, c⟩ - ⟨b, c⟩.
Proof.
  rewrite (dot_ext (fun j => a j - b j) (fun j => a j + -1 * b j)) by (intros; ring).
  rewrite (dot_plus a (fun j => -1 * b j)), dot_scale. ring.
Qed.

Lemma dot_minus_r a b c : ⟨c, fun j => a j - b j⟩ = ⟨c, a⟩ - ⟨c, b⟩.
Proof. rewrite (dot_sym c), dot_minus, !(dot_sym c). reflexivity. Qed.

(** a less t times b, with anything *)
Lemma dot_less a b c t : ⟨fun j => a j - t * b j, c⟩ = ⟨a, c⟩ - t * ⟨b, c⟩.
Proof.
  rewrite (dot_minus a (fun j => t * b j)), dot_scale. reflexivity.
Qed.

Lemma less_square a b t :
  ⟨fun j => a j - t * b j, fun j => a j - t * b j⟩ = ⟨a, a⟩ - 2 * t * ⟨a, b⟩ + t * t * ⟨b, b⟩.
Proof.
  rewrite dot_less, !(dot_minus_r a (fun j => t * b j)), !dot_scale_r, (dot_sym b a). ring.
Qed.

Lemma dot_zero a c : (forall j, (j < p)%nat -> a j = 0) -> ⟨a, c⟩ = 0.
Proof.
  intros H. rewrite (dot_ext a (fun j => 0 * c j)), dot_scale; intros; [ lra | ].
  rewrite H; auto; lra.
Qed.

Lemma dot_self a : 0 <= ⟨a, a⟩.
Proof. apply sum_nonneg; intros; nra. Qed.

Lemma norm_nonneg a : 0 <= ‖a‖.
Proof. apply sqrt_pos. Qed.

Lemma norm_sq a : ‖a‖ * ‖a‖ = ⟨a, a⟩.
Proof. apply sqrt_sqrt, dot_self. Qed.

Lemma norm_pow2 a : ‖a‖ ^ 2 = ⟨a, a⟩.
Proof. rewrite <- norm_sq. ring. Qed.

(** Only the zero vector has no length. *)
Lemma dot_self_zero a : ⟨a, a⟩ = 0 -> forall j, (j < p)%nat -> a j = 0.
Proof.
  intros H j Hj. assert (E : a j * a j = 0)
    by (apply (sum_zero p (fun j => a j * a j)); auto; intros; nra).
  nra.
Qed.

(** The square of a sum, and of a vector less a multiple of another. *)
Lemma dot_square a b :
  ⟨fun j => a j + b j, fun j => a j + b j⟩ = ⟨a, a⟩ + 2 * ⟨a, b⟩ + ⟨b, b⟩.
Proof.
  rewrite dot_plus, !(dot_sym _ (fun j => _ + _)), !dot_plus, (dot_sym b a). lra.
Qed.

(** ** Cauchy and Schwarz
    With A = ⟨a,a⟩, B = ⟨b,b⟩, D = ⟨a,b⟩, all lengths ‖a + t b‖ >= 0 say
    A + 2 t D + t² B >= 0. Take t = -D/B; if B = 0, a t that is large. *)
Lemma cauchy_schwarz_sq a b : ⟨a, b⟩ * ⟨a, b⟩ <= ⟨a, a⟩ * ⟨b, b⟩.
Proof.
  assert (Q : forall t, 0 <= ⟨a, a⟩ + 2 * t * ⟨a, b⟩ + t * t * ⟨b, b⟩).
  { intros t. pose proof (dot_self (fun j => a j + t * b j)) as H.
    rewrite (dot_square a (fun j => t * b j)), dot_scale, !dot_scale_r in H. lra. }
  pose proof (dot_self a) as HA. pose proof (dot_self b) as HB.
  set (A := ⟨a, a⟩) in *. set (B := ⟨b, b⟩) in *. set (D := ⟨a, b⟩) in *.
  destruct (Req_dec B 0) as [B0 | B0].
  - destruct (Req_dec D 0) as [D0 | D0]; [ rewrite D0; nra | ].
    specialize (Q (- (A + 1) / (2 * D))). rewrite B0 in Q.
    replace (A + 2 * (- (A + 1) / (2 * D)) * D + _) with (-1) in Q by (field; auto). lra.
  - specialize (Q (- D / B)).
    replace (A + 2 * (- D / B) * D + - D / B * (- D / B) * B)
      with ((A * B - D * D) / B) in Q by (field; auto).
    assert (0 <= (A * B - D * D) / B * B) by (apply Rmult_le_pos; auto).
    replace ((A * B - D * D) / B * B) with (A * B - D * D) in H by (field; auto). lra.
Qed.

Lemma cauchy_schwarz a b : ⟨a, b⟩ <= ‖a‖ * ‖b‖.
Proof.
  unfold norm. rewrite <- sqrt_mult by apply dot_self.
  apply Rle_trans with (Rabs ⟨a, b⟩); [ apply Rle_abs | ].
  rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. apply cauchy_schwarz_sq.
Qed.
End Dot.

(** A vector is zero, or one of its entries is not. *)
Lemma zero_or_not p (a : vec) :
  (forall j, (j < p)%nat -> a j = 0) \/ exists j, (j < p)%nat /\ a j <> 0.
Proof.
  induction p as [ | q [IH | (j & Hj & N)] ].
  - left. intros; lia.
  - destruct (Req_dec (a q) 0) as [E | E]; [ left | right; exists q; split; auto ].
    intros j Hj. destruct (Nat.eq_dec j q) as [-> | ]; [ exact E | apply IH; lia ].
  - right. exists j. split; auto.
Qed.

(** ⟨a, Zᵀalpha⟩ = Σ_i alpha_i ⟨a, z_i⟩ *)
Lemma dot_comb p n alpha z a :
  dot p a (comb n alpha z) = Σ[i < n] alpha i * dot p a (z i).
Proof.
  unfold dot, comb.
  transitivity (Σ[j < p] Σ[i < n] alpha i * (a j * z i j)).
  - apply sum_ext; intros. rewrite <- sum_scale. apply sum_ext; intros; lra.
  - rewrite sum_swap. apply sum_ext; intros. apply sum_scale.
Qed.

Lemma pos_ge s : s <= pos s.
Proof. apply Rmax_r. Qed.
Lemma pos_nonneg s : 0 <= pos s.
Proof. apply Rmax_l. Qed.
Lemma pos_split s : s = pos s - pos (- s).
Proof. unfold pos, Rmax. destruct (Rle_dec 0 s), (Rle_dec 0 (- s)); lra. Qed.
