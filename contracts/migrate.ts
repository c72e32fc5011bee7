import { Command, Option } from 'commander';
import { privateKeyToAccount } from 'viem/accounts';
import { createSigner } from '../src/chain/signers/signer-settings.ts';
import { type DeploymentManifest, loadManifest } from '../src/config/deployment-manifest.ts';
import { checkDeployment } from './deployment/check.ts';
import { findNextStep, migrate } from './deployment/migration.ts';
import {
  type MigrationPlan,
  planMigration,
  type Replaceable,
} from './deployment/migration-plan.ts';
import type { Waiting } from './deployment/migration-steps.ts';
import { connect, readPending } from './deployment/run-plan.ts';

// npm run contracts:migrate -- --rpc URL --from FILE --to FILE [--dry-run | --confirm HASH]

interface Options {
  readonly rpc: string;
  readonly from: string;
  readonly to: string;
  readonly only?: Replaceable;
  readonly dryRun?: true;
  readonly confirm?: string;
}

/** Ends with this where people have to do something before the next run. */
const waitingExitCode = 3;

const command = new Command('contracts:migrate')
  .description('Replace the router and the vault by successors that go on with their numbers.')
  .requiredOption('--rpc <url>', 'a node of the chain')
  .requiredOption('--from <file>', 'the manifest of the contracts that are replaced')
  .requiredOption('--to <file>', "where the successors' manifest goes")
  .addOption(
    new Option('--only <contract>', 'replace one of them').choices(['rewardRouter', 'spotVault']),
  )
  .option('--dry-run', 'show every step and send nothing')
  .option('--confirm <hash>', 'go on with the plan that a dry run has shown')
  .addHelpText(
    'after',
    `
The key that deploys stands in DEPLOYER_PRIVATE_KEY, the settler in SETTLER_SIGNER (and
SIGNER_TOKEN) as for the service, which is stopped meanwhile. A run does what can be done,
prints what people have to send by their own wallets, and ends with ${waitingExitCode}; the next run goes
on from there, also after a crash. It ends with 0 when the new manifest is written.`,
  )
  .allowExcessArguments(false)
  .parse();

async function main(options: Options): Promise<number> {
  const from = read(options.from);
  const client = connect(options.rpc);
  const key = process.env['DEPLOYER_PRIVATE_KEY'] ?? '';
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) {
    throw new Error('DEPLOYER_PRIVATE_KEY must be 0x and 64 hex digits');
  }
  const deployer = privateKeyToAccount(key as `0x${string}`);
  const pendingPath = `${options.to}.pending.json`;
  const pending = readPending(pendingPath);
  if (pending === null) {
    const problems = await checkDeployment(client, { manifest: from, deployer: deployer.address });
    if (problems.length > 0) throw new Error(`${options.from}: ${problems.join('; ')}`);
  }
  const firstNonce =
    pending?.firstNonce ?? (await client.getTransactionCount({ address: deployer.address }));
  const replaced = options.only === undefined ? bothKinds : [options.only];
  const terms = { from, replaced, deployer: deployer.address, firstNonce };
  const plan = await planMigration(client, terms);
  if (options.dryRun === true) {
    showPlan(plan);
    const next = await findNextStep({ client, from, plan });
    print(`next: ${next?.name ?? 'nothing, all is done'}`);
    const waiting = next?.waiting ?? null;
    if (waiting !== null) showWaiting(waiting);
    print(`plan: ${plan.hash}`);
    return 0;
  }
  if (options.confirm !== plan.hash) {
    throw new Error(`nothing was sent; --confirm ${plan.hash} goes on with this plan`);
  }
  const setting = process.env['SETTLER_SIGNER'] ?? '';
  const settler = createSigner('SETTLER_SIGNER', setting, process.env['SIGNER_TOKEN'] ?? null);
  if (settler.address !== from.roles?.settler) {
    throw new Error(`SETTLER_SIGNER is ${settler.address}, not the settler of ${options.from}`);
  }
  const path = options.to;
  const run = { client, from, plan, deployer, settler, pendingPath, path, tell: print };
  const waiting = await migrate(run);
  if (waiting === null) {
    print(`written: ${path}`);
    return 0;
  }
  showWaiting(waiting);
  return waitingExitCode;
}

const bothKinds = ['rewardRouter', 'spotVault'] as const;

function read(path: string): DeploymentManifest {
  const loaded = loadManifest(path);
  if ('manifest' in loaded) return loaded.manifest;
  throw new Error(loaded.problems.join('; '));
}

function showPlan({
  chainId,
  deployer,
  firstNonce,
  steps,
  ending,
  taking,
  timelock,
}: MigrationPlan) {
  print(`chain ${chainId}, deployer ${deployer}, first nonce ${firstNonce}`);
  for (const { name, to, creates, data } of steps) {
    print(`${name}: ${creates ?? to ?? ''}, ${data.length / 2 - 1} bytes of calldata`);
    if (creates === null) print(`  ${data}`);
  }
  for (const { to, data } of [...ending, ...taking])
    print(`timelock ${timelock}: to ${to} ${data}`);
}

function showWaiting({ reason, calls }: Waiting): void {
  print(`waits: ${reason}`);
  for (const { who, to, data } of calls) print(`${who} sends: to ${to} data ${data}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(command.opts<Options>()).catch((error: unknown) =>
  command.error(`contracts:migrate: ${error instanceof Error ? error.message : String(error)}`),
);
