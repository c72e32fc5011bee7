import type { Address } from '../../../src/domain/identifiers.ts';
import type { TextAnswer } from '../../../src/gateway/http/repeated-orders.ts';
import { askProcess } from './ask.ts';
import type { Draws } from './draws.ts';
import { type Route, type SignedRequest, type SimGateway, sign } from './gateway.ts';
import type { Machine } from './machine.ts';
import type { OrderHistory, OrderVerdict } from './order-history.ts';
import { trueWallMs } from './sim-time.ts';
import type { Actor, World } from './world.ts';

export interface GatewayClientOptions {
  readonly world: World;
  readonly number: number;
  readonly address: Address;
  readonly machines: readonly Machine[];
  readonly gatewayOf: (machine: Machine) => SimGateway | null;
  readonly history: OrderHistory;
  readonly draws: Draws;
  readonly pauseMs: number;
  readonly onViolation: (error: unknown) => void;
}

interface SentOrder {
  readonly id: string;
  readonly request: SignedRequest;
}

interface OrderBody {
  readonly order_id?: string;
  readonly fills?: unknown;
  readonly error?: string;
}

const ordersKept = 40;
/** Few enough of the newest orders that a list's first page shows them all. */
const listedKnown = 10;
const attemptsMax = 4;
/** The exchange judged the order itself; its command is in the journal. */
const rejections: ReadonlySet<string | undefined> = new Set([
  'INSUFFICIENT_BALANCE',
  'POST_ONLY_REJECT',
  'SELF_TRADE',
]);

