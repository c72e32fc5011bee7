import { beginChain, healNode } from './chain-faults.ts';
import type { ChainModel } from './chain-model.ts';
import type { ChainView } from './chain-view.ts';
import type { Draws } from './draws.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Machine } from './machine.ts';
import { type MemoryBatches, soundDatabase } from './memory-batches.ts';
import type { NatsModel } from './nats-model.ts';
import { soundDisk } from './sim-disk.ts';
import type { World } from './world.ts';

/** What goes wrong, when and for how long. */
export interface Fault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Which of the machines; or that of the owner, or of a process that is not the owner. */
  readonly machine: number;
  readonly durationMs: number;
  /** From 0 to 1: how bad it is. */
  readonly strength: number;
}

export interface Faulty {
  readonly world: World;
  readonly machines: readonly Machine[];
  readonly nats: NatsModel | null;
  readonly database: MemoryBatches;
  /** Null: nothing of the wallet runs. */
  readonly chain: FaultyChain | null;
  readonly draws: Draws;
  /** Whether the faults are over; those that have not ended on their own are undone. */
  readonly isHealed: () => boolean;
}

/** The chain, and the node of each machine, or the providers that all machines ask. */
export interface FaultyChain {
  readonly model: ChainModel;
  readonly viewOf: (machine: Machine) => ChainView;
  readonly usesQuorum: boolean;
  readonly liar: ChainView;
}

/** Instead of a machine's number. */
export const ownerMachine = 0;
export const standbyMachine = -1;

/** Faults one after the other, until the end. */
export function drawFaults(
  draws: Draws,
  kinds: readonly FaultKind[],
  machines: number,
  endMs: number,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (kinds.length === 0) return faults;
  const meanMs = draws.between(100, 1_500);
  for (let atMs = 0; ; ) {
    atMs += -Math.log(1 - draws.fraction()) * meanMs;
    if (atMs > endMs) return faults;
    faults.push({
      atMs: Math.round(atMs),
      kind: draws.pick(kinds),
      machine: 1 + draws.below(machines),
      durationMs: Math.round(50 * 160 ** draws.fraction()),
      strength: draws.fraction(),
    });
  }
}

/** Begins the fault; it ends on its own. */
export function inject(faulty: Faulty, fault: Fault): void {
  const { world } = faulty;
  const { kind, machine, durationMs, strength } = fault;
  world.note(`fault: ${kind} at ${machine} for ${durationMs} ms, strength ${strength.toFixed(2)}`);
  const end = begin(faulty, fault);
  world.schedule(durationMs, world.outside, () => {
    if (!faulty.isHealed()) end();
  });
}

function begin(faulty: Faulty, fault: Fault): () => void {
  const { world, machines, database } = faulty;
  const machine = findMachine(machines, fault.machine);
  const restart = (): void => {
    if (machine.process === null) machine.start();
  };
  switch (fault.kind) {
    case 'kill':
    case 'power':
      machine.kill(fault.kind === 'power');
      return restart;
    case 'empty-folder':
      machine.kill(false);
      machine.disk.erase();
      return restart;
    case 'kill-owner':
      return beginWithoutOwner(machines, machine);
    case 'foreign-folder':
      return beginForeign(machines, machine, restart);
    case 'out-of-memory':
    case 'listener-fails':
    case 'older-folder':
      return beginLaterEnd(machine, fault, restart);
    case 'crash':
      return beginCrashes(faulty, machine, fault.strength);
    case 'stop':
      // An orderly end may take longer than the faults last.
      void machine.stop().then(() => {
        if (faulty.isHealed()) restart();
      });
      return restart;
    case 'pause':
      return beginPause(world, machine);
    case 'disk-full':
    case 'disk-slow':
    case 'disk-error':
    case 'snapshot-bit':
    case 'read-bit':
    case 'journal-bit':
    case 'write-astray':
      return beginDisk(machine, fault);
    case 'sync-lies':
      return beginLies(machine, restart);
    case 'clock-step':
    case 'clock-drift':
    case 'clock-stands':
      return beginClock(world, machine, fault);
    case 'database-down':
    case 'database-aborts':
    case 'database-slow':
    case 'database-full':
    case 'database-read-only':
    case 'database-hangs':
    case 'database-older':
    case 'database-empty':
    case 'older-tables':
      return beginDatabase(database, fault);
    case 'chain-fork':
    case 'deep-fork':
    case 'payments-revert':
    case 'node-lies':
    case 'node-down':
    case 'node-late':
    case 'node-withholds':
      return beginChain(faulty, fault, machine);
    default:
      return beginNats(faulty, fault, machine.number);
  }
}

