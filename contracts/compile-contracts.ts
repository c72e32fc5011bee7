import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles the contracts with npm's solc, so that the same sources give the same bytes on every
// machine: no metadata, no source paths, fixed optimizer and EVM rules (as in foundry.toml).

export interface CompiledContract {
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Creation code, as 0x and hex, to which the constructor's arguments are appended. */
  readonly bytecode: string;
  /** The code on the chain, with zeros in the place of immutables. */
  readonly runtime: string;
  readonly runtimeBytes: number;
  /** The offsets of immutables in the runtime code, in bytes. */
  readonly immutables: readonly { readonly start: number; readonly length: number }[];
  /** The storage slot of each variable; of a mapping, the slot that its keys are hashed with. */
  readonly slots: Readonly<Record<string, number>>;
}

export const contractsFolder = fileURLToPath(new URL('.', import.meta.url));
export const contractNames = [
  'ReferralRebate',
  'ReferralRebateV1',
  'RewardRouter',
  'RewardRouterV1',
  'SpotVault',
  'SpotVaultV1',
  'TestDF',
  'TestUSDT',
  'Timelock',
] as const;

interface CompilerMessage {
  readonly severity: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

export interface CompilerOutput {
  readonly errors?: readonly CompilerMessage[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: {
                readonly object: string;
                readonly immutableReferences: Readonly<
                  Record<string, CompiledContract['immutables']>
                >;
              };
            };
            readonly storageLayout: {
              readonly storage: readonly { readonly label: string; readonly slot: string }[];
            };
          }
        >
      >
    >
  >;
}

interface Compiler {
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string;
}

const require = createRequire(import.meta.url);

/** @throws Error with the compiler's own text if a source does not compile. */
export function compileContracts(): readonly CompiledContract[] {
  const compiler = require('solc') as Compiler;
  const output = JSON.parse(
    compiler.compile(JSON.stringify(compilerInput(buildOutputs)), { import: readDependency }),
  ) as CompilerOutput;
  const problems = (output.errors ?? []).filter(isOurs).map((message) => message.formattedMessage);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return contractNames.map((name) => {
    const folder = name.endsWith('V1') ? 'src/version1' : 'src';
    const contract = output.contracts?.[`${folder}/${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`no contract ${name} came out of the compiler`);
    return {
      name,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      runtimeBytes: contract.evm.deployedBytecode.object.length / 2,
      immutables: Object.values(contract.evm.deployedBytecode.immutableReferences).flat(),
      runtime: `0x${contract.evm.deployedBytecode.object}`,
      slots: Object.fromEntries(
        contract.storageLayout.storage.map(({ label, slot }) => [label, Number(slot)]),
      ),
    };
  });
}

// Warnings about the audited libraries are left to their authors; errors count everywhere.
function isOurs({ severity, sourceLocation }: CompilerMessage): boolean {
  return severity === 'error' || sourceLocation?.file.startsWith('@') !== true;
}

const buildOutputs = {
  '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode', 'storageLayout'],
};

/** The compiler's input: these outputs of every source. */
export function compilerInput(outputs: Readonly<Record<string, readonly string[]>>): unknown {
  const folder = join(contractsFolder, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => [`src/${file}`, { content: readFileSync(join(folder, file), 'utf8') }]);
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources) as unknown,
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': outputs },
    },
  };
}

/** The text of a library's source, or the reason why there is none. */
export function readDependency(path: string): { contents: string } | { error: string } {
  if (!path.startsWith('@openzeppelin/contracts/')) return { error: `unexpected import ${path}` };
  return { contents: readFileSync(require.resolve(path), 'utf8') };
}

/** The outputs of a contract that the repository stores, by folder. */
export function artifactsOf(contract: CompiledContract): Readonly<Record<string, unknown>> {
  const { abi, bytecode, runtime, immutables, slots } = contract;
  return { abi, bytecode: { bytecode, runtime, immutables }, storage: slots };
}

/** The compiler's output for a standard JSON with all of its sources. */
export function compileStandard(input: string): CompilerOutput {
  const noFile = () => ({ error: 'every source stands in the input' });
  const compiler = require('solc') as Compiler;
  return JSON.parse(compiler.compile(input, { import: noFile })) as CompilerOutput;
}

interface StandardInput {
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: unknown;
}

/** The standard JSON that compiles to exactly this code, with the libraries' sources. */
export function standardInput(): StandardInput {
  const input = compilerInput(buildOutputs) as StandardInput;
  const sources = { ...input.sources };
  const waiting = Object.entries(sources);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, { content }] = next;
    for (const [, imported = ''] of content.matchAll(/^import [^;]*?"([^"]+)";/gm)) {
      const name = imported.startsWith('.') ? posix.join(posix.dirname(path), imported) : imported;
      if (name in sources) continue;
      const answer = readDependency(name);
      if ('error' in answer) throw new Error(answer.error);
      sources[name] = { content: answer.contents };
      waiting.push([name, sources[name]]);
    }
  }
  return { ...input, sources };
}
