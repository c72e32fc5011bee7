import type { AppliedCommand, EngineView } from '../../../src/application/ports/exchange.ts';
import type { SpotHistory } from '../../../src/application/ports/spot-history.ts';
import { viewSpotOrder } from '../../../src/application/trading/spot-views.ts';
import { formatDecimal } from '../../../src/domain/decimal.ts';
import type { OrderNumber } from '../../../src/domain/identifiers.ts';
import { formatOrderId } from '../../../src/domain/order-id.ts';
import { decimalFromLots, decimalFromTicks } from '../../../src/domain/spot-market.ts';
import type { SpotOrder } from '../../../src/domain/spot-order.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { flowAddress } from '../../support/spot-flow.ts';
import type { Activity } from './activity.ts';
import { Draws } from './draws.ts';
import type { Faulty } from './faults.ts';
import { SimGateway } from './gateway.ts';
import { GatewayClient } from './gateway-client.ts';
import { Violation } from './history.ts';
import type { Machine, RunningProcess } from './machine.ts';
import { type JournalOrder, OrderHistory } from './order-history.ts';
import { type Levels, type Pair, StreamReader } from './stream-reader.ts';

export interface GatewayActivityOptions {
  readonly faulty: Faulty;
  readonly accounts: number;
  /** Whether requests pass through the HTTP server. */
  readonly hasServer: boolean;
  readonly onViolation: (error: unknown) => void;
}

const symbols = ['BTCUSDT', 'DFUSDT'];
const levelsShown = 30;
const readersCount = 2;

/** Traders and readers of streams at the gateways of all processes. */
export class GatewayActivity implements Activity {
  readonly #options: GatewayActivityOptions;
  readonly #draws: Draws;
  readonly #history = new OrderHistory();
  readonly #gateways = new Map<RunningProcess, SimGateway>();
  readonly #clients: GatewayClient[] = [];
  readonly #readers: StreamReader[] = [];
  /** Books by market and change, as they were shown to readers. */
  readonly #shown = new Map<string, string>();
  readonly #inJournal = new Map<string, JournalOrder>();
  readonly #states = new Map<string, string[]>();
  readonly #lastBooks = new Map<string, string>();
  readonly #ordersPerTenSeconds: number;

  constructor(options: GatewayActivityOptions) {
    this.#options = options;
    this.#draws = new Draws(options.faulty.world.seed, 'gateway');
    this.#ordersPerTenSeconds = this.#draws.pick([20, 1_000_000]);
  }

  get commands(): number {
    return this.#clients.reduce((sum, { commands }) => sum + commands, 0);
  }

  get acknowledged(): number {
    return this.#clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  get repeats(): number {
    return this.#history.repeats;
  }

  attach(_machine: Machine, process: RunningProcess): void {
    const { faulty, hasServer } = this.#options;
    const { database, world } = faulty;
    const history: Pick<SpotHistory, 'findOrder' | 'listOrders'> = {
      findOrder: (number: OrderNumber) =>
        database.ask(process.actor, () => database.spot.findOrder(number)),
      listOrders: (filter) =>
        database.ask(process.actor, () => ({
          items: database.spot.listOrders(filter),
          nextCursor: null,
        })),
    };
    const gateway = new SimGateway({
      process,
      history: history as SpotHistory,
      ordersPerTenSeconds: this.#ordersPerTenSeconds,
    });
    if (hasServer) world.hold(gateway.openServer());
    for (const known of this.#gateways.keys()) {
      if (!known.actor.isAlive) this.#gateways.delete(known);
    }
    this.#gateways.set(process, gateway);
  }

  start(): void {
    const pauseMs = this.#draws.pick([10, 30, 100]);
    for (let number = 1; number <= this.#options.accounts; number += 1) {
      const client = this.#createClient(number, pauseMs);
      this.#clients.push(client);
      client.start();
    }
    for (let number = 1; number <= readersCount; number += 1) this.#addReader(number);
  }

