import { isDeepStrictEqual } from 'node:util';
import { DatabaseAheadError } from '../../../src/database/projector/journal-end.ts';
import { engineFactory } from '../../../src/engine/engine.ts';
import { JournalDamageError } from '../../../src/journal/journal-damage.ts';
import { type JournalRecord, readJournal } from '../../../src/journal/verify-journal.ts';
import type { Activity } from './activity.ts';
import { BoundsOracle } from './bounds-oracle.ts';
import { Client, creditOf, idOf } from './client.ts';
import { createActivity } from './create-activity.ts';
import { Draws } from './draws.ts';
import { type Fault, type Faulty, type FaultyChain, heal } from './faults.ts';
import { History, Violation } from './history.ts';
import { journalFolder, Machine } from './machine.ts';
import { openMarkets } from './markets.ts';
import { MemoryBatches, rowOf } from './memory-batches.ts';
import { NatsModel } from './nats-model.ts';
import type { Outcome, Plan } from './plan.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { simTime } from './sim-time.ts';
import { SnapshotStoreModel } from './snapshot-store-model.ts';
import { TimeOracle } from './time-oracle.ts';
import { requireExplained } from './words-oracle.ts';
import { World } from './world.ts';

export { type PlannedProfile, type Profile, profiles } from './create-activity.ts';
export type { Outcome, Plan } from './plan.ts';

const calmMs = 60_000;
const settleMs = 8_000;
const accounts = 6;
/** Clients of the engine if a profile has actors of its own. */
const clientsBeside = 2;
const pauseBesideMs = 60;

/** Runs the plan; the same plan gives the same outcome. */
export async function simulate(plan: Plan, trace?: (line: string) => void): Promise<Outcome> {
  return new Run(plan, trace ?? null).run();
}

class Run {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #draws: Draws;
  readonly #history = new History();
  readonly #timeOracle: TimeOracle;
  readonly #faulty: Faulty & { chain: FaultyChain | null };
  readonly #bounds: BoundsOracle;
  readonly #clients: Client[] = [];
  readonly #injected: Fault[] = [];
  readonly #ends: string[] = [];
  readonly #activity: Activity | null;
  #violation: Violation | null = null;
  #isCalm = false;
  #isSettled = false;

