export interface LabeledNumber {
  readonly label: string;
  readonly value: number;
}

/** What of the chain side waits, and for how long: alarms read it. All throw DatabaseError. */
export interface ChainBacklog {
  /** Since the first try of the oldest open transaction, by purpose. */
  transactionSeconds(): Promise<readonly LabeledNumber[]>;
  /** Since the oldest settlement that is not counted yet was planned; 0 where there is none. */
  settlementSeconds(): Promise<number>;
  /** Since the block of the oldest event that waits for a person. */
  parkedSeconds(): Promise<number>;
  /** Deposits that cannot be credited, by reason. */
  waitingDeposits(): Promise<readonly LabeledNumber[]>;
  /** Releases in the vault's queue, by token. */
  queuedReleases(): Promise<readonly LabeledNumber[]>;
}
