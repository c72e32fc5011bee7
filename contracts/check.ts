import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Hex } from 'viem';
import { loadManifest } from '../src/config/deployment-manifest.ts';
import { standardInput } from './compile-contracts.ts';
import { checkDeployment } from './deployment/check.ts';
import { connect } from './deployment/run-plan.ts';

// npm run contracts:check -- --rpc URL --manifest deployments/42161.json [--deployer ADDRESS]

interface Options {
  readonly rpc: string;
  readonly manifest: string;
  readonly deployer?: string;
  readonly standardJson?: string;
}

const command = new Command('contracts:check')
  .description('Compare code, roles, limits, ownership and proofs on a chain with a manifest.')
  .requiredOption('--rpc <url>', 'nodes of the chain, comma-separated, that have to agree')
  .requiredOption('--manifest <file>', 'what should be there')
  .option('--deployer <address>', 'who must be left without any role')
  .option('--standard-json <file>', 'write what an explorer verifies the sources with')
  .allowExcessArguments(false)
  .parse();

const { rpc, manifest: path, deployer = null, standardJson } = command.opts<Options>();
const parsed = loadManifest(path);
if ('problems' in parsed) command.error(`contracts:check: ${parsed.problems.join('; ')}`);
const { manifest } = parsed as Extract<typeof parsed, { readonly manifest: unknown }>;
const problems = await checkDeployment(connect(rpc), {
  manifest,
  deployer: deployer as Hex | null,
}).catch((error: unknown) =>
  command.error(`contracts:check: ${error instanceof Error ? error.message : String(error)}`),
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'all as the manifest says\n' : '');
if (standardJson !== undefined) {
  writeFileSync(standardJson, `${JSON.stringify(standardInput(), null, 2)}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
