import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { contractsFolder, readDependency } from '../compile-contracts.ts';
import { type Mutant, plant } from './plant.ts';
import { readSyntax } from './syntax.ts';
import { writeHarnesses } from './unit-harness.ts';

/** The sources into which faults are planted: all that moves money or checks permissions. */
const mutatedFiles = [
  'Guarded.sol',
  'LeakyWindow.sol',
  'Predecessor.sol',
  'ReferralRebate.sol',
  'RewardRouter.sol',
  'SpotVault.sol',
] as const;

type ForgeReport = Readonly<
  Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>
>;

interface ForgeRun {
  readonly report: ForgeReport;
  readonly errors: string;
}

const invariantFiles = '**/*.invariant.t.sol';
// Enough to find a mutant; the suite itself runs more of them.
const invariantRuns = '4';
const guardPath = '@openzeppelin/contracts/utils/ReentrancyGuard.sol';

/** A copy of the contracts and their tests with all mutants in it. */
export class Workshop {
  readonly mutants: readonly Mutant[];
  readonly #folder: string;
  readonly #forge: string;

  constructor(forge: string) {
    this.#forge = forge;
    this.#folder = mkdtempSync(join(tmpdir(), 'openbourse-mutants-'));
    this.mutants = this.#write();
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #write(): readonly Mutant[] {
    for (const part of ['src', 'test', 'foundry.toml', 'solc.mjs']) {
      const copy = join(this.#folder, 'contracts', part);
      cpSync(join(contractsFolder, part), copy, { recursive: true });
    }
    const { resolve } = createRequire(import.meta.url);
    const modules = dirname(dirname(dirname(resolve('@openzeppelin/contracts/package.json'))));
    symlinkSync(modules, join(this.#folder, 'node_modules'));
    const planted = plant(mutatedFiles, readSyntax());
    for (const { file, text } of planted) {
      writeFileSync(join(this.#folder, 'contracts', 'src', file), text);
    }
    this.#openGuard();
    return planted.flatMap(({ mutants }) => mutants);
  }

  // Its private functions are called by the modifiers that a mutant removes.
  #openGuard(): void {
    const answer = readDependency(guardPath);
    if ('error' in answer) throw new Error(answer.error);
    const file = join(this.#folder, 'opened', guardPath);
    mkdirSync(dirname(file), { recursive: true });
    const text = answer.contents
      .replaceAll(/(function _nonReentrant\w+\(\)) private/g, '$1 internal')
      .replaceAll('"./', '"@openzeppelin/contracts/utils/');
    writeFileSync(file, text);
  }

  /**
   * The mutants that tests of single functions find, without fuzzing.
   * @throws Error if the compiler refuses, or a test fails without a mutant
   */
  async findByUnitTests(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
    const ids = [0, ...mutants.map(({ id }) => id)];
    for (const { file, text } of writeHarnesses(ids)) {
      writeFileSync(join(this.#folder, 'contracts', 'test', file), text);
    }
    const terms = ['--match-test', '^test_mutant', '--gas-limit', '9223372036854775807'];
    const { report, errors } = await this.#run(0, terms);
    const failed = new Set<string>();
    let count = 0;
    for (const { test_results: results } of Object.values(report)) {
      for (const [name, { status }] of Object.entries(results)) {
        count += 1;
        if (status !== 'Success') failed.add(name);
      }
    }
    if (count === 0 || count % ids.length !== 0) throw new Error(`forge judges nothing: ${errors}`);
    if (failed.has('test_mutant0()')) throw new Error('the tests fail without a mutant');
    return new Set(mutants.filter(({ id }) => failed.has(`test_mutant${id}()`)));
  }

  /** Whether fuzz tests or invariants find the mutant; 0 is none. */
  async isFoundByFuzzing(id: number): Promise<boolean> {
    const fuzz = ['--match-test', '^testFuzz', '--no-match-path', '**/*.mutants.t.sol'];
    const terms = [fuzz, ['--match-path', invariantFiles]];
    for (const each of terms) {
      const { report, errors } = await this.#run(id, ['--fail-fast', ...each]);
      const results = Object.values(report).flatMap(({ test_results: tests }) =>
        Object.values(tests),
      );
      if (results.length === 0) throw new Error(`forge judges nothing: ${errors}`);
      if (results.some(({ status }) => status === 'Failure')) return true;
    }
    return false;
  }

  async #run(id: number, terms: readonly string[]): Promise<ForgeRun> {
    const remappings = [
      `${guardPath}=opened/${guardPath}`,
      '@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/',
    ].flatMap((mapping) => ['--remappings', mapping]);
    const awake = `0x${id.toString(16).padStart(64, '0')}`;
    const flags = ['--root', '.', '--json', '--optimize', 'false', '--block-prevrandao', awake];
    const child = spawn(this.#forge, ['test', ...flags, ...remappings, ...terms], {
      cwd: this.#folder,
      env: {
        ...process.env,
        FOUNDRY_CONFIG: join(this.#folder, 'contracts', 'foundry.toml'),
        FOUNDRY_INVARIANT_RUNS: invariantRuns,
      },
    });
    const [output, errors] = await Promise.all([child.stdout, child.stderr].map(readAll));
    const start = output?.indexOf('{') ?? -1;
    const report = start < 0 ? {} : (JSON.parse(output?.slice(start) ?? '') as ForgeReport);
    return { report, errors: errors ?? '' };
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