function beginWithoutOwner(machines: readonly Machine[], machine: Machine): () => void {
  const owner = machines.find(({ process }) => process?.cluster?.isOwner === true) ?? machine;
  owner.kill(false);
  return () => {
    if (owner.process === null) owner.start();
  };
}

function findMachine(machines: readonly Machine[], number: number): Machine {
  const isOwner = ({ process }: Machine): boolean => process?.cluster?.isOwner === true;
  if (number === ownerMachine) return machines.find(isOwner) ?? machines[0]!;
  if (number === standbyMachine) return machines.find((each) => !isOwner(each)) ?? machines[0]!;
  return machines[(number - 1) % machines.length]!;
}

// What ends the process does so at some later point, and so does an older disk.
function beginLaterEnd(
  machine: Machine,
  { kind, strength }: Fault,
  restart: () => void,
): () => void {
  const takeOlder = kind === 'older-folder' ? machine.keepOlder() : null;
  if (kind === 'out-of-memory') machine.endWithin(1 + Math.floor(strength * operationsMax));
  machine.isListenerFailing ||= kind === 'listener-fails';
  return () => {
    machine.endWithin(null);
    machine.isListenerFailing = false;
    takeOlder?.();
    restart();
  };
}

// The process starts with a copy of another one's folder, until an operator puts back its own.
function beginForeign(
  machines: readonly Machine[],
  machine: Machine,
  restart: () => void,
): () => void {
  const others = machines.filter((each) => each !== machine);
  const other = others[machine.number % others.length];
  if (other === undefined || machine.isForeign) return () => undefined;
  machine.takeFolderOf(other);
  restart();
  return () => {
    machine.takeBackFolder();
    restart();
  };
}

// At the n-th await from now on, in the first milliseconds of its starts as well.
function beginCrashes(faulty: Faulty, machine: Machine, strength: number): () => void {
  const { world, draws } = faulty;
  let isOver = false;
  const arm = (): void => {
    if (isOver || faulty.isHealed()) return;
    machine.endAtAwait(Math.ceil(awaitsMax ** strength * draws.fraction()), () => {
      world.note(`process ${machine.number} ends at an await`);
      machine.kill(draws.chance(0.5));
      world.schedule(againMs, world.outside, () => {
        if (machine.process === null) machine.start();
        arm();
      });
    });
  };
  arm();
  return () => {
    isOver = true;
    machine.endAtAwait(null);
  };
}

function beginPause(world: World, { process }: Machine): () => void {
  if (process === null) return () => undefined;
  const { actor } = process;
  world.pause(actor);
  return () => {
    if (actor.held !== null) world.resume(actor);
  };
}

function beginDisk({ disk }: Machine, { kind, strength }: Fault): () => void {
  const { troubles } = disk;
  if (kind === 'snapshot-bit') disk.flipBit('.snapshot');
  if (kind === 'disk-full') troubles.isFull = true;
  if (kind === 'disk-slow') troubles.slowMs = 5 * 200 ** strength;
  if (kind === 'disk-error') troubles.errorRate = 0.2 * strength ** 2;
  if (kind === 'read-bit') troubles.flipRate = 0.1 * strength;
  if (kind === 'journal-bit') disk.rot();
  if (kind === 'write-astray') disk.isNextAstray = true;
  return () => Object.assign(troubles, soundDisk);
}

// At the end the machine loses power, and with it everything that was not really synced.
function beginLies(machine: Machine, restart: () => void): () => void {
  const { troubles } = machine.disk;
  troubles.isLying = true;
  return () => {
    machine.kill(true);
    troubles.isLying = false;
    restart();
  };
}

function beginDatabase(database: MemoryBatches, { kind, strength }: Fault): () => void {
  const { troubles } = database;
  if (kind === 'database-down') troubles.isDown = true;
  if (kind === 'database-slow') troubles.slowMs = 2_000 * strength;
  if (kind === 'database-full') troubles.isFull = true;
  if (kind === 'database-read-only') troubles.isReadOnly = true;
  if (kind === 'database-hangs') troubles.isHanging = true;
  if (kind === 'database-empty') database.empty();
  if (kind === 'database-older' || kind === 'older-tables') {
    const older = database.backup();
    const tables = kind === 'older-tables' ? 'older' : older.tables;
    return () => database.putBack({ ...older, tables });
  }
  if (kind === 'database-aborts') {
    troubles.abortRate = strength;
    troubles.answersLost = strength / 2;
  }
  return () => {
    if (kind === 'database-down') troubles.isDown = false;
    if (kind === 'database-slow') troubles.slowMs = 0;
    if (kind === 'database-full') troubles.isFull = false;
    if (kind === 'database-read-only') troubles.isReadOnly = false;
    if (kind === 'database-hangs') troubles.isHanging = false;
    if (kind === 'database-aborts') Object.assign(troubles, { abortRate: 0, answersLost: 0 });
  };
}

