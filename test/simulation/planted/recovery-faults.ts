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
    test: 'snapshots: one of the version below is used',
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
];
