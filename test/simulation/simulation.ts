import { isDeepStrictEqual } from 'node:util';
import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import type { Action } from './actions.ts';
import { NaiveEngine } from './naive-engine.ts';
import { booksOf, EventFollower, findBrokenRules } from './outcome-rules.ts';
import { resolveAction } from './resolve-action.ts';
import { Violation } from './world/history.ts';

const startTime = 1_750_000_000_000;

/** The same commands through the engine and its plain twin, every rule checked on the way. */
export class Simulation {
  engine: Engine = engineFactory.create();
  readonly twin: NaiveEngine;
  readonly commands: { readonly command: Command; readonly stamp: Stamp }[] = [];
  readonly counts = new Map<string, number>();
  private readonly follower = new EventFollower();
  private readonly auditEvery: number;
  private time = startTime;

  constructor(options: { twin?: NaiveEngine; auditEvery?: number } = {}) {
    this.twin = options.twin ?? new NaiveEngine();
    this.auditEvery = options.auditEvery ?? 1;
  }

  run(actions: readonly Action[]): void {
    for (const action of actions) this.step(action);
    this.audit();
  }

  step(action: Action): void {
    if (action.kind === 'restore') {
      this.restore();
      return;
    }
    const command = resolveAction(action, this.engine);
    if (command !== null) this.apply(command);
  }

  /** @throws Violation of the rule that the command broke. */
  apply(command: Command): AppliedCommand {
    this.time += this.commands.length % 3;
    const stamp = {
      sequence: (this.engine.sequence + 1) as Sequence,
      timestamp: this.time as TimestampMs,
    };
    this.commands.push({ command, stamp });
    const before = command.type === 'placeSpotOrder' ? booksOf(this.engine) : new Map();
    const applied = this.engine.apply(command, stamp);
    const expected = this.twin.apply(command, stamp);
    if (!isDeepStrictEqual(applied, expected)) {
      const text = `the twin differs at ${show(applied)}, it says ${show(expected)}`;
      throw new Violation('O2', text);
    }
    const broken = findBrokenRules(before, applied, this.engine);
    broken.push(...this.follower.follow(applied));
    refute('O3', broken, applied);
    if (this.commands.length % this.auditEvery === 0) refute('O1', this.findBroken(), applied);
    this.count(applied);
    return applied;
  }

  /** Continues with an engine made of the present one's bytes. */
  restore(): void {
    const restored = engineFactory.restore(this.engine.encodeState());
    if (restored.stateHash() !== this.engine.stateHash()) {
      throw new Violation('O4', 'a restored engine has another hash');
    }
    this.engine = restored;
  }

  audit(): void {
    refute('O1', this.findBroken(), this.commands.at(-1)?.command);
    const replayed = engineFactory.create();
    for (const { command, stamp } of this.commands) replayed.replay(command, stamp);
    if (replayed.stateHash() !== this.engine.stateHash()) {
      throw new Violation('O4', 'a replay of the commands has another hash than the live engine');
    }
  }

  private findBroken(): string[] {
    const violations = findViolations(this.engine);
    const texts = violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    return [...texts, ...this.follower.compare(this.engine), ...this.findViewDifferences()];
  }

  private findViewDifferences(): string[] {
    const { engine, twin } = this;
    const differences: string[] = [];
    for (const market of engine.listSpotMarkets()) {
      const depth = engine.getDepth(market.marketId, 5);
      if (!isDeepStrictEqual(depth, twin.getDepth(market.marketId, 5))) differences.push('depth');
      if (!isDeepStrictEqual(market, twin.getSpotMarket(market.marketId))) {
        differences.push('market');
      }
    }
    if (!isDeepStrictEqual(engine.listWithdrawals(), twin.listWithdrawals())) {
      differences.push('withdrawals');
    }
    for (let id = 1; id <= engine.accountCount; id += 1) {
      const accountId = id as never;
      if (!isDeepStrictEqual(engine.listBalances(accountId), twin.listBalances(accountId))) {
        differences.push(`balances of account ${id}`);
      }
      if (engine.countDeposits(accountId) !== twin.countDeposits(accountId)) {
        differences.push(`deposits of account ${id}`);
      }
      const orders = engine.listOpenOrders(accountId, null);
      if (!isDeepStrictEqual(orders, twin.listOpenOrders(accountId, null))) {
        differences.push(`orders of account ${id}`);
      }
    }
    return differences;
  }

  private count(applied: AppliedCommand): void {
    const outcome = applied.rejection?.reason ?? 'accepted';
    const keys = [`${applied.command.type} ${outcome}`];
    for (const event of applied.events) {
      keys.push(event.type);
      if (event.type === 'spotOrderUpdated') keys.push(`order ${event.order.status}`);
    }
    for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

function refute(oracle: string, broken: readonly string[], at: unknown): void {
  if (broken.length > 0) throw new Violation(oracle, `${broken.join('; ')} at ${show(at)}`);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each,
  );
}
