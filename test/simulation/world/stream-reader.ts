import { FakeClient } from '../../support/fake-connection.ts';
import type { StreamMessage } from '../../support/stream-server.ts';
import type { Draws } from './draws.ts';
import { type SimGateway, streamLimits } from './gateway.ts';
import { Violation } from './history.ts';
import type { Machine, RunningProcess } from './machine.ts';
import type { Actor, World } from './world.ts';

export type Pair = readonly [price: string, quantity: string];

export interface Levels {
  readonly bids: readonly Pair[];
  readonly asks: readonly Pair[];
}

export interface StreamReaderOptions {
  readonly world: World;
  readonly machines: readonly Machine[];
  readonly gatewayOf: (machine: Machine) => SimGateway | null;
  readonly draws: Draws;
  readonly symbols: readonly string[];
  /** The book that the messages describe after that update. */
  readonly onBook: (symbol: string, updateId: number, levels: Levels) => void;
  readonly onViolation: (error: unknown) => void;
}

/** A book built from the messages alone. */
class StreamedBook {
  updateId = 0;
  readonly #symbol: string;
  #seq: number | null = null;
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();

  constructor(symbol: string) {
    this.#symbol = symbol;
  }

  /** False if the book cannot be trusted until its next snapshot. @throws Violation */
  take(message: StreamMessage): boolean {
    if (message.type === 'resync') {
      this.#seq = null;
      return false;
    }
    if (message.type === 'snapshot') {
      this.#bids.clear();
      this.#asks.clear();
    } else if (this.#seq === null || message['prev_seq'] !== this.#seq) {
      const before = String(message['prev_seq']);
      throw new Violation('O7', `${this.#symbol}: an update follows ${before}, not ${this.#seq}`);
    }
    this.#seq = Number(message['seq']);
    this.updateId = Number(message['last_update_id']);
    const { bids, asks } = message['data'] as Levels;
    this.#apply(this.#bids, bids);
    this.#apply(this.#asks, asks);
    return true;
  }

  levels(): Levels {
    const sorted = (side: ReadonlyMap<string, string>, direction: 1 | -1): readonly Pair[] =>
      [...side].sort(([a], [b]) => (Number(a) - Number(b)) * direction);
    return { bids: sorted(this.#bids, -1), asks: sorted(this.#asks, 1) };
  }

  #apply(side: Map<string, string>, pairs: readonly Pair[]): void {
    for (const [price, quantity] of pairs) {
      if (quantity !== '0') side.set(price, quantity);
      else if (!side.delete(price)) {
        throw new Violation('O7', `${this.#symbol}: level ${price} is removed but does not exist`);
      }
    }
  }
}

interface Connection {
  readonly process: RunningProcess;
  readonly gateway: SimGateway;
  readonly client: FakeClient;
}

/** A client that follows the books at any process that is running. */
export class StreamReader {
  isResting = false;
  messages = 0;
  readonly #options: StreamReaderOptions;
  readonly #actor: Actor;
  #books = new Map<string, StreamedBook>();
  #connection: Connection | null = null;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#actor = options.world.createActor();
  }

  start(): void {
    void this.#follow().catch(this.#options.onViolation);
  }

  /** The levels as JSON; null while the reader is not connected. */
  bookOf(symbol: string): string | null {
    if (!this.#isFollowing()) return null;
    return JSON.stringify(this.#books.get(symbol)!.levels());
  }

  async #follow(): Promise<void> {
    const { world, draws } = this.#options;
    for (;;) {
      await world.wait(draws.between(5, 100), this.#actor);
      if (!this.#isFollowing()) this.#connect();
      const connection = this.#connection;
      if (connection === null || connection.process.actor.held !== null) continue;
      if (draws.chance(0.1)) connection.client.stopReading();
      else if (this.isResting || draws.chance(0.5)) connection.client.readOn();
      for (const message of connection.client.take()) this.#take(message);
      if (!this.isResting && draws.chance(0.005)) this.#disconnect();
    }
  }

  #isFollowing(): boolean {
    const connection = this.#connection;
    return (
      connection !== null && connection.process.actor.isAlive && connection.client.closed === null
    );
  }

  #connect(): void {
    const { machines, draws, gatewayOf, symbols } = this.#options;
    this.#disconnect();
    const machine = draws.pick(machines);
    const gateway = gatewayOf(machine);
    const { process } = machine;
    if (gateway === null || process === null || !gateway.feed.isReady) return;
    const client = new FakeClient(streamLimits);
    this.#connection = { process, gateway, client };
    this.#books = new Map(symbols.map((symbol) => [symbol, new StreamedBook(symbol)]));
    for (const symbol of symbols) {
      gateway.hub.join(client.connection, gateway.feed.findMarket(symbol)!.orderbook);
    }
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = null;
    if (connection?.process.actor.isAlive === true)
      connection.gateway.hub.forget(connection.client.connection);
  }

  #take(message: StreamMessage): void {
    const symbol = String(message['symbol']);
    const book = this.#books.get(symbol);
    if (book === undefined) return;
    this.messages += 1;
    if (book.take(message)) this.#options.onBook(symbol, book.updateId, book.levels());
  }
}
