import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  EngineRestartingError,
} from '../../../src/application/ports/exchange.ts';
import { toAmount } from '../../../src/domain/amount.ts';
import type { AccountId, MarketId, OrderNumber } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import { flowAddress } from '../../support/spot-flow.ts';
import { type Answered, askProcess } from './ask.ts';
import type { Draws } from './draws.ts';
import type { History } from './history.ts';
import type { Machine } from './machine.ts';
import type { Actor, World } from './world.ts';

export interface ClientOptions {
  readonly world: World;
  readonly number: number;
  readonly machines: readonly Machine[];
  readonly history: History;
  readonly draws: Draws;
  readonly accounts: number;
  /** The average pause between two requests, in milliseconds. */
  readonly pauseMs: number;
  readonly onViolation: (error: unknown) => void;
}

/** A trader: sends commands to any process, tries again, and reads the outcomes. */
export class Client {
  commands = 0;
  isResting = false;
  readonly #options: ClientOptions;
  readonly #actor: Actor;
  readonly #resting: { readonly accountId: AccountId; readonly orderNumber: OrderNumber }[] = [];

  constructor(options: ClientOptions) {
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
      const { command, id } = this.#nextCommand();
      this.commands += 1;
      const isSure = await this.#make(command, id);
      if (isSure && draws.chance(0.4)) await this.read(draws.pick(machines));
    }
  }

  // False if the outcome is unknown.
  async #make(command: Command, id: string): Promise<boolean> {
    const { draws, machines, history, world } = this.#options;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const verdict = await this.submit(draws.pick(machines), command, id);
      if (verdict !== 'refused') return verdict === 'done';
      await world.wait(draws.between(10, 400), this.#actor);
      if (attempt < 2) history.retry(id);
    }
    return true;
  }

  async submit(
    machine: Machine,
    command: Command,
    id: string,
  ): Promise<'done' | 'refused' | 'unknown'> {
    const { history } = this.#options;
    const { process } = machine;
    if (process === null) {
      history.refuse(id);
      return 'refused';
    }
    const answer = await this.#ask(process.actor, process.exchange.submit(command));
    if (answer === null) {
      history.unknown += 1;
      return 'unknown';
    }
    if ('value' in answer) {
      history.acknowledge(id, answer.value.sequence);
      this.#remember(answer.value);
      return 'done';
    }
    const { error } = answer;
    const isRefused = error instanceof EngineBusyError || error instanceof EngineRestartingError;
    if (!isRefused) {
      history.unknown += 1;
      return 'unknown';
    }
    history.refuse(id);
    return 'refused';
  }

  /** Reads at a process; false if it does not answer. */
  async read(machine: Machine): Promise<boolean> {
    const { history } = this.#options;
    const { process } = machine;
    if (process === null) return false;
    const atLeast = history.seen;
    const isHashed = atLeast % 8 === 0;
    const read = process.exchange.read((view) => ({
      sequence: view.sequence,
      stateHash: isHashed && 'stateHash' in view ? (view as Hashed).stateHash() : null,
    }));
    const answer = await this.#ask(process.actor, read);
    if (answer === null || !('value' in answer)) return false;
    const { sequence, stateHash } = answer.value;
    const where = `process ${machine.number}`;
    history.read(atLeast, sequence, where);
    if (stateHash !== null) history.compare(sequence, stateHash, where);
    return true;
  }

  #ask<T>(process: Actor, asked: Promise<T>): Promise<Answered<T> | null> {
    return askProcess(this.#options.world, this.#actor, process, asked);
  }

  #remember({ command, events }: AppliedCommand): void {
    if (command.type !== 'placeSpotOrder') return;
    const placed = events.find((event) => event.type === 'spotOrderUpdated');
    if (placed?.type !== 'spotOrderUpdated' || placed.order.status !== 'new') return;
    const { orderNumber } = placed.order;
    this.#resting.push({ accountId: command.accountId, orderNumber });
  }

  #nextCommand(): { readonly command: Command; readonly id: string } {
    const { draws, number, accounts } = this.#options;
    const id = `c${number}-${this.commands}`;
    const kind = draws.below(10);
    if (kind < 2) return { command: creditOf(1 + draws.below(accounts), id), id };
    const [order] = this.#resting;
    if (order !== undefined && (kind < 5 || this.#resting.length > 20)) {
      this.#resting.shift();
      const { accountId, orderNumber } = order;
      const cancel: Command = { type: 'cancelSpotOrder', accountId, orderNumber };
      return { command: cancel, id: idOf(cancel)! };
    }
    return { command: this.#nextOrder(id), id };
  }

  #nextOrder(id: string): Command {
    const { draws, accounts } = this.#options;
    return {
      type: 'placeSpotOrder',
      accountId: (1 + draws.below(accounts)) as AccountId,
      marketId: draws.below(2) as MarketId,
      side: draws.pick(['buy', 'sell'] as const),
      clientOrderId: id,
      orderType: 'limit',
      timeInForce: draws.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only'] as const),
      price: (990 + draws.below(20)) as Ticks,
      quantity: (1 + draws.below(400)) as Lots,
      quoteQuantity: null,
    };
  }
}

interface Hashed {
  stateHash(): string;
}

export function creditOf(account: number, id: string, token = 'USDT'): Command {
  return {
    type: 'creditBalance',
    address: flowAddress(account),
    token,
    amount: toAmount(100_000_000_000n),
    actor: 'admin_api_key',
    reason: id,
    reference: null,
  };
}

/** Distinguishes a client's command from all others. */
export function idOf(command: Command): string | null {
  switch (command.type) {
    case 'creditBalance':
      return command.reason;
    case 'placeSpotOrder':
      return command.clientOrderId;
    case 'cancelSpotOrder':
      return `cancel ${command.accountId} ${command.orderNumber}`;
    default:
      return null;
  }
}
