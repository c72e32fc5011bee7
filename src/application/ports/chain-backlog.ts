/** A number with its label. */
export interface LabeledNumber {
  readonly label: string;
  readonly value: number;
}

/**
 * How much waits on the chain side, and for how many seconds, for alarms. All throw DatabaseError.
 */
export interface ChainBacklog {
  /** Since the oldest open transaction was first sent, by purpose. */
  transactionSeconds(): Promise<readonly LabeledNumber[]>;
  /** Transactions of a day whose nonce something else spent. */
  displacedTransactions(): Promise<number>;
  /** Since the oldest uncounted settlement was planned; 0 if there is none. */
  settlementSeconds(): Promise<number>;
  /** Since the block of the oldest event that waits for an operator. */
  parkedSeconds(): Promise<number>;
  /** Since the oldest request to pause a contract that no counted block shows paused. */
  contractPauseSeconds(): Promise<number>;
  /** Deposits that cannot be credited, by reason. */
  waitingDeposits(): Promise<readonly LabeledNumber[]>;
  /**
   * Credited deposits whose block the chain no longer has and that were not written off, by token.
   */
  vanishedDeposits(): Promise<readonly LabeledNumber[]>;
  /** What credited deposits were cut by, in the token's smallest unit, by token. */
  dust(): Promise<readonly LabeledNumber[]>;
  /** Releases in the vault's queue, by token. */
  queuedReleases(): Promise<readonly LabeledNumber[]>;
  /** Since the time of the last counted block; null before one is counted. */
  finalitySeconds(): Promise<number | null>;
}
