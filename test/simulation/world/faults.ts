import type { ChainModel } from './chain-model.ts';
import type { ChainView, NodeTroubles } from './chain-view.ts';
import { Draws } from './draws.ts';
import type { Machine } from './machine.ts';
import { type MemoryBatches, soundDatabase } from './memory-batches.ts';
import type { NatsModel } from './nats-model.ts';
import { soundDisk } from './sim-disk.ts';
import type { World } from './world.ts';

/** What goes wrong, when and for how long. */
export interface Fault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Which machine, of those that are there; or the owner's, or that of a process that is not. */
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
  /** Whether the faults are over: what has not ended on its own is undone. */
  readonly isHealed: () => boolean;
}

/** The chain, and the node that each machine asks. */
export interface FaultyChain {
  readonly model: ChainModel;
  readonly viewOf: (machine: Machine) => ChainView;
}

/** Instead of a machine's number. */
export const ownerMachine = 0;
export const standbyMachine = -1;

const clusterKinds = [
  'partition',
  'one-way',
  'slow-network',
  'nats-down',
  'nats-tail',
  'nats-full',
  'answers-lost',
  'requests',
] as const;
const localKinds = [
  'kill',
  'kill-owner',
  'power',
  'stop',
  'pause',
  'disk-full',
  'disk-slow',
  'disk-error',
  'snapshot-bit',
  'clock-step',
  'clock-drift',
  'clock-stands',
  'database-down',
  'database-aborts',
  'database-slow',
] as const;

const chainKinds = ['chain-fork', 'node-down', 'node-late', 'node-withholds'] as const;

/** A seed with several kinds has each of these with probability one half as well. */
export const moreKinds = ['read-bit', 'database-full'] as const;

/**
 * One seed in three has one of these, or it alone. Files that a process refuses are restored by an
 * operator.
 */
export const damageKinds = ['journal-bit', 'write-astray', 'sync-lies'] as const;

// What a disk that lies has lost can only be seen, or mended, by the log and the database.
const witnessKinds: readonly string[] = [
  'nats-tail',
  'nats-epoch',
  'database-down',
  'database-slow',
  'database-aborts',
  'database-full',
];

// A seed has them only where they are named: a machine gets an empty disk, and its process joins
// with a snapshot of the shelf, which is used where a plan has this; the log loses just what makes
// a former owner's entry fit; a process reads it from a replica that lacks its newest entries, or
// has them damaged.
const namedKinds = ['empty-folder', 'nats-epoch', 'late-replica', 'damaged-replica'] as const;

export const faultKinds = [
  ...localKinds,
  ...clusterKinds,
  ...chainKinds,
  ...moreKinds,
  ...damageKinds,
  ...namedKinds,
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The kinds that can happen to such a world. */
export function kindsFor({ nats, chain }: Pick<Faulty, 'nats' | 'chain'>): readonly FaultKind[] {
  return [
    ...localKinds,
    ...(nats === null ? [] : clusterKinds),
    ...(chain === null ? [] : chainKinds),
  ];
}

/** The kinds of a seed that draws them. */
export function drawKinds(seed: number, draws: Draws, faulty: Faulty): readonly FaultKind[] {
  const all = kindsFor(faulty);
  // A quarter of the seeds have one kind only; the others each kind with probability one half.
  const drawn = draws.chance(0.25) ? [draws.pick(all)] : all.filter(() => draws.chance(0.5));
  const more = new Draws(seed, 'more kinds');
  if (drawn.length > 1) drawn.push(...moreKinds.filter(() => more.chance(0.5)));
  const damage = new Draws(seed, 'damage');
  if (!damage.chance(1 / 3)) return drawn;
  const kind = damage.pick(damageKinds);
  if (damage.chance(0.25)) return [kind];
  const lies = kind === 'sync-lies';
  return [...drawn.filter((each) => !lies || !witnessKinds.includes(each)), kind];
}

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
    case 'kill-owner': {
      const owner = machines.find(({ process }) => process?.cluster?.isOwner === true) ?? machine;
      owner.kill(false);
      return () => {
        if (owner.process === null) owner.start();
      };
    }
    case 'stop':
      // An orderly end may take longer than the faults last.
      void machine.stop().then(() => {
        if (faulty.isHealed()) restart();
      });
      return restart;
    case 'pause': {
      const actor = machine.process?.actor;
      if (actor === undefined) return () => undefined;
      world.pause(actor);
      return () => {
        if (actor.held !== null) world.resume(actor);
      };
    }
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
      return beginDatabase(database, fault);
    case 'chain-fork':
    case 'node-down':
    case 'node-late':
    case 'node-withholds':
      return beginChain(faulty, fault, machine);
    default:
      return beginNats(faulty, fault, machine.number);
  }
}

