(** * What a tie is worth: three rules *)
From LinearClassification Require Import Vectors.

(** The three tie rules: a tie is labelled -1, or +1, or is wrong for both labels. *)
Inductive tie_rule := minus | plus | both_wrong.
Definition tie_wrong_for_neg t := match t with minus => false | _ => true end.
Definition tie_wrong_for_pos t := match t with plus  => false | _ => true end.

(** Is a sample with this score and the label -1 (then +1) a mistake? *)
Definition wrong_neg (t : tie_rule) (s : R) : bool :=
  if Rlt_dec s 0 then false else if Rlt_dec 0 s then true else tie_wrong_for_neg t.
Definition wrong_pos (t : tie_rule) (s : R) : bool :=
  if Rlt_dec 0 s then false else if Rlt_dec s 0 then true else tie_wrong_for_pos t.
