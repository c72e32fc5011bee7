import type {
  AppliedCommand,
  BookLevel,
  EngineEvent,
  Exchange,
  ExchangeState,
} from '../../src/application/ports/exchange.ts';
import { toAmount } from '../../src/domain/amount.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address, MarketId, Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';

const levelsPerSide = 30;
const bestBid = 640_001_234;
const smallestQuantity = 1_234_500_000;

/**
 * An exchange whose books change on demand: each change touches all of the best 30 levels per side
 * of a market, which makes an update of about 2 KB.
 */
export class PublishedExchange implements Exchange {
  readonly state: ExchangeState = 'ready';
  readonly symbols: readonly string[];
  readonly #engine = engineFactory.create();
  readonly #listeners = new Set<(batch: readonly AppliedCommand[]) => void>();
  readonly #updateIds: number[];
  #sequence = 0;
  #round = 0;

  constructor(marketCount: number) {
    this.symbols = Array.from({ length: marketCount }, (_, index) => `M${index}USDT`);
    this.#updateIds = this.symbols.map(() => 0);
    for (const symbol of this.symbols) this.#create(symbol);
  }

  get durableSequence(): Sequence {
    return this.#sequence as Sequence;
  }

  async read<T>(query: Parameters<Exchange['read']>[0]): Promise<T> {
    return query(this.#engine) as T;
  }

  peek<T>(query: Parameters<Exchange['peek']>[0]): T {
    return query(this.#engine) as T;
  }

  async submit(): Promise<AppliedCommand> {
    throw new Error('the benchmark publishes, it does not trade');
  }

  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the best levels of every market, as one durable batch. */
  publishRound(): void {
    this.#round += 1;
    const batch = this.symbols.map((_, index) => this.#applied(this.#changeBook(index)));
    for (const listener of this.#listeners) listener(batch);
  }

  #create(symbol: string): void {
    this.#sequence += 1;
    const command: Command = {
      type: 'createSpotMarket',
      terms: {
        symbol,
        baseToken: symbol.slice(0, 2),
        quoteToken: 'USDT',
        tickSize: requireDecimal('0.0001'),
        lotSize: requireDecimal('0.0001'),
        minNotional: toAmount(0n),
        makerFeeBps: 0,
        takerFeeBps: 0,
      },
    };
    const timestamp = this.#sequence as TimestampMs;
    this.#engine.apply(command, { sequence: this.durableSequence, timestamp });
  }

  #applied(events: readonly EngineEvent[]): AppliedCommand {
    this.#sequence += 1;
    return {
      sequence: this.durableSequence,
      timestamp: Date.now() as TimestampMs,
      command: { type: 'openAccount', address: '0x' as Address },
      rejection: null,
      events,
    };
  }

  #changeBook(index: number): readonly EngineEvent[] {
    const quantity = smallestQuantity + this.#round;
    const levels = (first: number, step: 1 | -1): readonly BookLevel[] =>
      Array.from({ length: levelsPerSide }, (_, level) => ({
        price: (first + level * step) as Ticks,
        quantity: (quantity + level) as Lots,
      }));
    const change = (side: 'buy' | 'sell', level: BookLevel): EngineEvent => ({
      type: 'bookLevelChanged',
      marketId: index as MarketId,
      side,
      ...level,
      updateId: this.#nextUpdateId(index),
    });
    return [
      ...levels(bestBid, -1).map((level) => change('buy', level)),
      ...levels(bestBid + 1, 1).map((level) => change('sell', level)),
    ];
  }

  #nextUpdateId(index: number): number {
    const updateId = (this.#updateIds[index] ?? 0) + 1;
    this.#updateIds[index] = updateId;
    return updateId;
  }
}
