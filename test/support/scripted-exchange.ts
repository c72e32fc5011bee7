import type {
  AppliedCommand,
  BookDepth,
  Command,
  EngineEvent,
  EngineView,
  Exchange,
  ExchangeState,
  TokenBalance,
} from '../../src/application/ports/exchange.ts';
import type { Amount } from '../../src/domain/amount.ts';
import { requireAmount, zeroAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
  TokenId,
} from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import { marketUnits, type SpotMarket } from '../../src/domain/spot-market.ts';
import type { SpotOrder } from '../../src/domain/spot-order.ts';
import type { FuturesView } from '../../src/engine/futures-view.ts';

/** What a submitted command meets: events, a refusal, or the error of a full or stopped engine. */
export type Answer = (
  command: Command,
) => { readonly rejection?: Rejection; readonly events?: readonly EngineEvent[] } | Error;

/** Live state that a test writes down instead of an engine that arrives at it. */
export interface ScriptedState {
  readonly accounts: Map<Address, AccountId>;
  readonly markets: SpotMarket[];
  readonly orders: SpotOrder[];
  readonly balances: Map<AccountId, readonly TokenBalance[]>;
  readonly tokens: string[];
  depth: BookDepth;
}

/** An exchange without an engine: the test sets its state and the outcome of commands. */
export class ScriptedExchange implements Exchange, EngineView {
  state: ExchangeState = 'ready';
  durableSequence = 1 as Sequence;
  readonly submitted: Command[] = [];
  readonly scripted: ScriptedState = {
    accounts: new Map(),
    markets: [],
    orders: [],
    balances: new Map(),
    tokens: [],
    depth: { lastUpdateId: 0, bids: [], asks: [] },
  };
  /** Thrown by reads; peeks throw it only if peekError says so too. */
  readError: Error | null = null;
  peekError: Error | null = null;
  answer: Answer = () => ({});

  get futures(): FuturesView {
    throw new Error('this test scripts no futures side');
  }

  get sequence(): Sequence {
    return this.durableSequence;
  }

  async submit(command: Command): Promise<AppliedCommand> {
    const answer = this.answer(command);
    if (answer instanceof Error) throw answer;
    this.submitted.push(command);
    if (command.type === 'openAccount') {
      this.scripted.accounts.set(command.address, (this.scripted.accounts.size + 1) as AccountId);
    }
    this.durableSequence = (this.durableSequence + 1) as Sequence;
    return {
      sequence: this.durableSequence,
      timestamp: 1_700_000_000_000 as TimestampMs,
      command,
      rejection: answer.rejection ?? null,
      events: answer.events ?? [],
    };
  }

  async read<T>(query: (view: EngineView) => T): Promise<T> {
    if (this.readError !== null) throw this.readError;
    return query(this);
  }

  peek<T>(query: (view: EngineView) => T): T {
    if (this.peekError !== null) throw this.peekError;
    return query(this);
  }

  subscribe(): () => void {
    return () => undefined;
  }

  findAccount(address: Address): AccountId | null {
    return this.scripted.accounts.get(address) ?? null;
  }

  getAddress(accountId: AccountId): Address {
    for (const [address, known] of this.scripted.accounts) if (known === accountId) return address;
    throw new Error(`no account ${accountId}`);
  }

  findToken(symbol: string): TokenId | null {
    const index = this.scripted.tokens.indexOf(symbol);
    return index < 0 ? null : (index as TokenId);
  }

  getTokenSymbol(tokenId: TokenId): string {
    return this.scripted.tokens[tokenId] ?? '';
  }

  getIssued(): Amount {
    return zeroAmount;
  }

  findSpotMarket(symbol: string): SpotMarket | null {
    return this.scripted.markets.find((market) => market.symbol === symbol) ?? null;
  }

  getSpotMarket(marketId: MarketId): SpotMarket {
    const market = this.scripted.markets.find((each) => each.marketId === marketId);
    assert(market !== undefined, 'the market was scripted');
    return market;
  }

  listSpotMarkets(): readonly SpotMarket[] {
    return this.scripted.markets;
  }

  listBalances(accountId: AccountId): readonly TokenBalance[] {
    return this.scripted.balances.get(accountId) ?? [];
  }

  findOpenOrder(orderNumber: OrderNumber): SpotOrder | null {
    return this.scripted.orders.find((order) => order.orderNumber === orderNumber) ?? null;
  }

  listOpenOrders(accountId: AccountId, marketId: MarketId | null): readonly SpotOrder[] {
    return this.scripted.orders.filter(
      (order) =>
        order.accountId === accountId && (marketId === null || order.marketId === marketId),
    );
  }

  countDeposits(): number {
    return 0;
  }

  findWithdrawal(): null {
    return null;
  }

  getDepth(): BookDepth {
    return this.scripted.depth;
  }
}

/** A market of BTC against USDT, tick 0.01, lot 0.0001, minimum 5, fees 10 and 20 bps. */
export function exampleSpotMarket(change: Partial<SpotMarket> = {}): SpotMarket {
  const tickSize = requireDecimal('0.01');
  const lotSize = requireDecimal('0.0001');
  const units = marketUnits(tickSize, lotSize);
  assert(units !== null, 'the example market settles exactly');
  return {
    symbol: 'BTCUSDT',
    baseToken: 'BTC',
    quoteToken: 'USDT',
    tickSize,
    lotSize,
    minNotional: requireAmount('5'),
    makerFeeBps: 10,
    takerFeeBps: 20,
    marketId: 0 as MarketId,
    baseTokenId: 0 as TokenId,
    quoteTokenId: 1 as TokenId,
    status: 'listed',
    createdAt: 1_700_000_000_000 as TimestampMs,
    ...units,
    ...change,
  };
}

export const alice = `0x${'a'.repeat(40)}` as Address;
export const bob = `0x${'b'.repeat(40)}` as Address;
