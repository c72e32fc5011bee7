import { formatAmount } from '../../domain/amount.ts';
import type { Address, Sequence } from '../../domain/identifiers.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { digestOf } from '../../domain/request-digest.ts';
import { amountFromRaw, rawFromAmount } from '../../programs/claims/token-units.ts';
import type { VaultSigner } from '../ports/chain.ts';
import type { ReadBarrier } from '../ports/database.ts';
import {
  type Command,
  type Exchange,
  type RequestDigest,
  RequestExpiredError,
  RequestRepeatedError,
} from '../ports/exchange.ts';
import type { OperatorLog } from '../ports/operators.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { followWithdrawal } from './follow-withdrawal.ts';
import type { WithdrawalReviewStore } from './review-ports.ts';
import type {
  DepositCredit,
  StuckReason,
  UnsettledWithdrawal,
  WaitingDeposit,
  WalletStore,
} from './wallet-ports.ts';

// Brings the engine in line with what the database records of the chain: credits deposits,
// completes withdrawals and returns their amounts. Every step can be interrupted and is then
// repeated: the engine counts a deposit's number once, and a withdrawal's money is either set aside
// or not.

export interface WalletSettlerPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly walletStore: WalletStore;
  readonly reviews: Pick<WithdrawalReviewStore, 'lapse'>;
  readonly vaultSigner: VaultSigner;
  /** Absent if no other process makes withdrawals in this database. */
  readonly others?: OtherMakers;
  readonly log: OperatorLog;
}

/** Other processes also make withdrawals, and one that died leaves its own unmade. */
interface OtherMakers {
  /** How long an unmade withdrawal is left to the process that makes it. */
  readonly graceMs: number;
  readonly monotonicMs: () => number;
}

interface UsedStep {
  readonly fundsSequence: Sequence | null;
  /** For the next name. */
  readonly notBeforeMs: number;
}

const minuteMs = 60_000;
/** Two steps, either of which may have been named before, and the mark. */
const roundsMax = 5;

