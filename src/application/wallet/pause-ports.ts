/** What a pause stops: withdrawals of an asset, those of an account, or crediting deposits. */
export type PauseScope = 'asset' | 'account' | 'deposits';

/** The terms on which a pause is raised. */
export interface RaisedPause {
  readonly scope: PauseScope;
  /** The asset's symbol or the account's address; null for deposits. */
  readonly subject: string | null;
  readonly reason: string;
}

/** A pause that is on. */
export interface WalletPause extends RaisedPause {
  readonly id: string;
  readonly raisedBy: string;
  readonly raisedAt: Date;
}

/**
 * Pauses in addition to the switch for all withdrawals. Each change is one transaction with its
 * audit row; all methods throw DatabaseError if the database does not respond.
 */
export interface WalletPauseStore {
  /** Oldest first. */
  listOpen(): Promise<readonly WalletPause[]>;
  /** Null if the same is paused already. */
  raise(pause: RaisedPause, by: string): Promise<WalletPause | null>;
  /** False if it is not on. */
  lift(id: string, by: string, reason: string): Promise<boolean>;
}
