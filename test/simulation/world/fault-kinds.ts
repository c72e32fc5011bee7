import { Draws } from './draws.ts';
import type { Faulty } from './faults.ts';
import type { Plan } from './plan.ts';

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

/**
 * A seed with several kinds has each of these with probability one half as well; of those with a
 * single kind, one in three has one of these instead.
 */
const moreKinds = [
  'read-bit',
  'out-of-memory',
  'listener-fails',
  'database-full',
  'database-read-only',
  'database-hangs',
  'crash',
] as const;
/**
 * Only without wallets, as what was signed is nowhere else, and without readers of history, as
 * nobody knows about it before the next statement of the projector.
 */
const moreProjectedKinds = ['database-older'] as const;
const moreChainKinds = ['deep-fork', 'payments-revert', 'node-lies'] as const;

/**
 * One seed in three has one of these, or it alone. Files that a process refuses are restored by an
 * operator.
 */
export const damageKinds = ['journal-bit', 'write-astray', 'sync-lies', 'older-folder'] as const;
/** Among several processes. */
const clusterDamageKinds = ['foreign-folder'] as const;

// What a disk that lies has lost, or an older one lacks, can only be seen, or mended, by the log and
// the database.
const losingKinds: readonly string[] = ['sync-lies', 'older-folder', 'foreign-folder'];
const witnessKinds: readonly string[] = [
  'nats-tail',
  'nats-epoch',
  'database-down',
  'database-slow',
  'database-aborts',
  'database-full',
  'database-read-only',
  'database-hangs',
  'database-older',
  'database-empty',
  'older-tables',
];

// A seed has them only if they are named: a machine gets an empty disk, and its process joins
// with a snapshot from the shared store, which is used if a plan has this; the log loses just what makes
// a former owner's entry fit; a process reads it from a replica that lacks its newest entries, or
// has them damaged; an empty database, or one with older tables, takes the place of the present one.
const namedKinds = [
  'empty-folder',
  'nats-epoch',
  'late-replica',
  'damaged-replica',
  'database-empty',
  'older-tables',
] as const;

export const faultKinds = [
  ...localKinds,
  ...clusterKinds,
  ...chainKinds,
  ...moreKinds,
  ...moreProjectedKinds,
  ...moreChainKinds,
  ...damageKinds,
  ...clusterDamageKinds,
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
export function drawKinds(
  { seed, profile }: Pick<Plan, 'seed' | 'profile'>,
  draws: Draws,
  faulty: Faulty,
): readonly FaultKind[] {
  const all = kindsFor(faulty);
  // A quarter of the seeds have one kind only; the others each kind with probability one half.
  const drawn: FaultKind[] = draws.chance(0.25)
    ? [draws.pick(all)]
    : all.filter(() => draws.chance(0.5));
  const more = new Draws(seed, 'more kinds');
  const others: readonly FaultKind[] = [
    ...moreKinds,
    ...(faulty.chain === null ? [] : moreChainKinds),
    ...(faulty.chain === null && profile !== 'gateway' ? moreProjectedKinds : []),
  ];
  if (drawn.length > 1) drawn.push(...others.filter(() => more.chance(0.5)));
  else if (more.chance(1 / 3)) drawn.splice(0, 1, more.pick(others));
  // Only the log knows of epochs that such a database no longer knows.
  const survivable = drawn.includes('database-older')
    ? drawn.filter((kind) => kind !== 'nats-tail')
    : drawn;
  const damage = new Draws(seed, 'damage');
  if (!damage.chance(1 / 3)) return survivable;
  const kind = damage.pick<FaultKind>(
    faulty.nats === null ? damageKinds : [...damageKinds, ...clusterDamageKinds],
  );
  if (damage.chance(0.25)) return [kind];
  const isLosing = losingKinds.includes(kind);
  return [...survivable.filter((each) => !isLosing || !witnessKinds.includes(each)), kind];
}
