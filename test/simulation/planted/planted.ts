import { type Fault, type FaultKind, ownerMachine } from '../world/faults.ts';
import type { Profile } from '../world/simulate.ts';

/** A fault put into a copy of the exchange, which the simulator has to find. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly profile: Profile | 'engine';
  readonly faults: readonly FaultKind[];
  /** These instead of faults that the seed draws, with every seed. */
  readonly plan?: readonly Fault[];
  /** Of the engine; absent: as many as the seed draws. */
  readonly clients?: number;
  readonly ticks: number;
  /** Within this many seeds, from 1 on. */
  readonly seeds: number;
  /** Those that may be the first to see it. */
  readonly oracles: readonly string[];
}

/**
 * The owner is cut off until another process has taken over, and the log loses just what that one
 * has appended: the former owner comes back as the log ends with its own entry again.
 */
const cutAtFormerOwner: readonly Fault[] = [
  { atMs: 700, kind: 'partition', machine: ownerMachine, durationMs: 1_900, strength: 0.5 },
  { atMs: 2_660, kind: 'nats-epoch', machine: 1, durationMs: 100, strength: 0.5 },
];

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
    from: 'if (!this.isOwner) await this.catchUp();',
    to: 'if (!this.isOwner) await Promise.resolve();',
    profile: 'cluster',
    faults: [],
    ticks: 6_000,
    seeds: 3,
    oracles: ['O6'],
  },
  {
    name: 'an owner reads without the lease',
    file: 'src/cluster/cluster-exchange.ts',
    from: "return this.#role === 'owner' && this.#joined!.lease.isHeld;",
    to: "return this.#role === 'owner';",
    profile: 'cluster',
    faults: ['pause', 'partition', 'one-way'],
    ticks: 20_000,
    seeds: 20,
    oracles: ['O6'],
  },
  {
    name: 'history waits for what the own journal holds only',
    file: 'src/cluster/acknowledged-sequence.ts',
    from: 'return exchange.sequencer.appliedSequence;',
    to: 'return exchange.durableSequence;',
    profile: 'gateway',
    faults: ['disk-slow'],
    ticks: 20_000,
    seeds: 10,
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
    file: 'src/cluster/regain-log.ts',
    from: 'return claimed === own.epoch ?',
    to: 'return claimed !== undefined ?',
    profile: 'cluster',
    faults: [],
    plan: cutAtFormerOwner,
    clients: 16,
    ticks: 5_000,
    seeds: 40,
    oracles: ['O5', 'O12'],
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
    name: 'the same signed order is made again at another process',
    file: 'src/sequencer/command-pipeline.ts',
    from: '    this.#requests.note(command, digest, stamp.timestamp, rules);\n',
    to: '',
    profile: 'gateway',
    faults: [],
    ticks: 8_000,
    seeds: 2,
    oracles: ['O5'],
  },
  {
    name: 'snapshots do not keep which signed orders were accepted',
    file: 'src/sequencer/journal-follower.ts',
    from: '      requests.note(command, reader.digest, timestamp, machine.rules);\n',
    to: '',
    profile: 'gateway',
    faults: ['kill'],
    ticks: 12_000,
    seeds: 20,
    oracles: ['O5', 'O8'],
  },
  {
    name: 'a finished order is read before the database holds it',
    file: 'src/application/trading/load-spot-order.ts',
    from: '  await ports.barrier.waitFor(sequence);\n',
    to: '',
    profile: 'gateway',
    faults: ['database-slow'],
    ticks: 8_000,
    seeds: 3,
    oracles: ['O6'],
  },
  {
    name: 'a reader who fell behind goes on without a snapshot',
    file: 'src/gateway/ws/hub.ts',
    from: 'for (const topic of listener.topics) this.#writeSnapshot(listener.connection, topic);\n    this.#regroup',
    to: 'this.#regroup',
    profile: 'gateway',
    faults: [],
    ticks: 8_000,
    seeds: 5,
    oracles: ['O7'],
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
    from: "if (funds === 'completed') return [reopen, release];\n      return funds === 'reserved' ? [giveBack]",
    to: "if (funds === 'completed') return [reopen, release];\n      return funds === 'reserved' ? [payOut]",
    profile: 'wallet',
    faults: ['chain-fork'],
    ticks: 10_000,
    seeds: 10,
    oracles: ['O1'],
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
];