  constructor(plan: Plan, trace: ((line: string) => void) | null) {
    this.#plan = plan;
    const world = new World(plan.seed);
    world.trace = trace;
    this.#world = world;
    this.#timeOracle = new TimeOracle(world);
    this.#draws = new Draws(plan.seed, 'plan');
    const count = plan.profile === 'alone' ? 1 : plan.processes;
    const isAlone = plan.profile !== 'cluster' && count === 1;
    const nats = isAlone ? null : new NatsModel(world, new Draws(plan.seed, 'nats'));
    const database = new MemoryBatches(world, new Draws(plan.seed, 'database'));
    const sizes = this.#drawSizes();
    this.#bounds = new BoundsOracle(sizes, plan.profile === 'upgrade');
    const ackCopies = new Draws(plan.seed, 'copies').pick([1, 2, 2]);
    const timing = this.#draws.chance(0.5)
      ? { renewMs: 1_000, watchMs: 250, expireMs: 5_000, holdMs: 4_000, silentMs: 2_500 }
      : { renewMs: 300, watchMs: 80, expireMs: 1_600, holdMs: 1_300, silentMs: 1_000 };
    const isShared = plan.faults?.some(({ kind }) => kind === 'empty-folder') === true;
    const snapshotStore = nats !== null && isShared ? new SnapshotStoreModel(world, nats) : null;
    const machines = Array.from({ length: count }, (_, index) => {
      const number = index + 1;
      return new Machine({
        world,
        number,
        nats,
        database,
        processesCount: count,
        ackCopies,
        timing,
        sizes,
        snapshotStore,
        onStart: (machine, process) => this.#activity?.attach(machine, process),
        onDurable: (machine, outcomes) => {
          this.#attempt(() => this.#timeOracle.judge(machine, outcomes));
        },
        onEnd: (machine, error) => this.#hearEnd(machine, error),
      });
    });
    this.#faulty = {
      world,
      machines,
      nats,
      database,
      chain: null,
      draws: new Draws(plan.seed, 'faults at work'),
      isHealed: () => this.#isCalm,
    };
    this.#activity = createActivity(plan.profile, this.#faulty, this.#fail);
  }

  async run(): Promise<Outcome> {
    const world = this.#world;
    await this.#during(this.#live());
    return {
      violation: this.#violation,
      hash: world.hash,
      ticks: world.ticks,
      virtualMs: Math.round(world.now),
      commands:
        this.#clients.reduce((sum, { commands }) => sum + commands, 0) +
        (this.#activity?.commands ?? 0),
      acknowledged: this.#history.acknowledged + (this.#activity?.acknowledged ?? 0),
      refused: this.#history.refused,
      unknown: this.#history.unknown,
      reads: this.#history.reads,
      repeats: this.#activity?.repeats ?? 0,
      ends: this.#ends,
      faults: this.#injected,
      notes: world.notes,
    };
  }

  #drawSizes() {
    return {
      snapshotEvery: this.#draws.pick([50, 200, 1_000]),
      outcomesKeptMax: this.#draws.pick([16, 64, 1_000]),
      segmentBytes: this.#draws.pick([16_384, 65_536]),
      waitingMax: this.#draws.pick([20, 1_000]),
    };
  }

  // Runs the world until the promise is settled or something is broken.
  async #during(work: Promise<void>): Promise<void> {
    let isOver = false;
    work.then(
      () => {
        isOver = true;
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
    await this.#world.run(() => isOver || this.#violation !== null);
  }

  readonly #fail = (error: unknown): void => {
    if (this.#violation !== null) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#violation = error instanceof Violation ? error : new Violation('crash', text);
    this.#world.note(`VIOLATION of ${this.#violation.oracle}: ${this.#violation.message}`);
  };

  #attempt(judge: () => unknown): void {
    try {
      judge();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #live(): Promise<void> {
    const { machines } = this.#faulty;
    for (const machine of machines) machine.start();
    await this.#until('a process is ready', () => machines.some(({ isReady }) => isReady));
    await this.#open();
    scheduleFaults(this.#plan, this.#faulty, this.#injected);
    const pauseMs = this.#draws.pick([4, 15, 60]);
    const drawn = this.#draws.pick([4, 8, 16]);
    this.#activity?.start();
    const isBeside = this.#activity !== null && this.#plan.profile !== 'upgrade';
    const clients = this.#plan.clients ?? (isBeside ? clientsBeside : drawn);
    for (let number = 1; number <= clients; number += 1) {
      this.#addClient(number, isBeside ? pauseBesideMs : pauseMs).start();
    }
    for (let round = 0; this.#world.ticks < this.#plan.ticks; round += 1) {
      await this.#wait(100);
      if (round % 10 === 0) machines.forEach((each) => this.#bounds.judge(each));
    }
    await this.#calm();
    await this.#judge();
  }

  #addClient(number: number, pauseMs: number): Client {
    const client = new Client({
      world: this.#world,
      number,
      machines: this.#faulty.machines,
      history: this.#history,
      draws: new Draws(this.#plan.seed, `client ${number}`),
      accounts,
      pauseMs,
      onViolation: this.#fail,
    });
    this.#clients.push(client);
    return client;
  }

  #wait(delayMs: number): Promise<void> {
    return this.#world.wait(delayMs, this.#world.outside);
  }

  async #until(what: string | (() => string), isThere: () => boolean): Promise<void> {
    const end = this.#world.now + calmMs;
    while (!isThere()) {
      if (this.#world.now > end) {
        const text = typeof what === 'string' ? what : what();
        throw new Violation('O12', `${text}: not within ${calmMs} ms`);
      }
      await this.#wait(20);
    }
  }

  // Markets, and accounts with money in every token.
  async #open(): Promise<void> {
    const [machine] = this.#faulty.machines;
    const commands = [...openMarkets];
    for (let account = 1; account <= accounts; account += 1) {
      for (const token of ['USDT', 'BTC', 'DF']) {
        commands.push(creditOf(account, `open ${account} ${token}`, token));
      }
    }
    for (const command of commands) {
      await machine!.process!.exchange.submit(command);
    }
  }

  #hearEnd(machine: Machine, error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#world.note(`process ${machine.number} ends: ${text}`);
    this.#ends.push(text);
    this.#restore(machine, error);
    const isJudged = this.#activity === null && !machine.isStopping;
    this.#attempt(() => isJudged && requireExplained(error, machine.lastWords));
    if (this.#isSettled) this.#fail(new Violation('O12', `ends: ${text}`));
    const broken = this.#activity?.hearEnd?.(machine, error) ?? null;
    if (broken !== null) this.#fail(broken);
    this.#world.schedule(this.#faulty.draws.between(500, 3_000), this.#world.outside, () => {
      if (machine.process === null) machine.start();
    });
  }

  // Does what an operator does when a process refuses to start, or ends, as its disk has lost data.
  #restore({ number, disk }: Machine, error: unknown): void {
    const isRefused = error instanceof JournalDamageError || error instanceof DatabaseAheadError;
    if (!isRefused || !disk.isDamaged) return;
    this.#world.note(`the files of process ${number} are restored`);
    disk.restore();
  }

  // O10 and O12: once the faults are over, all come back, report so correctly, and catch up.
  async #calm(): Promise<void> {
    const { database, machines } = this.#faulty;
    this.#isCalm = true;
    this.#world.note('the faults stop');
    heal(this.#faulty);
    for (const client of this.#clients) client.isResting = true;
    this.#activity?.rest();
    await this.#until('all processes ready', () => machines.every(({ isReady }) => isReady));
    await this.#finish();
    // An earlier request may hang for as long as a lease lasts.
    await this.#wait(settleMs);
    await this.#until('all processes ready again', () => machines.every(({ isReady }) => isReady));
    this.#isSettled = true;
    const probe = this.#addClient(0, 1_000);
    for (const machine of machines) {
      await this.#probe(probe, machine);
      await this.#activity?.probe(machine);
    }
    const [first] = machines;
    this.#timeOracle.watch(first!);
    await this.#wait(1_000);
    await this.#probe(probe, first!, 'probe of time');
    this.#timeOracle.requirePassing(first!);
    const end = (): number =>
      Math.max(...machines.map(({ process }) => process?.sequencer.durableSequence ?? 0));
    await this.#until('the database caught up', () => database.position === end());
    await this.#until('all processes at the end', () =>
      machines.every(({ process }) => process?.sequencer.durableSequence === end()),
    );
    await this.#finish();
  }

  async #finish(): Promise<void> {
    const activity = this.#activity;
    if (activity === null) return;
    await this.#until(
      () => activity.findUnfinished() ?? '',
      () => activity.findUnfinished() === null,
    );
  }

  async #probe(probe: Client, machine: Machine, id = `probe ${machine.number}`): Promise<void> {
    const { world } = this.#faulty;
    const begun = world.now;
    const verdict = await probe.submit(machine, creditOf(1, id), id);
    const hasRead = await probe.read(machine);
    const tookMs = world.now - begun;
    if (verdict === 'done' && hasRead && tookMs < 1_000) return;
    const text = `write ${verdict}, read ${hasRead ? 'done' : 'refused'}, ${Math.round(tookMs)} ms`;
    throw new Violation('O10', `process ${machine.number} says ready: ${text}`);
  }

  // Compares journals, states and the database with what clients were told and with each other.
  async #judge(): Promise<void> {
    const { machines, world, database } = this.#faulty;
    const engine = engineFactory.create(this.#activity?.firstRules);
    let first: readonly JournalRecord[] | null = null;
    for (const machine of machines) {
      const records: JournalRecord[] = [];
      const time = simTime(world, world.outside, machine.clock);
      const disk = machine.disk.openFor(world.outside);
      await readJournal({ disk, folder: journalFolder, time }, (record) => records.push(record));
      // A journal may begin after a snapshot.
      const common = first?.slice(first.length - records.length);
      if (common !== undefined && !isDeepStrictEqual(common, records)) {
        throw new Violation('O8', `the journal of process ${machine.number} is another one`);
      }
      first ??= records;
    }
    for (const { command, sequence, timestamp } of first ?? []) {
      const applied = engine.apply(command, { sequence, timestamp });
      if (rowOf(applied) !== database.rows[sequence - 1]) {
        throw new Violation('O9', `the database holds another outcome at ${sequence}`);
      }
      this.#activity?.replay(applied, engine);
    }
    this.#activity?.judge();
    this.#history.judge(
      (first ?? []).map(({ sequence, timestamp, command }) => ({
        sequence,
        timestamp,
        id: idOf(command),
      })),
    );
    for (const machine of machines) {
      const where = `process ${machine.number}`;
      machine.process!.exchange.peek((view) => {
        if ('stateHash' in view) {
          const { sequence } = view;
          this.#history.compare(sequence, (view as typeof engine).stateHash(), where);
        }
      });
    }
    this.#history.compare(engine.sequence, engine.stateHash(), 'a replay');
    const broken = engine.findBroken();
    if (broken.length > 0) throw new Violation('O1', broken.join('; '));
  }
}
