import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Page, PageOf } from '../referral/referral-ports.ts';
import { checkSolvency, type SolvencyPorts } from '../upkeep/check-solvency.ts';

// What administrators read about money in and out: deposits and withdrawals of all accounts, and
// what the contracts hold and owe.

export interface DepositRow {
  readonly id: string;
  readonly account: Address;
  /** Null until it is handed to the engine. */
  readonly token: string | null;
  readonly token_address: string;
  readonly amount: string | null;
  readonly raw_amount: string;
  readonly tx_hash: string;
  /** Null: the chain no longer has its block. */
  readonly block: number | null;
  readonly state: 'waiting' | 'stuck' | 'credited';
  readonly reason: string | null;
  readonly seen_at: string;
  readonly credited_at: string | null;
}

export interface WithdrawalRow {
  readonly id: string;
  readonly wallet: 'spot' | 'perp';
  readonly account: Address;
  readonly token: string;
  readonly amount: string;
  readonly status: string;
  readonly nonce: number | null;
  /** Unix seconds. */
  readonly deadline: number | null;
  readonly tx_hash: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface MoneyFilter extends Page {
  /** Null: every account. */
  readonly account: Address | null;
}

export interface WithdrawalFilter extends MoneyFilter {
  /** Null: every status. */
  readonly status: string | null;
}

/** Reads money in and out of all accounts, newest first. */
export interface AdminMoney {
  listDeposits(filter: MoneyFilter): Promise<PageOf<DepositRow>>;
  listWithdrawals(filter: WithdrawalFilter): Promise<PageOf<WithdrawalRow>>;
}

/**
 * What the contracts hold and what is owed, checked now; null until a block is counted.
 * @throws ChainError, DatabaseError
 */
export async function loadSolvency(ports: SolvencyPorts) {
  const report = await checkSolvency(ports);
  if (report === null) return null;
  const { isStill, tokens, rewards } = report;
  return {
    is_still: isStill,
    tokens: tokens.map(({ token, held, owed, unbacked, isShort }) => ({
      token,
      held: formatAmount(held),
      owed: formatAmount(owed),
      unbacked: formatAmount(unbacked),
      is_short: isShort,
    })),
    rewards: {
      held: formatMicroUsdt(rewards.held),
      owed: formatMicroUsdt(rewards.owed),
      is_short: rewards.isShort,
    },
  };
}
