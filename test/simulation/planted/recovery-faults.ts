import type { Change } from './plant.ts';

/**
 * A fault of starts, stops and upgrades, which one test of the exchange finds; planted.ts has those
 * that the simulator finds, of the follower after a crash and of the clock among them.
 */
export interface RecoveryFault extends Change {
  readonly testFile: string;
  /** The name of the test that fails. */
  readonly test: string;
}

export const recoveryFaults: readonly RecoveryFault[] = [
  {
    name: 'a snapshot of the state version below is refused',
    file: 'src/engine/snapshot/state-format.ts',
    from: 'stateVersionMin = 6;',
    to: 'stateVersionMin = stateVersion;',
    testFile: 'src/journal/snapshot-store.test.ts',
    test: 'snapshots: a snapshot of the previous version is used',
  },
  {
    name: 'old outcomes are made again by the newest rules only',
    file: 'src/sequencer/outcome-history.ts',
    from: 'requireRules(this.#options.snapshots.knownRules,',
    to: 'requireRules({ oldestRules: machine.rules + 1, newestRules: machine.rules + 1 },',
    testFile: 'src/sequencer/upgrade-rules.test.ts',
    test: 'upgrade of rules with the projector 1,000 commands behind',
  },
  {
    name: 'a stop waits 2 s for the projection, however it goes on',
    file: 'src/service/projection-wait.ts',
    from: 'if (position > held) since = now;',
    to: '',
    testFile: 'src/service/projection-wait.test.ts',
    test: 'a stop waits for a database that makes progress, as long as the supervisor allows',
  },
  {
    name: 'a start waits without a word',
    file: 'src/service/start-progress.ts',
    from: "log.warn({ waitsFor: this.waitsFor, seconds }, 'the service is still starting');",
    to: '',
    testFile: 'src/service/start-progress.test.ts',
    test: 'a start that waits logs the reason every 10 s until it is done',
  },
  {
    name: 'a power cut that leaves out only the length of a record counts as damage',
    file: 'src/journal/journal-tail.ts',
    from: ' && !hasLostLength(bytes, tail.offset)',
    to: '',
    testFile: 'src/journal/lost-sector.test.ts',
    test: 'a write that lost no more than the length of its record is unfinished',
  },
  {
    name: 'what was accepted before the first records with digests is accepted again',
    file: 'src/journal/known-requests.ts',
    from: 'this.#forgottenMs = Math.max(this.#forgottenMs, time - underWayMs);',
    to: '',
    testFile: 'src/sequencer/repeated-requests.test.ts',
    test: 'is refused as too old if it was accepted under rules whose records do not name it',
  },
  {
    name: 'a process reads from a restarted log before its owner has continued',
    file: 'src/cluster/log-place.ts',
    from: 'if (isOneServer && replica.logStart !== start) throw notReady();',
    to: '',
    testFile: 'src/cluster/lost-log-end.test.ts',
    test: 'a process that holds no more than what is left of the log serves no read',
  },
  {
    name: 'an owner with a full disk keeps its lease',
    file: 'src/cluster/candidacy.ts',
    from: 'if (!isEnough(await rollCall.ask(isEnough, null))) return false;',
    to: 'return false;',
    testFile: 'test/simulation/cluster-rows.test.ts',
    test: "row 18: the owner's disk is full",
  },
  {
    name: 'the database is migrated only once for each process',
    file: 'src/database/projector/projector.ts',
    from: '          this.#isPrepared = false;\n',
    to: '',
    testFile: 'test/simulation/replaced-database.test.ts',
    test: 'simulation: an empty or older database in place of the present one is written again, with alone',
  },
  {
    name: 'a request that was refused is taken where a copy arrives later',
    file: 'src/cluster/request-server.ts',
    from: '    numbers.add(request);\n    if (sequence > before) {',
    to: '    if (sequence > before) {\n      numbers.add(request);',
    testFile: 'src/cluster/request-numbers.test.ts',
    test: 'a refused number stays refused when another copy of it arrives',
  },
];
