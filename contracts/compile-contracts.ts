import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles the contracts with npm's solc, so that the same sources give the same bytes on every
// machine: no metadata, no source paths, fixed optimizer and EVM rules (as in foundry.toml).

export interface CompiledContract {
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Creation code, as 0x and hex, to which the constructor's arguments are appended. */
  readonly bytecode: string;
}

export const contractsFolder = fileURLToPath(new URL('.', import.meta.url));
export const contractNames = [
  'ReferralRebate',
  'RewardRouter',
  'SpotVault',
  'TestDF',
  'TestUSDT',
] as const;

interface CompilerMessage {
  readonly severity: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

interface CompilerOutput {
  readonly errors?: readonly CompilerMessage[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: { readonly bytecode: { readonly object: string } };
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

/** @throws Error with the compiler's own text where a source does not compile. */
export function compileContracts(): readonly CompiledContract[] {
  const compiler = require('solc') as Compiler;
  const output = JSON.parse(
    compiler.compile(JSON.stringify(compilerInput()), { import: readDependency }),
  ) as CompilerOutput;
  const problems = (output.errors ?? []).filter(isOurs).map((message) => message.formattedMessage);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return contractNames.map((name) => {
    const contract = output.contracts?.[`src/${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`no contract ${name} came out of the compiler`);
    return { name, abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
  });
}

// Warnings about the audited libraries are theirs to mend; errors count wherever they are.
function isOurs({ severity, sourceLocation }: CompilerMessage): boolean {
  return severity === 'error' || sourceLocation?.file.startsWith('@') !== true;
}

function compilerInput(): unknown {
  const folder = join(contractsFolder, 'src');
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => [
      `src/${basename(file)}`,
      { content: readFileSync(join(folder, file), 'utf8') },
    ]);
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources) as unknown,
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
}

function readDependency(path: string): { contents: string } | { error: string } {
  if (!path.startsWith('@openzeppelin/contracts/')) return { error: `unexpected import ${path}` };
  return { contents: readFileSync(require.resolve(path), 'utf8') };
}