const stepsMs = [-86_400_000, -60_000, -1_000, -5, 5, 1_000, 60_000, 3_600_000, 86_400_000];

function beginClock(world: World, { clock }: Machine, { kind, strength }: Fault): () => void {
  if (kind === 'clock-step') clock.offsetMs = stepsMs[Math.floor(strength * stepsMs.length)]!;
  if (kind === 'clock-stands') clock.stand(world.now);
  return () => {
    clock.offsetMs = 0;
    clock.stand(null);
  };
}

/** The number of disk operations within which a process that lacks memory ends. */
const operationsMax = 40;
const awaitsMax = 2_000;
const againMs = 20;

const wholeNetwork = {
  losesUp: false,
  losesDown: false,
  slowMs: 0,
  lateEntries: 0,
  damagedEntries: 0,
};
const lateEntriesMax = 6;
const damagedEntriesMax = 6;
function beginNats({ nats, draws }: Faulty, fault: Fault, machine: number): () => void {
  if (nats === null) return () => undefined;
  const { kind, strength } = fault;
  const network = nats.networkOf(machine);
  const healNetwork = (): void => {
    Object.assign(network, wholeNetwork);
    nats.noticeConnection(network);
  };
  switch (kind) {
    case 'partition':
    case 'one-way':
      network.losesUp = kind === 'partition' || strength < 0.5;
      network.losesDown = kind === 'partition' || strength >= 0.5;
      nats.noticeConnection(network);
      return healNetwork;
    case 'late-replica':
      network.lateEntries = 1 + Math.floor(strength * lateEntriesMax);
      return healNetwork;
    case 'damaged-replica':
      network.damagedEntries = 1 + Math.floor(strength * damagedEntriesMax);
      return healNetwork;
    case 'slow-network':
      network.slowMs = 400 * strength;
      return healNetwork;
    case 'nats-down':
      nats.stop();
      return () => nats.restart(0);
    case 'nats-tail':
      nats.stop();
      // With a strength of 1 nothing is left.
      return () => nats.restart(strength >= 1 ? Infinity : 1 + draws.below(6));
    case 'nats-epoch':
      nats.stop();
      return () => nats.restart(nats.newestEpochLength);
    case 'nats-full':
      nats.troubles.isFull = true;
      return () => {
        nats.troubles.isFull = false;
      };
    case 'answers-lost':
      nats.troubles.answersLost = strength;
      return () => {
        nats.troubles.answersLost = 0;
      };
    default:
      nats.troubles.requestsLost = strength / 2;
      nats.troubles.requestsDoubled = strength / 2;
      return () => {
        Object.assign(nats.troubles, { requestsLost: 0, requestsDoubled: 0 });
      };
  }
}

/** Ends every fault. */
export function heal({ world, machines, nats, database, chain }: Faulty): void {
  Object.assign(database.troubles, soundDatabase);
  if (chain !== null) {
    healNode(chain.liar.troubles);
    chain.model.isPaying = true;
  }
  if (nats !== null) {
    const isDown = nats.troubles.isDown;
    Object.assign(nats.troubles, {
      isFull: false,
      answersLost: 0,
      requestsLost: 0,
      requestsDoubled: 0,
    });
    if (isDown) nats.restart(0);
  }
  for (const machine of machines) {
    if (chain !== null) healNode(chain.viewOf(machine).troubles);
    machine.isListenerFailing = false;
    machine.endWithin(null);
    machine.endAtAwait(null);
    machine.takeBackFolder();
    Object.assign(machine.disk.troubles, soundDisk);
    machine.disk.isNextAstray = false;
    machine.disk.repair();
    machine.clock.offsetMs = 0;
    machine.clock.stand(null);
    const network = nats?.networkOf(machine.number);
    if (network !== undefined) {
      Object.assign(network, wholeNetwork);
      nats?.noticeConnection(network);
    }
    const actor = machine.process?.actor;
    if (actor !== undefined && actor.held !== null) world.resume(actor);
    if (machine.process === null) machine.start();
  }
}