/** A trader with an API key, who sends signed orders to any process, and the same bytes again. */
export class GatewayClient {
  commands = 0;
  acknowledged = 0;
  isResting = false;
  readonly #options: GatewayClientOptions;
  readonly #actor: Actor;
  readonly #sent: SentOrder[] = [];
  readonly #orderIds: string[] = [];
  readonly #heardOf = new Set<string>();

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#actor = options.world.createActor();
  }

  start(): void {
    void this.#trade().catch(this.#options.onViolation);
  }

  async #trade(): Promise<void> {
    const { world, draws, machines, pauseMs } = this.#options;
    for (;;) {
      await world.wait(draws.between(0, 2 * pauseMs), this.#actor);
      if (this.isResting) continue;
      this.commands += 1;
      const kind = draws.below(20);
      const newest = this.#orderIds.at(-1) ?? null;
      const oldest = this.#orderIds[0] ?? null;
      if (kind < 10) await this.#place();
      else if (kind < 13) await this.#repeat();
      else if (kind < 16) await this.#cancel(oldest);
      else await this.request('get', draws.pick(machines), newest);
    }
  }

  async #place(): Promise<void> {
    const { draws, machines } = this.#options;
    const order = this.nextOrder();
    this.#sent.push(order);
    if (this.#sent.length > ordersKept) this.#sent.shift();
    if (draws.chance(0.15)) {
      // Two gateways receive the same bytes at once.
      const [one, other] = [draws.pick(machines), draws.pick(machines)];
      await Promise.all([this.send(one, order), this.send(other, order)]);
      return;
    }
    await this.#sendUntilKnown(order);
    if (draws.chance(0.5)) return this.#list();
    await this.request('get', draws.pick(machines), this.#orderIds.at(-1) ?? null);
  }

  async #cancel(orderId: string | null): Promise<void> {
    const { draws, machines } = this.#options;
    this.#orderIds.shift();
    await this.request('cancel', draws.pick(machines), orderId);
    await this.request('get', draws.pick(machines), orderId);
  }

  async #repeat(): Promise<void> {
    const { draws } = this.#options;
    if (this.#sent.length === 0) return;
    await this.#sendUntilKnown(draws.pick(this.#sent));
  }

  // Whatever is not an answer about the order is followed by the same bytes once more.
  async #sendUntilKnown(order: SentOrder): Promise<void> {
    const { world, draws, machines } = this.#options;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const { kind } = await this.send(draws.pick(machines), order);
      if (kind !== 'refused' && kind !== 'unknown') return;
      await world.wait(draws.between(10, 2_000), this.#actor);
    }
  }

  /** A new order of this account, signed now. */
  nextOrder(): SentOrder {
    const { world, draws, number, address } = this.#options;
    const id = `g${number}-${this.commands}`;
    const body = JSON.stringify({
      symbol: draws.pick(['BTCUSDT', 'DFUSDT']),
      side: draws.pick(['buy', 'sell']),
      type: 'limit',
      tif: draws.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only']),
      price: `${draws.between(9.9, 10.09).toFixed(2)}`,
      quantity: `0.${String(1 + draws.below(400)).padStart(3, '0')}`,
      client_order_id: id,
    });
    return { id, request: sign(address, trueWallMs(world), body) };
  }

  /** Sends an order and resolves with its outcome. */
  async send(machine: Machine, { id, request }: SentOrder): Promise<OrderVerdict> {
    const { history } = this.#options;
    history.send(id);
    const answer = await this.#ask(machine, 'place', request, '');
    const verdict = judgeAnswer(answer);
    history.hear(id, verdict);
    if (verdict.kind === 'made' || verdict.kind === 'rejected') this.acknowledged += 1;
    if (verdict.kind === 'made') this.#remember(verdict.orderId, answer!.body);
    return verdict;
  }

  // The answer shows the order as it stood after matching, whenever it is sent again.
  #remember(orderId: string, body: string): void {
    if (this.#heardOf.has(orderId)) return;
    this.#heardOf.add(orderId);
    this.#orderIds.push(orderId);
    if (this.#orderIds.length > ordersKept) this.#orderIds.shift();
    const order = JSON.parse(body) as OrderBody;
    this.#options.history.see(orderId, JSON.stringify({ ...order, fills: undefined }));
  }

  /** Reads or cancels an order; true if it was shown. @throws Violation */
  async request(route: 'get' | 'cancel', machine: Machine, id: string | null): Promise<boolean> {
    const { world, history, address } = this.#options;
    if (id === null) return true;
    const request = sign(address, trueWallMs(world));
    const answer = await this.#ask(machine, route, request, id);
    if (answer === null) return false;
    const body = readBody(answer);
    if (answer.status === 200) {
      this.acknowledged += 1;
      history.see(id, answer.body);
      return true;
    }
    // A client that was told of the order must not be told that it does not exist.
    if (route === 'get' && body.error === 'ORDER_NOT_FOUND') history.see(id, 'not found');
    return false;
  }

  // A list shows every order that the client was told of, running or finished.
  async #list(): Promise<void> {
    const { world, history, address, draws, machines, gatewayOf } = this.#options;
    const known = this.#orderIds.slice(-listedKnown);
    const request = sign(address, trueWallMs(world));
    const machine = draws.pick(machines);
    const gateway = gatewayOf(machine);
    const readsBefore = gateway?.readsWithoutNats;
    const answer = await this.#ask(machine, 'list', request, '');
    if (answer?.status !== 200 || gateway?.readsWithoutNats !== readsBefore) return;
    const { items } = JSON.parse(answer.body) as { items: readonly { order_id: string }[] };
    const shown = new Map(items.map((item) => [item.order_id, JSON.stringify(item)]));
    for (const id of known) history.see(id, shown.get(id) ?? 'not found');
  }

  /** The order ids of the account's open orders; null if the process does not answer. */
  async listOpen(machine: Machine): Promise<readonly string[] | null> {
    const { world, address } = this.#options;
    const answer = await this.#ask(machine, 'open', sign(address, trueWallMs(world)), '');
    if (answer?.status !== 200) return null;
    const { items } = JSON.parse(answer.body) as { items: readonly { order_id: string }[] };
    return items.map(({ order_id }) => order_id);
  }

  async #ask(
    machine: Machine,
    route: Route,
    request: SignedRequest,
    orderId: string,
  ): Promise<TextAnswer | null> {
    const { world, gatewayOf } = this.#options;
    const gateway = gatewayOf(machine);
    const { process } = machine;
    // Nobody listens: the connection is refused.
    if (gateway === null || process === null) return { status: 503, body: '{}' };
    const asked = gateway.answer(route, request, orderId);
    const answered = await askProcess(world, this.#actor, process.actor, asked);
    if (answered === null) return null;
    if ('error' in answered) throw answered.error;
    return answered.value;
  }
}

function judgeAnswer(answer: TextAnswer | null): OrderVerdict {
  if (answer === null) return { kind: 'unknown' };
  const { status } = answer;
  const { order_id, error } = readBody(answer);
  if (status === 200) return { kind: 'made', orderId: order_id ?? '' };
  if (error === 'REQUEST_REPEATED') return { kind: 'repeated' };
  if (rejections.has(error)) return { kind: 'rejected' };
  const isRefused = status === 503 || status === 429 || status === 401;
  return { kind: isRefused ? 'refused' : 'unknown' };
}

// An unexpected failure is answered with a page.
function readBody({ body }: TextAnswer): OrderBody {
  return body.startsWith('{') ? (JSON.parse(body) as OrderBody) : {};
}