function findMachine(machines: readonly Machine[], number: number): Machine {
  const isOwner = ({ process }: Machine): boolean => process?.cluster?.isOwner === true;
  if (number === ownerMachine) return machines.find(isOwner) ?? machines[0]!;
  if (number === standbyMachine) return machines.find((each) => !isOwner(each)) ?? machines[0]!;
  return machines[(number - 1) % machines.length]!;
}

function beginDisk({ disk }: Machine, { kind, strength }: Fault): () => void {
  const { troubles } = disk;
  if (kind === 'snapshot-bit') disk.flipBit('.snapshot');
  if (kind === 'disk-full') troubles.isFull = true;
  if (kind === 'disk-slow') troubles.slowMs = 5 * 200 ** strength;
  if (kind === 'disk-error') troubles.errorRate = 0.2 * strength;
  if (kind === 'read-bit') troubles.flipRate = 0.1 * strength;
  if (kind === 'journal-bit') disk.rot();
  if (kind === 'write-astray') disk.isNextAstray = true;
  return () => Object.assign(troubles, soundDisk);
}

// At the end the machine loses its power, and with it what the syncs were for.
function beginLies(machine: Machine, restart: () => void): () => void {
  const { troubles } = machine.disk;
  troubles.isLying = true;
  return () => {
    machine.kill(true);
    troubles.isLying = false;
    restart();
  };
}

function beginDatabase({ troubles }: MemoryBatches, { kind, strength }: Fault): () => void {
  if (kind === 'database-down') troubles.isDown = true;
  if (kind === 'database-slow') troubles.slowMs = 2_000 * strength;
  if (kind === 'database-full') troubles.isFull = true;
  if (kind === 'database-aborts') {
    troubles.abortRate = strength;
    troubles.answersLost = strength / 2;
  }
  return () => {
    if (kind === 'database-down') troubles.isDown = false;
    if (kind === 'database-slow') troubles.slowMs = 0;
    if (kind === 'database-full') troubles.isFull = false;
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

const wholeNetwork = {
  losesUp: false,
  losesDown: false,
  slowMs: 0,
  lateEntries: 0,
  damagedEntries: 0,
};
const lateEntriesMax = 6;
const damagedEntriesMax = 6;
const forkMax = 3;
const lagMax = 20;

// Confirmed blocks stay: no fork is deeper than what is waited for.
function beginChain({ chain }: Faulty, { kind, strength }: Fault, machine: Machine): () => void {
  if (chain === null) return () => undefined;
  const { troubles } = chain.viewOf(machine);
  if (kind === 'chain-fork') {
    troubles.branch = chain.model.fork(1 + Math.floor(strength * forkMax));
  }
  if (kind === 'node-down') troubles.isDown = true;
  if (kind === 'node-late') troubles.lag = 1 + Math.floor(strength * lagMax);
  if (kind === 'node-withholds') troubles.withholds = strength;
  return () => healNode(troubles);
}

function healNode(troubles: NodeTroubles): void {
  Object.assign(troubles, { isDown: false, lag: 0, branch: [], withholds: 0 });
}

function beginNats({ nats, draws }: Faulty, fault: Fault, machine: number): () => void {
  if (nats === null) return () => undefined;
  const { kind, strength } = fault;
  const network = nats.networkOf(machine);
  const healNetwork = (): void => {
    Object.assign(network, wholeNetwork);
    nats.noticeLine(network);
  };
  switch (kind) {
    case 'partition':
    case 'one-way':
      network.losesUp = kind === 'partition' || strength < 0.5;
      network.losesDown = kind === 'partition' || strength >= 0.5;
      nats.noticeLine(network);
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

/** Nothing is wrong any more. */
export function heal({ world, machines, nats, database, chain }: Faulty): void {
  Object.assign(database.troubles, soundDatabase);
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
    Object.assign(machine.disk.troubles, soundDisk);
    machine.disk.isNextAstray = false;
    machine.disk.repair();
    machine.clock.offsetMs = 0;
    machine.clock.stand(null);
    const network = nats?.networkOf(machine.number);
    if (network !== undefined) {
      Object.assign(network, wholeNetwork);
      nats?.noticeLine(network);
    }
    const actor = machine.process?.actor;
    if (actor !== undefined && actor.held !== null) world.resume(actor);
    if (machine.process === null) machine.start();
  }
}
