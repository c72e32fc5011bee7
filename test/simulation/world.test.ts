import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalDamageError } from '../../src/journal/journal-damage.ts';
import { listSourceFiles, projectRoot } from '../architecture/source-files.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { marks } from './marks/marks.ts';
import { BoundsOracle } from './world/bounds-oracle.ts';
import { damageKinds } from './world/fault-kinds.ts';
import { History, Violation } from './world/history.ts';
import type { Machine } from './world/machine.ts';
import { OrderHistory, type OrderVerdict } from './world/order-history.ts';
import { type Outcome, type Plan, profiles, simulate } from './world/simulate.ts';
import { requireExplained } from './world/words-oracle.ts';

const ticks = 6_000;

function planOf(seed: number, profile: Plan['profile'], more: Partial<Plan> = {}): Plan {
  return { seed, profile, processes: 3, ticks, faults: null, kinds: null, ...more };
}

async function expectSound(plan: Plan): Promise<Outcome> {
  const outcome = await simulate(plan);
  const { violation, notes } = outcome;
  const found = violation === null ? '' : `${violation.oracle}: ${violation.message}`;
  expect(found, `${JSON.stringify(plan)}\n${notes.slice(-30).join('\n')}`).toBe('');
  expect(outcome.acknowledged).toBeGreaterThan(5);
  return outcome;
}

const seeds = Array.from({ length: 6 }, (_, index) => index + 1);

describe('the whole exchange in a simulated world', () => {
  it.each(seeds)(
    'simulation: a process alone keeps every promise under the faults of seed %i',
    async (seed) => {
      await expectSound(planOf(seed, 'alone'));
    },
  );

  it.each(seeds)(
    'simulation: three processes keep every promise under the faults of seed %i',
    async (seed) => {
      await expectSound(planOf(seed, 'cluster'));
    },
  );

  it.each(seeds)(
    'simulation: the gateways of three processes keep every promise under the faults of seed %i',
    async (seed) => {
      await expectSound(planOf(seed, 'gateway', { ticks: 10_000 }));
    },
  );

  it.each([2, 6, 10])(
    'simulation: the gateway of a process alone keeps every promise under the faults of seed %i',
    async (seed) => {
      await expectSound(planOf(seed, 'gateway', { ticks: 10_000, processes: 1 }));
    },
  );

  it.each([1, 3])(
    'simulation: the HTTP servers of three processes keep every promise under the faults of seed %i, and do the same again',
    async (seed) => {
      const plan = planOf(seed, 'inject', { ticks: 8_000 });
      const { hash } = await expectSound(plan);
      expect((await simulate(plan)).hash).toBe(hash);
    },
  );

  it.each(seeds)(
    'simulation: deposits and withdrawals are paid once under the faults of seed %i, with one process and with three',
    async (seed) => {
      await expectSound(planOf(seed, 'wallet', { ticks: 15_000, processes: 1 }));
      await expectSound(planOf(seed, 'wallet', { ticks: 15_000 }));
    },
  );

  it.each(seeds.slice(0, 5))(
    'simulation: all processes are replaced by a later version while clients trade under the faults of seed %i',
    async (seed) => {
      await expectSound(planOf(seed, 'upgrade', { ticks: 15_000 }));
    },
  );

  it.each(damageKinds)(
    'simulation: what a disk loses or changes on its own by %s is refused or comes back',
    async (kind) => {
      const outcomes = [];
      for (const profile of ['alone', 'cluster'] as const) {
        outcomes.push(await expectSound(planOf(12, profile, { kinds: [kind, 'kill'] })));
        outcomes.push(await expectSound(planOf(5, profile, { kinds: [kind, 'kill'] })));
        outcomes.push(await expectSound(planOf(7, profile, { kinds: [kind, 'kill'] })));
      }
      const restored = outcomes
        .flatMap(({ notes }) => notes)
        .filter((line) => /restored$/.test(line));
      expect(restored.length).toBeGreaterThan(0);
    },
  );

  it.each([17, 20, 83])(
    'simulation: nothing is lost though the log repeatedly loses its end, with seed %i',
    async (seed) => {
      const kinds = ['nats-tail', 'kill', 'pause'] as const;
      await expectSound(planOf(seed, 'cluster', { ticks: 20_000, kinds }));
    },
  );

  it('simulation: the same seed gives the same run, a different seed a different one', async () => {
    const hashes = new Set<number>();
    for (const profile of profiles) {
      for (const seed of [2, 12]) {
        const { hash } = await expectSound(planOf(seed, profile));
        expect((await expectSound(planOf(seed, profile))).hash).toBe(hash);
        hashes.add(hash);
      }
    }
    expect(hashes.size).toBe(2 * profiles.length);
  });

  it("simulation: no timer, socket or file is open except the scheduler's own", async () => {
    const before = process.getActiveResourcesInfo().sort();
    await expectSound(planOf(12, 'cluster'));
    const after = process.getActiveResourcesInfo().sort();
    const left = after.filter((name) => name !== 'Immediate').length;
    expect(left).toBeLessThanOrEqual(before.filter((name) => name !== 'Immediate').length);
  });
});

