import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import { amountFromRaw } from '../../programs/claims/token-units.ts';
import type { HoldingsReader, VaultHolding } from '../ports/chain.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { waitForDatabase } from '../wait-for-database.ts';

// For each of its tokens, the vault has to hold what the engine has issued: all balances in both
// wallets, what is set aside for withdrawals, and the exchange's fees and funds. Both sides are
// taken at the same counted block: deposits that are counted but not yet credited are also owed,
// withdrawals that are counted as paid but still set aside are not.

/** Money between the chain and the engine, from the database at one moment. */
export interface MoneyInFlight {
  /** The last counted block; null before the first. */
  readonly blockHash: `0x${string}` | null;
  readonly waitingDeposits: readonly {
    readonly tokenAddress: Address;
    readonly rawAmount: bigint;
  }[];
  readonly paidWithdrawals: readonly TokenAmount[];
  /** Test credits and faucet draws, for which nothing was deposited. */
  readonly credits: readonly TokenAmount[];
}

export interface TokenAmount {
  readonly token: string;
  readonly amount: Amount;
}

export interface SolvencyStore {
  /** @throws DatabaseError */
  loadMoneyUnderWay(): Promise<MoneyInFlight>;
  /**
   * Stores the present shortages and pauses withdrawals if they require it, compared with the
   * stored ones; returns whether they do.
   * @throws DatabaseError
   */
  noteShortages(
    present: readonly TokenAmount[],
    callsForPause: (kept: readonly TokenAmount[]) => boolean,
  ): Promise<boolean>;
}

export interface SolvencyPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly solvencyStore: SolvencyStore;
  readonly holdings: Pick<HoldingsReader, 'loadHoldings'>;
  /** Whether test credits are allowed; otherwise they are owed like everything else. */
  readonly areCreditsExcused: boolean;
}

export interface TokenSolvency {
  readonly token: string;
  readonly held: Amount;
  readonly owed: Amount;
  /** The part of what is owed that comes from test credits and needs no backing. */
  readonly unbacked: Amount;
  readonly isShort: boolean;
}

export interface SolvencyReport {
  /**
   * Nothing moved between the chain and the engine during this check. Otherwise what was credited
   * or paid in between may be counted twice or not at all.
   */
  readonly isStill: boolean;
  readonly tokens: readonly TokenSolvency[];
  readonly rewards: {
    readonly held: MicroUsdt;
    readonly owed: MicroUsdt;
    readonly isShort: boolean;
  };
}

/**
 * Compares what the contracts hold with what is owed; null until a block is counted.
 * @throws ChainError, DatabaseError
 */
export async function checkSolvency(ports: SolvencyPorts): Promise<SolvencyReport | null> {
  const { exchange, barrier, solvencyStore, holdings } = ports;
  // Everything that the engine has done so far must be in the rows that it is compared with.
  await waitForDatabase({ exchange, barrier });
  const money = await solvencyStore.loadMoneyUnderWay();
  if (money.blockHash === null) return null;
  const { vault, rewardsHeld, rewardsOwed } = await holdings.loadHoldings(money.blockHash);
  const issued = vault.map(({ symbol }) => issuedOf(exchange, symbol));
  await waitForDatabase({ exchange, barrier });
  const isStill =
    textOf(money) === textOf(await solvencyStore.loadMoneyUnderWay()) &&
    vault.every(({ symbol }, index) => issuedOf(exchange, symbol) === issued[index]);
  return {
    isStill,
    tokens: vault.map((holding) => judgeToken(ports, holding, money)),
    rewards: { held: rewardsHeld, owed: rewardsOwed, isShort: rewardsHeld < rewardsOwed },
  };
}

function judgeToken(
  { exchange, areCreditsExcused }: SolvencyPorts,
  { symbol, address, decimals, rawAmount }: VaultHolding,
  { waitingDeposits, paidWithdrawals, credits }: MoneyInFlight,
): TokenSolvency {
  const waiting = waitingDeposits
    .filter(({ tokenAddress }) => tokenAddress === address)
    .reduce((sum, deposit) => sum + amountFromRaw(deposit.rawAmount, decimals), 0n);
  const owed = toAmount(issuedOf(exchange, symbol) + waiting - sumOf(paidWithdrawals, symbol));
  const held = amountFromRaw(rawAmount, decimals);
  const unbacked = areCreditsExcused ? sumOf(credits, symbol) : zeroAmount;
  return { token: symbol, held, owed, unbacked, isShort: held < owed - unbacked };
}

/** Equal for the same money. */
function textOf(money: MoneyInFlight): string {
  const { blockHash, waitingDeposits, paidWithdrawals, credits } = money;
  const textsOf = (kind: string, amounts: readonly TokenAmount[]) =>
    amounts.map(({ token, amount }) => `${kind} ${token} ${amount}`);
  return [
    `block ${blockHash}`,
    ...waitingDeposits.map(({ tokenAddress, rawAmount }) => `waits ${tokenAddress} ${rawAmount}`),
    ...textsOf('paid', paidWithdrawals),
    ...textsOf('credit', credits),
  ]
    .sort()
    .join();
}

function issuedOf(exchange: Exchange, symbol: string): Amount {
  return exchange.peek((view) => {
    const tokenId = view.findToken(symbol);
    return tokenId === null ? zeroAmount : view.getIssued(tokenId);
  });
}

function sumOf(amounts: readonly TokenAmount[], symbol: string): Amount {
  const ofToken = amounts.filter(({ token }) => token === symbol);
  return toAmount(ofToken.reduce((sum, { amount }) => sum + amount, 0n));
}
