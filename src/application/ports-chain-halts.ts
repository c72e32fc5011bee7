// Why signing is halted, as the database keeps it.

/** What halts signing. */
export type ChainHaltKind =
  | 'deep_reorganization'
  | 'books_differ'
  | 'lost_chain'
  | 'role_changed'
  | 'signer_log_differs'
  | 'wrong_signature'
  | 'signer_refused'
  | 'manual';

/** A halt to raise; the detail is for operators. */
export interface RaisedHalt {
  readonly kind: ChainHaltKind;
  readonly detail: string;
}

/** An open halt: nothing is signed until operators clear it. */
export interface ChainHalt extends RaisedHalt {
  readonly id: string;
  readonly raisedAt: Date;
  readonly raisedBy: string;
}

/** Halts survive a restart. At most one halt of a kind is open. */
export interface ChainHaltStore {
  /** Oldest first. */
  listOpen(): Promise<readonly ChainHalt[]>;
  /** False if one of the kind is already open. */
  raise(halt: RaisedHalt, raisedBy: string): Promise<boolean>;
  /** False if it is not open. */
  clear(id: string, by: string, reason: string): Promise<boolean>;
}
