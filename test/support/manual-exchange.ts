import {
  type AppliedCommand,
  type Command,
  type EngineEvent,
  EngineRestartingError,
  type EngineView,
  type Exchange,
  type ExchangeState,
  type RequestDigest,
  RequestRepeatedError,
} from '../../src/application/ports/exchange.ts';
import { toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { PlaceSpotOrder } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { StateMachine } from '../../src/engine/state-machine.ts';
import { KnownRequests } from '../../src/journal/known-requests.ts';

const oneUnit = 100_000_000n;
const hourMs = 3_600_000;
const sampledMs = 1_860_000;

export function testAddress(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address;
}

/** The real engine without a journal: the test says when what was applied becomes durable. */
export class ManualExchange implements Exchange {
  state: ExchangeState = 'ready';
  durableSequence = 0 as Sequence;
  /** The time that the next commands are stamped with. */
  time = 1_700_000_000_000;
  isDurableAtOnce = true;
  readonly engine: StateMachine = engineFactory.create();
  readonly #requests = new KnownRequests();
  readonly #listeners = new Set<(batch: readonly AppliedCommand[]) => void>();
  readonly #readers: { readonly sequence: number; readonly release: () => void }[] = [];
  #applied: AppliedCommand[] = [];
  #published = 0;

  async submit(command: Command, digest: RequestDigest | null = null): Promise<AppliedCommand> {
    if (digest !== null && this.#requests.has(digest)) {
      throw new RequestRepeatedError('the request was accepted before');
    }
    if (digest !== null) this.#requests.add(digest, this.time as TimestampMs);
    return this.apply(command);
  }

  apply(command: Command): AppliedCommand {
    const sequence = (this.engine.sequence + 1) as Sequence;
    const applied = this.engine.apply(command, { sequence, timestamp: this.time as TimestampMs });
    this.#applied.push(applied);
    if (this.isDurableAtOnce) this.makeDurable();
    return applied;
  }

  /**
   * Goes to the next full hour that half an hour of fresh prices, second by second, comes before, so
   * that it charges funding. What the hour brings waits for the next command.
   */
  liveToHour(): void {
    const hour = Math.ceil((this.time + sampledMs) / hourMs) * hourMs;
    const { futures } = this.engine;
    for (this.time = hour - sampledMs; this.time < hour; this.time += 1_000) {
      this.apply({ type: 'advanceTime' });
      if (this.time % 30_000 !== 0) continue;
      for (const { marketId, symbol, indexPriceSource } of futures.listFuturesMarkets()) {
        const { indexPrice } = futures.getFuturesPrices(marketId);
        if (indexPrice === null || indexPriceSource !== 'admin') continue;
        this.apply({ type: 'setIndexPrice', symbol, price: indexPrice });
      }
    }
  }

  /** Lets listeners see events that no engine made, as one durable command. */
  publish(events: readonly EngineEvent[]): void {
    this.#published += 1;
    this.#listen([
      {
        sequence: (this.engine.sequence + this.#published) as Sequence,
        timestamp: this.time as TimestampMs,
        command: { type: 'openAccount', address: testAddress(0) },
        rejection: null,
        events,
      },
    ]);
  }

  #listen(batch: readonly AppliedCommand[]): void {
    for (const listener of this.#listeners) listener(batch);
  }

  /** Ends the batch: listeners and waiting readers see it. */
  makeDurable(): void {
    const batch = this.#applied;
    this.#applied = [];
    this.durableSequence = this.engine.sequence;
    if (batch.length > 0) this.#listen(batch);
    const released = this.#readers.splice(0);
    for (const reader of released) reader.release();
  }

  async read<T>(query: (view: EngineView) => T): Promise<T> {
    const answer = this.peek(query);
    if (this.durableSequence < this.engine.sequence) {
      await new Promise<void>((release) => {
        this.#readers.push({ sequence: this.engine.sequence, release });
      });
    }
    return answer;
  }

  peek<T>(query: (view: EngineView) => T): T {
    if (this.state !== 'ready') throw new EngineRestartingError('the engine is restarting');
    return query(this.engine);
  }

  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A market with a tick of 0.01 and a lot of 0.001, without fees or minimum. */
  addMarket(symbol: string): MarketId {
    const baseToken = symbol.replace(/USDT$/, '');
    this.apply({
      type: 'createSpotMarket',
      terms: {
        symbol,
        baseToken,
        quoteToken: 'USDT',
        tickSize: decimal('0.01'),
        lotSize: decimal('0.001'),
        minNotional: toAmount(0n),
        makerFeeBps: 0,
        takerFeeBps: 0,
      },
    });
    const market = this.engine.findSpotMarket(symbol);
    assert(market !== null, 'the market was just created');
    return market.marketId;
  }

  /** An account with plenty of each token. */
  addTrader(number: number, tokens: readonly string[] = ['BTC', 'USDT']): AccountId {
    const address = testAddress(number);
    this.apply({ type: 'openAccount', address });
    for (const token of tokens) this.credit(address, token, 1_000_000n);
    const accountId = this.engine.findAccount(address);
    assert(accountId !== null, 'the account was just opened');
    return accountId;
  }

  credit(address: Address, token: string, units: bigint): AppliedCommand {
    return this.apply({
      type: 'creditBalance',
      address,
      token,
      amount: toAmount(units * oneUnit),
      actor: 'admin_api_key',
      reason: null,
      reference: null,
    });
  }

  /** A limit order in ticks and lots. */
  place(order: TestOrder): AppliedCommand {
    return this.apply({
      type: 'placeSpotOrder',
      marketId: 0 as MarketId,
      clientOrderId: null,
      orderType: 'limit',
      timeInForce: 'gtc',
      quoteQuantity: null,
      ...order,
      price: order.price as Ticks,
      quantity: order.quantity as Lots,
    });
  }
}

export interface TestOrder
  extends Partial<Omit<PlaceSpotOrder, 'price' | 'quantity' | 'accountId' | 'side'>> {
  readonly accountId: AccountId;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: number;
}

function decimal(text: string): NonNullable<ReturnType<typeof parseDecimal>> {
  const value = parseDecimal(text);
  assert(value !== null, `${text} is a decimal`);
  return value;
}