export class WalletSettler {
  readonly #ports: WalletSettlerPorts;
  /** Withdrawals that a request of this process is creating now; nothing else touches them. */
  readonly #making = new Set<string>();
  /** When unmade withdrawals of other processes were first seen. */
  #unmadeSince: ReadonlyMap<string, number> = new Map();
  /** Steps whose names are used up without having moved anything. */
  readonly #usedSteps = new Map<string, UsedStep>();
  /** What was already logged, so that it is logged once. */
  readonly #complaints = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: WalletSettlerPorts) {
    this.#ports = ports;
  }

  /** Keeps the withdrawal out of `run` while it is being made. */
  async whileMaking<T>(id: string, make: () => Promise<T>): Promise<T> {
    this.#making.add(id);
    try {
      return await make();
    } finally {
      this.#making.delete(id);
    }
  }

  /**
   * One pass over all that waits. Passes run one after the other.
   * @throws DatabaseError, EngineBusyError, EngineRestartingError: the next pass continues.
   */
  async run(): Promise<void> {
    const turn = this.#turn.then(async () => {
      await this.#ports.reviews.lapse();
      if (!(await this.#ports.walletStore.hasUnsettled())) return;
      await this.#creditDeposits();
      await this.#settleWithdrawals();
    });
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  async #creditDeposits(): Promise<void> {
    const { walletStore, vaultSigner } = this.#ports;
    if (vaultSigner.contractAddress === null) return;
    // An account's deposits count in order, so the ones behind a stuck deposit wait.
    const stuck = new Map<Address, StuckReason | null>();
    for (const deposit of await walletStore.listWaitingDeposits()) {
      if (stuck.has(deposit.account)) continue;
      const end = await this.#creditDeposit(deposit);
      if (end !== 'credited') stuck.set(deposit.account, end === 'taken_back' ? null : end);
    }
    for (const reason of ['unknown_token', 'refused'] as const) {
      const accounts = [...stuck].filter(([, why]) => why === reason).map(([account]) => account);
      if (accounts.length > 0) await walletStore.markStuck(accounts, reason);
    }
  }

  async #creditDeposit(deposit: WaitingDeposit): Promise<'credited' | 'taken_back' | StuckReason> {
    const { walletStore, exchange } = this.#ports;
    const { account, number, resolution } = deposit;
    const credit = deposit.known ?? this.#creditOf(deposit);
    if (credit === null) {
      const { tokenAddress, rawAmount } = deposit;
      const details = { account, number, tokenAddress, rawAmount };
      this.#complain(details, 'a deposit waits: the token is not known');
      return 'unknown_token';
    }
    const handedOverAt =
      resolution === null ? await walletStore.handOverDeposit(deposit, credit) : null;
    if (resolution === null && handedOverAt === null) return 'taken_back';
    const { amount } = credit;
    // What is sent back or written off counts by its number only, in a token that there is.
    const token = resolution === 'return' || resolution === 'write_off' ? 'USDT' : credit.token;
    const command = { type: 'creditDeposit', address: account, token, amount, number } as const;
    const { rejection } = await exchange.submit(command);
    if (rejection !== null) {
      if (handedOverAt !== null) await walletStore.takeBackDeposit(deposit, handedOverAt);
      const details = { account, number, token, amount, reason: rejection.reason };
      this.#complain(details, 'a deposit waits: the engine refuses it');
      return 'refused';
    }
    await walletStore.markCredited(deposit);
    return 'credited';
  }

  #creditOf({ tokenAddress, rawAmount }: WaitingDeposit): DepositCredit | null {
    const token = this.#ports.vaultSigner.findTokenAt(tokenAddress);
    if (token === null) return null;
    const amount = amountFromRaw(rawAmount, token.decimals);
    const dust = rawAmount - rawFromAmount(amount, token.decimals);
    return { token: token.symbol, amount, dust };
  }

  async #settleWithdrawals(): Promise<void> {
    const { walletStore } = this.#ports;
    for (const id of this.#withoutMaker(await walletStore.listUnfinishedWithdrawals())) {
      await walletStore.giveUpWithdrawal(id);
    }
    for (let round = 0; round < roundsMax; round += 1) {
      if (!(await this.#takeSteps())) return;
    }
  }

  /** Whether anything has moved, so that there may be another step to take. */
  async #takeSteps(): Promise<boolean> {
    const { walletStore, barrier, exchange } = this.#ports;
    if ((await walletStore.listUnsettledWithdrawals()).length === 0) return false;
    // The engine's events show where the money is, so all of them have to be stored first.
    await exchange.read(() => null);
    await waitForDatabase({ exchange, barrier });
    let hasMoved = false;
    for (const withdrawal of await walletStore.listUnsettledWithdrawals()) {
      const { id, status, isReturn } = withdrawal;
      if (this.#making.has(id)) continue;
      const end = isReturn ? 'settled' : await this.#follow(withdrawal);
      if (end === 'settled') await walletStore.markSettled(id, status);
      hasMoved ||= end === 'moved';
    }
    return hasMoved;
  }

  /** The unmade withdrawals that no process is making any more. */
  #withoutMaker(unmade: readonly string[]): readonly string[] {
    const { others } = this.#ports;
    const foreign = unmade.filter((id) => !this.#making.has(id));
    if (others === undefined) return foreign;
    const now = others.monotonicMs();
    const seenBefore = this.#unmadeSince;
    this.#unmadeSince = new Map(foreign.map((id) => [id, seenBefore.get(id) ?? now]));
    return foreign.filter((id) => now - (seenBefore.get(id) ?? now) >= others.graceMs);
  }

  async #follow(withdrawal: UnsettledWithdrawal): Promise<'settled' | 'moved' | 'waits'> {
    const { id, status, funds } = withdrawal;
    const place = this.#ports.exchange.peek((view) => ({
      accountId: view.findAccount(withdrawal.account),
      isInSpot: view.findWithdrawal(id) !== null,
    }));
    const { accountId } = place;
    // Without an account nothing was ever set aside.
    const next =
      accountId === null ? 'settled' : followWithdrawal(withdrawal, { ...place, accountId });
    if (next === 'settled') return 'settled';
    if (next === 'contradiction') {
      const details = { withdrawal: id, status, funds };
      this.#complain(details, 'a withdrawal contradicts the amount locked for it');
      return 'waits';
    }
    const rejection = await this.#step(withdrawal, next);
    if (rejection === null) return 'moved';
    const { reason } = rejection;
    const amount = formatAmount(withdrawal.amount);
    const details = { withdrawal: id, status, funds, amount, reason };
    this.#complain(details, 'a withdrawal waits: the engine refuses to record it');
    return 'waits';
  }

  // Each place of the funds is left by one command. Settlers that take the same step name it alike,
  // and the journal accepts a name once, so a late one moves nothing.
  async #step(withdrawal: UnsettledWithdrawal, command: Command): Promise<Rejection | null> {
    const { walletStore, exchange } = this.#ports;
    const { id, fundsSequence } = withdrawal;
    const used = this.#usedSteps.get(id);
    const notBeforeMs =
      used !== undefined && used.fundsSequence === fundsSequence ? used.notBeforeMs : 0;
    const timestampMs = await walletStore.beginStep(withdrawal, notBeforeMs);
    if (timestampMs === null) return null;
    const use = (forMs: number): void => {
      this.#usedSteps.set(id, { fundsSequence, notBeforeMs: timestampMs + forMs });
    };
    try {
      const { rejection } = await exchange.submit(command, nameStep(withdrawal, timestampMs));
      if (rejection === null) this.#usedSteps.delete(id);
      else use(1);
      return rejection;
    } catch (error) {
      // If the funds are still there in the next round, nobody moved them by that name.
      if (error instanceof RequestRepeatedError) use(1);
      else if (error instanceof RequestExpiredError) use(minuteMs);
      else throw error;
      return null;
    }
  }

  #complain(details: object, message: string): void {
    const key = JSON.stringify([details, message], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    if (this.#complaints.has(key)) return;
    this.#complaints.add(key);
    this.#ports.log.warn(details, message);
  }
}

// The command that moved the funds there moved those of this withdrawal only.
function nameStep({ fundsSequence }: UnsettledWithdrawal, timestampMs: number): RequestDigest {
  const time = timestampMs.toString(16).padStart(16, '0');
  const sequence = (fundsSequence ?? 0).toString(16).padStart(15, '0');
  return digestOf(`${time}${sequence}1`, timestampMs);
}
