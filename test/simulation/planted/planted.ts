import type { FaultKind } from '../world/fault-kinds.ts';
import { type Fault, ownerMachine } from '../world/faults.ts';
import type { Profile } from '../world/simulate.ts';

/** A fault put into a copy of the exchange, which the simulator has to find. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly profile: Profile | 'engine';
  readonly faults: readonly FaultKind[];
  /** Used with every seed, instead of faults that the seed draws. */
  readonly plan?: readonly Fault[];
  /** Of the engine; absent: as many as the seed draws. */
  readonly clients?: number;
  readonly ticks: number;
  /** Within this many seeds, from 1 on. */
  readonly seeds: number;
  /** The oracles that may be the first to see it. */
  readonly oracles: readonly string[];
}

/**
 * The owner is cut off until another process has taken over, and the log loses just what that one
 * has appended: the former owner comes back as the log ends with its own entry again.
 */
const cut = { kind: 'partition', machine: ownerMachine, durationMs: 1_850, strength: 0.5 } as const;
const lost = { kind: 'nats-epoch', machine: 1, durationMs: 100, strength: 0.5 } as const;
const cutAtFormerOwner = [1_900, 1_920, 1_940, 1_960, 1_980, 2_000].flatMap(
  (afterMs, round): readonly Fault[] => [
    { atMs: 700 + 4_000 * round, ...cut },
    { atMs: 700 + 4_000 * round + afterMs, ...lost },
  ],
);

/** NATS restarts while the owner is cut off, which holds its lease while another takes over. */
const held = {
  kind: 'partition',
  machine: ownerMachine,
  durationMs: 4_500,
  strength: 0.5,
} as const;
const restarted = { kind: 'nats-down', machine: 1, durationMs: 20, strength: 0.5 } as const;
const ownerTakenForGone = [0, 1, 2, 3, 4, 5].flatMap((round): readonly Fault[] => [
  { atMs: 300 + round * 12_000, ...held },
  { atMs: 600 + round * 12_000, ...restarted },
]);