/** What judges a run: the twins, the rules and the oracles over histories, time and bounds. */
const oracleFiles = [
  /history\.ts$/,
  /-oracle\.ts$/,
  /stream-reader\.ts$/,
  /\/naive-[a-z-]+\.ts$/,
  /-rules\.ts$/,
  /payers\.ts$/,
];
/** A cast, two assertions and the number of the newest rules. */
const notRules = ['toAmount', 'assert', 'assertNever', 'rulesVersion'];

describe('the oracles of the simulated world', () => {
  it('oracles: none of them imports the rules that it checks', () => {
    const oracles = listSourceFiles('test/simulation').filter(({ path }) =>
      oracleFiles.some((pattern) => pattern.test(path)),
    );
    expect(oracles.length).toBeGreaterThan(20);
    const rules = oracles.flatMap((file) =>
      [...file.text.matchAll(/^import (?!type)([^;]*?) from '[^']*\/src\/[^']+';/gm)]
        .flatMap(([, names = '']) => names.split(/[{},]/).map((name) => name.trim()))
        .filter((name) => name !== '' && !name.startsWith('type ') && !notRules.includes(name))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(rules).toEqual([]);
  });

  it('oracles: each detects its fault', () => {
    const oracleOf = (act: (history: History) => void): string => {
      const history = new History();
      history.acknowledge('a', 1 as never);
      try {
        act(history);
        return 'nothing';
      } catch (error) {
        return error instanceof Violation ? error.oracle : String(error);
      }
    };
    const at = (sequence: number, id: string) => ({ sequence, timestamp: 0, id });
    expect(oracleOf((history) => history.judge([at(1, 'a')]))).toBe('nothing');
    expect(oracleOf((history) => history.acknowledge('b', 1 as never))).toBe('O5');
    expect(oracleOf((history) => history.acknowledge('a', 2 as never))).toBe('O5');
    expect(oracleOf((history) => history.judge([at(1, 'b')]))).toBe('O5');
    expect(oracleOf((history) => history.judge([at(1, 'a'), at(2, 'a')]))).toBe('O5');
    expect(oracleOf((history) => history.judge([]))).toBe('O5');
    expect(
      oracleOf((history) => {
        history.refuse('b');
        history.judge([at(1, 'a'), at(2, 'b')]);
      }),
    ).toBe('O5');
    expect(oracleOf((history) => history.read(1 as never, 0 as never, 'x'))).toBe('O6');
    expect(
      oracleOf((history) => {
        history.compare(1, 'one state', 'x');
        history.compare(1, 'another', 'y');
      }),
    ).toBe('O8');
  });
});

describe('the oracle of signed orders', () => {
  const made = { kind: 'made', orderId: 'one' } as const;

  function judge(verdicts: readonly OrderVerdict[], journal: readonly (string | null)[]): string {
    const history = new OrderHistory();
    try {
      for (const verdict of verdicts) {
        history.send('a');
        history.hear('a', verdict);
      }
      const orderId = journal.at(-1) ?? null;
      history.judge(new Map([['a', { count: journal.length, orderId }]]));
      return 'nothing';
    } catch (error) {
      return error instanceof Violation ? error.oracle : String(error);
    }
  }

  it('oracles: the end of a process is explained by a table of the documents', () => {
    const judge = (error: Error, ...words: readonly string[]) => requireExplained(error, words);
    judge(new JournalDamageError('/journal/00000001.segment', 512, 'record 1 is damaged'));
    judge(new Error('it broke'), 'the engine stopped: no command is acknowledged');
    expect(() => judge(new Error('it broke'))).toThrow('no table of the documents explains');
    expect(() => judge(new Error('it broke'), 'could not start')).toThrow(
      'it broke; could not start',
    );
  });

  it('oracles: what waits and what is in a folder stays within its limits', () => {
    const sizes = { waitingMax: 20, snapshotEvery: 50, outcomesKeptMax: 16, segmentBytes: 16_384 };
    const judge = (waiting: number, ...names: readonly string[]): void => {
      const files = new Map(names.map((name) => [name, Buffer.alloc(1_024)]));
      const process = { cluster: null, sequencer: { statistics: { waiting } } };
      const machine = { number: 1, process, disk: { files: () => files } };
      new BoundsOracle(sizes, false).judge(machine as unknown as Machine);
    };
    const named = (count: number, ending: string) =>
      Array.from({ length: count }, (_, index) => `${index}.${ending}`);
    expect(() => judge(20, ...named(2, 'segment'), ...named(6, 'snapshot'))).not.toThrow();
    expect(() => judge(21)).toThrow('21 commands wait at process 1; the limit is 20');
    expect(() => judge(0, ...named(7, 'snapshot'))).toThrow('7 snapshots are kept');
    expect(() => judge(0, ...named(3, 'segment'))).toThrow('3 segments are unused');
    expect(() => judge(0, ...named(3, 'tmp'))).toThrow('3 files are unfinished');
  });

  it('oracles: a signed order is in the journal as its answers say', () => {
    expect(judge([made, made], ['one'])).toBe('nothing');
    expect(judge([{ kind: 'refused' }, made], ['one'])).toBe('nothing');
    expect(judge([{ kind: 'unknown' }, { kind: 'refused' }], ['one'])).toBe('nothing');
    expect(judge([{ kind: 'rejected' }, { kind: 'repeated' }], [null])).toBe('nothing');
    expect(judge([made], ['one', 'one'])).toBe('O5');
    expect(judge([made], ['another'])).toBe('O5');
    expect(judge([made], [])).toBe('O5');
    expect(judge([made, { kind: 'made', orderId: 'another' }], ['one'])).toBe('O5');
    expect(judge([{ kind: 'refused' }], ['one'])).toBe('O5');
    expect(judge([{ kind: 'repeated' }], [])).toBe('O5');
    expect(judge([{ kind: 'rejected' }], ['one'])).toBe('O5');
  });

  it('oracles: an order is shown in states that it had, in order', () => {
    const states = new Map([['one', ['new', 'filled']]]);
    const judgeSights = (...sights: readonly string[]): string => {
      const history = new OrderHistory();
      for (const sight of sights) history.see('one', sight);
      try {
        history.judgeSights(states);
        return 'nothing';
      } catch (error) {
        return error instanceof Violation ? error.oracle : String(error);
      }
    };
    expect(judgeSights('new', 'new', 'filled')).toBe('nothing');
    expect(judgeSights('filled', 'new')).toBe('O6');
    expect(judgeSights('canceled')).toBe('O6');
  });
});

describe('npm run simulate, as in docs/simulation.md', () => {
  async function runBlock(name: string): Promise<string> {
    const text = readNamedBlocks('docs/simulation.md').get(name);
    expect(text).toBeDefined();
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-simulate-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const env = { ...process.env, TMPDIR: folder };
    const { stdout } = await promisify(execFile)('bash', ['-euc', text!], {
      cwd: projectRoot,
      env,
    });
    return stdout;
  }

  it('simulate: two runs of a seed are the same', async () => {
    const output = await runBlock('simulate-seed');
    expect(output).toContain('seed 7 cluster: sound');
    expect(output).toContain('the same again');
  });

  it('simulate: a number of commands across all profiles', async () => {
    const output = await runBlock('simulate-budget');
    const [, total] = /^(\d+) commands in \d+ s: /m.exec(output) ?? [];
    expect(Number(total)).toBeGreaterThanOrEqual(5_000);
    for (const profile of [...profiles, 'engine']) expect(output).toMatch(` ${profile}`);
  }, 300_000);

  it('marks: each occurs in the file that it names', async () => {
    expect(marks.length).toBeGreaterThanOrEqual(80);
    for (const mark of marks) {
      const [file = '', text = ''] = mark.split(/: (.*)/s);
      const source = await readFile(join(projectRoot, file), 'utf8');
      for (const part of text.split('…')) expect(source, mark).toContain(part);
    }
  });

  it('simulate: some faults, a process alone, and the engine with its twins', async () => {
    const output = await runBlock('simulate-profiles');
    expect(output).toContain('seed 3 alone: sound');
    expect(output).toContain('seed 1 engine: sound');
  });
});
