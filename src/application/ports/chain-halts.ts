import type { PausableContract } from './contract-pauses.ts';

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

/** A signer by what it signs: settlements and the register, claims, or withdrawals. */
export type SignerRole = 'settler' | 'reward' | 'vault';

/** A halt to raise; the detail is for operators. */
export interface RaisedHalt {
  readonly kind: ChainHaltKind;
  readonly detail: string;
  /** The only signer that is halted; without it, or null, all of them are. */
  readonly role?: SignerRole | null;
}

/** A halt that a person raises, with the contracts to pause as well. */
export interface ManualHalt {
  readonly detail: string;
  readonly role: SignerRole | null;
  readonly contracts: readonly PausableContract[];
}

/** An open halt: nothing is signed, by its role if it has one, until operators clear it. */
export interface ChainHalt extends RaisedHalt {
  readonly id: string;
  readonly raisedAt: Date;
  readonly raisedBy: string;
}

/** Halts survive a restart. At most one halt of a kind and role is open. */
export interface ChainHaltStore {
  /** Oldest first. */
  listOpen(): Promise<readonly ChainHalt[]>;
  /** False if one of the kind and role is already open. */
  raise(halt: RaisedHalt, raisedBy: string): Promise<boolean>;
  /** False if it is not open. */
  clear(id: string, by: string, reason: string): Promise<boolean>;
}

/** Halts that people raise. */
export interface ManualHaltStore extends ChainHaltStore {
  /** In one transaction with its audit row; false if one of the role is already open. */
  raiseManually(halt: ManualHalt, raisedBy: string): Promise<boolean>;
}