export const planted: readonly Planted[] = [
  {
    name: 'a journal write is acknowledged before it is durable',
    file: 'src/journal/journal-writer.ts',
    from: 'await options.disk.openDurable(path)',
    to: 'await options.disk.openForReading(path)',
    profile: 'alone',
    faults: ['power'],
    ticks: 6_000,
    seeds: 5,
    oracles: ['O5', 'O6', 'O8', 'O12'],
  },
  {
    name: 'a damaged record and all that follows it are cut off',
    file: 'src/journal/journal-tail.ts',
    from: 'await requireTorn(file, torn, position);',
    to: 'if (last < 0) await requireTorn(file, torn, position);',
    profile: 'alone',
    faults: ['journal-bit', 'kill'],
    ticks: 6_000,
    seeds: 10,
    oracles: ['O5', 'O12'],
  },
  {
    name: 'a process reads without asking how far the log goes',
    file: 'src/cluster/cluster-exchange.ts',
    from: 'await this.catchUp();',
    to: 'await Promise.resolve();',
    profile: 'cluster',
    faults: [],
    ticks: 6_000,
    seeds: 3,
    oracles: ['O6'],
  },
  {
    name: 'an owner reads by its lease alone',
    file: 'src/cluster/cluster-exchange.ts',
    from: 'await this.catchUp();',
    to: 'if (!this.isOwner) await this.catchUp();',
    profile: 'cluster',
    faults: [],
    plan: ownerTakenForGone,
    ticks: 24_000,
    seeds: 2,
    oracles: ['O6'],
  },
  {
    name: 'a request that arrives twice is taken twice',
    file: 'src/cluster/request-server.ts',
    from: 'if (numbers.has(request)) {',
    to: 'if (numbers.refusalOf(request) !== null) {',
    profile: 'cluster',
    faults: ['requests'],
    ticks: 12_000,
    seeds: 5,
    oracles: ['O5'],
  },
  {
    name: 'a request that was sent before is sent to the next owner without asking the log',
    file: 'src/cluster/request-forwarder.ts',
    from: 'if (pending.attempts === 1) {',
    to: 'if (pending.attempts > 0) {',
    profile: 'cluster',
    faults: ['requests', 'stop', 'slow-network'],
    ticks: 20_000,
    seeds: 60,
    oracles: ['O5'],
  },
  {
    name: 'an owner goes on in a later start of the server without asking who has claimed an epoch',
    file: 'src/cluster/restore-log-end.ts',
    from: 'return claimed === own.epoch ?',
    to: 'return claimed !== undefined ?',
    profile: 'cluster',
    faults: [],
    plan: cutAtFormerOwner,
    clients: 8,
    ticks: 20_000,
    seeds: 40,
    oracles: ['O5', 'O12', 'O14'],
  },
  {
    name: 'a log that has lost its end ends the processes that hold it',
    file: 'src/cluster/log-place.ts',
    from: 'await this.find();\n      return;',
    to: "this.#options.onFatal(new Error('the log lacks what the journal has'));",
    profile: 'cluster',
    faults: ['nats-tail'],
    ticks: 6_000,
    seeds: 5,
    oracles: ['O12', 'O14'],
  },
  {
    name: 'a clock that is ahead is taken as it comes',
    file: 'src/sequencer/exchange-clock.ts',
    from: 'if (ahead > closeMs) return 0;',
    to: 'if (ahead > closeMs) return ahead;',
    profile: 'alone',
    faults: ['clock-step'],
    ticks: 12_000,
    seeds: 10,
    oracles: ['O11'],
  },
  {
    name: 'the follower applies a command at the time of the one before',
    file: 'src/sequencer/journal-follower.ts',
    from: 'machine.apply(command, { sequence, timestamp })',
    to: 'machine.apply(command, { sequence, timestamp: this.#timestamp })',
    profile: 'alone',
    faults: [],
    ticks: 6_000,
    seeds: 2,
    oracles: ['O9'],
  },
  {
    name: 'what the database already holds stays in the memory of the follower',
    file: 'src/sequencer/outcome-reader.ts',
    from: '    ring.forget(this.#released);\n',
    to: '',
    profile: 'alone',
    faults: ['kill'],
    ticks: 12_000,
    seeds: 6,
    oracles: ['O12'],
  },
  {
    name: 'a deposit is credited as often as it is reported',
    file: 'src/engine/wallet/apply-wallet-command.ts',
    from: '  if (number < due) return null;\n  if (number !== due)',
    to: '  if (number > due)',
    profile: 'wallet',
    faults: ['kill', 'database-aborts'],
    ticks: 10_000,
    seeds: 5,
    oracles: ['O1'],
  },
  {
    name: 'a withdrawal is signed before its amount is set aside',
    file: 'src/application/wallet/request-withdrawal.ts',
    from: 'const isReserved = await reserve(ports, draft);',
    to: 'const isReserved = ports.chainId > 0;',
    profile: 'wallet',
    faults: [],
    ticks: 10_000,
    seeds: 2,
    oracles: ['O1', 'O12'],
  },
  {
    name: 'the amount of a withdrawal that has expired is not given back',
    file: 'src/application/wallet/follow-withdrawal.ts',
    from: "return reopen;\n      if (funds === 'reserved') return giveBack;",
    to: "return reopen;\n      if (funds === 'reserved') return payOut;",
    profile: 'wallet',
    faults: ['chain-fork'],
    ticks: 10_000,
    seeds: 10,
    oracles: ['O1', 'O12'],
  },
  {
    name: 'the rules are raised although they are held back',
    file: 'src/sequencer/sequencer.ts',
    from: "if (areRulesHeld) return logger.info({ rules: from, newest: to }, 'newer rules are on hold');",
    to: 'if (areRulesHeld && to === 0) return logger.info({}, "");',
    profile: 'upgrade',
    faults: ['kill-owner'],
    ticks: 20_000,
    seeds: 10,
    oracles: ['O12'],
  },
  {
    name: 'what was decided before an upgrade is decided again by the newest rules',
    file: 'src/sequencer/outcome-history.ts',
    from: 'requireRules(this.#options.snapshots.knownRules,',
    to: 'requireRules({ oldestRules: machine.rules + 1, newestRules: machine.rules + 1 },',
    profile: 'upgrade',
    faults: ['database-down', 'kill'],
    ticks: 20_000,
    seeds: 10,
    oracles: ['O9', 'O12'],
  },
  {
    name: 'an unfinished write counts as damage',
    file: 'src/journal/journal-tail.ts',
    from: 'await requireTorn(file, torn, position);',
    to: "throw damage(torn, position, 'it is not whole');",
    profile: 'alone',
    faults: ['out-of-memory'],
    ticks: 6_000,
    seeds: 10,
    oracles: ['O12'],
  },
  {
    name: 'a process stays when its engine has stopped',
    file: 'src/sequencer/sequencer.ts',
    from: '    this.#running?.pipeline.fail(error);\n    this.#options.onFatal(error);',
    to: '    this.#running?.pipeline.fail(error);',
    profile: 'alone',
    faults: ['listener-fails'],
    ticks: 3_000,
    seeds: 3,
    oracles: ['O10', 'O12'],
  },
  {
    name: 'a batch that the database refuses counts as written',
    file: 'src/database/projector/projector.ts',
    from: 'await connection.write(position, batch);',
    to: 'await connection.write(position, batch).catch(() => 0);',
    profile: 'alone',
    faults: ['database-read-only'],
    ticks: 3_000,
    seeds: 3,
    oracles: ['O9', 'O12'],
  },
  {
    name: 'a batch of which nothing was heard counts as written',
    file: 'src/database/projector/projector.ts',
    from: 'await connection.write(position, batch);',
    to: 'await connection.write(position, batch).catch(() => 0);',
    profile: 'alone',
    faults: ['database-hangs'],
    ticks: 3_000,
    seeds: 3,
    oracles: ['O9', 'O12'],
  },
  {
    name: 'the last group of a journal counts as durable at a start',
    file: 'src/journal/recovery.ts',
    from: '    await rewriteLastGroup(file, position);\n',
    to: '',
    profile: 'alone',
    faults: ['disk-error', 'power'],
    ticks: 6_000,
    seeds: 10,
    oracles: ['O5', 'O6', 'O12'],
  },
  {
    name: 'a segment is used before its folder is synced',
    file: 'src/journal/segment.ts',
    from: 'segmentPath(folder, header.ordinal));\n  await disk.syncFolder(folder);',
    to: 'segmentPath(folder, header.ordinal));',
    profile: 'alone',
    faults: ['crash'],
    ticks: 12_000,
    seeds: 20,
    oracles: ['O5', 'O6', 'O12'],
  },
  {
    name: 'a journal that ends before the database does is taken',
    file: 'src/database/projector/journal-end.ts',
    from: 'if (journalEnd >= position) return;',
    to: 'if (journalEnd >= 0) return;',
    profile: 'alone',
    faults: ['older-folder'],
    ticks: 4_000,
    seeds: 5,
    oracles: ['O5', 'O6', 'O9', 'O12'],
  },
  {
    name: 'what one provider says is enough',
    file: 'src/chain/node/quorum/providers.ts',
    from: 'return this.#options.quorum;',
    to: 'return 1;',
    profile: 'wallet',
    faults: ['node-lies'],
    ticks: 8_000,
    seeds: 5,
    oracles: ['O1', 'O12', 'crash'],
  },
  {
    name: 'a payment that the vault has not made counts as made',
    file: 'src/application/wallet/follow-withdrawal.ts',
    from: "return reopen;\n      if (funds === 'reserved') return giveBack;",
    to: "return reopen;\n      if (funds === 'reserved') return payOut;",
    profile: 'wallet',
    faults: ['payments-revert'],
    ticks: 8_000,
    seeds: 5,
    oracles: ['O1', 'O12'],
  },
  {
    name: 'a chain that leaves many blocks counts as another one',
    file: 'src/chain/events/block-follower.ts',
    from: 'if (number - 1 < oldestNumber(state)) return',
    to: 'if (number < cursorOf(state).number - 4) return',
    profile: 'wallet',
    faults: ['deep-fork'],
    ticks: 8_000,
    seeds: 5,
    oracles: ['O12', 'crash'],
  },
];
