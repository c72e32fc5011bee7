// Pauses of the contracts themselves, which stop what is already signed. A guardian's key sends
// them; only the council can end such a pause.

/** A contract that a guardian can pause. */
export type PausableContract = 'spotVault' | 'rewardRouter' | 'referralRebate';

/** Why a contract is to be paused. */
export interface RequestedContractPause {
  readonly contracts: readonly PausableContract[];
  readonly reason: string | null;
  readonly requestedBy: string;
}

/** `requested` until a final block shows the contract paused; a halt's end cancels what is open. */
export type ContractPauseState = 'requested' | 'sent' | 'paused' | 'canceled';

/** A request to pause one contract. */
export interface ContractPause {
  readonly id: string;
  readonly contract: PausableContract;
  /** The halt that asked for it; null: the switch for all withdrawals. */
  readonly haltId: string | null;
  readonly reason: string | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly state: ContractPauseState;
  /** The last transaction sent for it. */
  readonly transaction: string | null;
}

/**
 * The requests are written in the transaction of the halt or pause that asks for them. All methods
 * throw DatabaseError if the database does not respond.
 */
export interface ContractPauseStore {
  /** Requested or sent, oldest first. */
  listOpen(): Promise<readonly ContractPause[]>;
  /** Newest first. */
  listLast(limit: number): Promise<readonly ContractPause[]>;
  /** The transaction was sent for the open requests of the contract. */
  noteSent(contract: PausableContract, transaction: string): Promise<void>;
  /** Ends the open requests for the contract. */
  finish(contract: PausableContract): Promise<void>;
}

/** Pauses contracts with the guardian's key. */
export interface ContractGuardian {
  /**
   * False if this process has no guardian's key, or one of the contracts does not name it. True
   * while the chain does not respond, since requests wait for it.
   */
  canPause(contracts: readonly PausableContract[]): Promise<boolean>;
  /** Sends what is requested now; what fails is logged and tried again. */
  pauseRequested(): Promise<void>;
}