  rest(): void {
    for (const each of [...this.#clients, ...this.#readers]) each.isResting = true;
  }

  findUnfinished(): string | null {
    const [machine] = this.#options.faulty.machines;
    const isEverywhere = symbols.every((symbol) => {
      const book = machine!.process?.exchange.peek((view) => bookOf(view, symbol));
      return this.#readers.every((reader) => reader.bookOf(symbol) === book);
    });
    return isEverywhere ? null : 'the streams show the present books';
  }

  /** O10: an order is placed, shown, listed and canceled. */
  async probe(machine: Machine): Promise<void> {
    const client = this.#createClient(1, 1_000, `probe ${machine.number}`);
    client.commands = 1_000_000 + machine.number;
    const order = client.nextOrder();
    const verdict = await client.send(machine, order);
    const isServed = verdict.kind === 'made' || verdict.kind === 'rejected';
    const open = await client.listOpen(machine);
    const again = await client.send(machine, order);
    const isSame = again.kind === verdict.kind;
    if (isServed && isSame && open !== null) {
      if (verdict.kind !== 'made' || (await client.request('get', machine, verdict.orderId)))
        return;
    }
    const text = `order ${verdict.kind}, again ${again.kind}, list ${open?.length ?? 'refused'}`;
    throw new Violation('O10', `the gateway of process ${machine.number}: ${text}`);
  }

  replay(applied: AppliedCommand, engine: Engine): void {
    const { command, events, rejection } = applied;
    for (const event of events) {
      if (event.type === 'spotOrderUpdated') this.#noteState(event.order, engine);
    }
    if (command.type === 'placeSpotOrder' && command.clientOrderId !== null) {
      const known = this.#inJournal.get(command.clientOrderId);
      const made = events.flatMap((event) =>
        event.type === 'spotOrderUpdated' && event.order.clientOrderId === command.clientOrderId
          ? [event.order]
          : [],
      );
      const orderId = rejection === null && made[0] !== undefined ? formatOrderId(made[0]) : null;
      this.#inJournal.set(command.clientOrderId, { count: (known?.count ?? 0) + 1, orderId });
    }
    for (const symbol of symbols) this.#compareBook(symbol, engine);
  }

  judge(): void {
    this.#history.judge(this.#inJournal);
    this.#history.judgeSights(this.#states);
    for (const symbol of symbols) {
      const book = this.#lastBooks.get(symbol);
      if (this.#readers.every((reader) => reader.bookOf(symbol) === book)) continue;
      throw new Violation('O7', `the book of ${symbol} that is shown is not ${book}`);
    }
    const [unknown] = this.#shown.keys();
    if (unknown !== undefined) throw new Violation('O7', `no replay has the book ${unknown}`);
  }

  #createClient(number: number, pauseMs: number, purpose = `gateway client ${number}`) {
    const { faulty, onViolation } = this.#options;
    const { world, machines } = faulty;
    return new GatewayClient({
      world,
      number,
      address: flowAddress(number),
      machines,
      gatewayOf: ({ process }) => (process === null ? null : (this.#gateways.get(process) ?? null)),
      history: this.#history,
      draws: new Draws(world.seed, purpose),
      pauseMs,
      onViolation,
    });
  }

  #addReader(number: number): void {
    const { faulty, onViolation } = this.#options;
    const { world, machines } = faulty;
    const reader = new StreamReader({
      world,
      machines,
      gatewayOf: ({ process }) => (process === null ? null : (this.#gateways.get(process) ?? null)),
      draws: new Draws(world.seed, `reader ${number}`),
      symbols,
      onBook: (symbol, updateId, levels) => this.#noteBook(symbol, updateId, levels),
      onViolation,
    });
    this.#readers.push(reader);
    reader.start();
  }

  #noteState(order: SpotOrder, engine: Engine): void {
    const id = formatOrderId(order);
    const states = this.#states.get(id) ?? [];
    states.push(JSON.stringify(viewSpotOrder(order, engine.getSpotMarket(order.marketId))));
    this.#states.set(id, states);
  }

  // O7: all processes show the same book after the same change.
  #noteBook(symbol: string, updateId: number, levels: Levels): void {
    const place = `${symbol} ${updateId}`;
    const text = JSON.stringify(levels);
    const known = this.#shown.get(place);
    if (known !== undefined && known !== text) {
      throw new Violation('O7', `two books of ${place}: ${known} and ${text}`);
    }
    this.#shown.set(place, text);
  }

  // O7: what was shown equals a replay of the journal at that change.
  #compareBook(symbol: string, engine: Engine): void {
    const market = engine.findSpotMarket(symbol);
    if (market === null) return;
    const { lastUpdateId } = engine.getDepth(market.marketId, 1);
    const text = bookOf(engine, symbol);
    this.#lastBooks.set(symbol, text);
    const place = `${symbol} ${lastUpdateId}`;
    const shown = this.#shown.get(place);
    if (shown === undefined) return;
    if (shown !== text) throw new Violation('O7', `${place} was shown as ${shown}, it is ${text}`);
    this.#shown.delete(place);
  }
}

function bookOf(view: EngineView, symbol: string): string {
  const market = view.findSpotMarket(symbol)!;
  const { bids, asks } = view.getDepth(market.marketId, levelsShown);
  const pairs = (levels: typeof bids): readonly Pair[] =>
    levels.map(({ price, quantity }) => [
      formatDecimal(decimalFromTicks(market, price)),
      formatDecimal(decimalFromLots(market, quantity)),
    ]);
  return JSON.stringify({ bids: pairs(bids), asks: pairs(asks) });
}
