import type { FaultKind } from '../world/faults.ts';

/** A fault put into a copy of the exchange, which the simulator has to find. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly profile: 'alone' | 'cluster';
  readonly faults: readonly FaultKind[];
  readonly ticks: number;
  /** Within this many seeds, from 1 on. */
  readonly seeds: number;
  /** Those that may be the first to see it. */
  readonly oracles: readonly string[];
}

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
    name: 'a request that arrives twice is taken twice',
    file: 'src/cluster/request-server.ts',
    from: 'if (numbers.has(request)) return;',
    to: '',
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
    name: 'a request is sent again after the log was restored',
    file: 'src/cluster/request-forwarder.ts',
    from: 'if (isRestored) {',
    to: 'if (isRestored && pending.attempts === 0) {',
    profile: 'cluster',
    faults: ['nats-tail', 'kill-owner'],
    ticks: 20_000,
    seeds: 40,
    oracles: ['O5'],
  },
  {
    name: 'a process follows the log from its position, whatever stands before it',
    file: 'src/cluster/log-replica.ts',
    from: 'if (entry.after !== null && id !== null && entry.after !== id) {',
    to: 'if (id === undefined) {',
    profile: 'cluster',
    faults: ['nats-tail', 'kill', 'pause'],
    ticks: 20_000,
    seeds: 100,
    oracles: ['O5', 'O6', 'O8', 'O12'],
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
    seeds: 2,
    oracles: ['O12'],
  },
];
