import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { formatEther, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { AnvilMissingError } from '../src/chain/development/anvil-process.ts';
import { listUrls } from './deployment/agreed-transport.ts';
import { acceptanceCalls, writeManifest } from './deployment/finish.ts';
import { type DeploymentPlan, loadDeploymentConfig, planDeployment } from './deployment/plan.ts';
import { connectToSeveral, readPending, runPlan } from './deployment/run-plan.ts';
import { simulatePlan } from './deployment/simulate-plan.ts';

// npm run contracts:deploy -- --rpc URL --config deploy.json [--dry-run | --confirm HASH]

interface Options {
  readonly rpc: string;
  readonly config: string;
  readonly folder: string;
  readonly dryRun?: true;
  readonly confirm?: string;
}

const command = new Command('contracts:deploy')
  .description('Deploy the contracts under a timelock and write their manifest.')
  .requiredOption('--rpc <url>', 'nodes of the chain, comma-separated, that have to agree')
  .requiredOption('--config <file>', 'roles, limits and assets')
  .option('--folder <folder>', 'where the manifest goes', 'deployments')
  .option('--dry-run', 'show every step and send nothing')
  .option('--confirm <hash>', 'go on with the plan that a dry run has shown')
  .addHelpText('after', '\nThe key that deploys stands in DEPLOYER_PRIVATE_KEY.')
  .allowExcessArguments(false)
  .parse();

async function main(options: Options): Promise<void> {
  const config = loadDeploymentConfig(options.config);
  const { chainId } = config.manifest;
  const client = connectToSeveral(options.rpc, chainId);
  const actual = await client.getChainId();
  if (actual !== chainId) throw new Error(`the node serves chain ${actual}, not ${chainId}`);
  const key = process.env['DEPLOYER_PRIVATE_KEY'] ?? '';
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) {
    throw new Error('DEPLOYER_PRIVATE_KEY must be 0x and 64 hex digits');
  }
  const account = privateKeyToAccount(key as `0x${string}`);
  mkdirSync(options.folder, { recursive: true });
  const pendingPath = join(options.folder, `${chainId}.pending.json`);
  const path = join(options.folder, `${chainId}.json`);
  const pending = readPending(pendingPath);
  const firstNonce =
    pending?.firstNonce ?? (await client.getTransactionCount({ address: account.address }));
  const plan = planDeployment(config, account.address, firstNonce);
  showPlan(plan);
  if (pending === null) await showCost(client, plan, options.rpc);
  if (options.dryRun === true) return print(`plan: ${plan.hash}`);
  if (options.confirm !== plan.hash) {
    throw new Error(`nothing was sent; --confirm ${plan.hash} goes on with this plan`);
  }
  const receipts = await runPlan(client, account, plan, pendingPath);
  await writeManifest(client, config, { plan, receipts, path });
  const calls = acceptanceCalls(plan, config.timelockSeconds);
  print(`written: ${path}`);
  print(`the council sends, at once: to ${calls.schedule.to} data ${calls.schedule.data}`);
  print(
    `anybody sends, ${config.timelockSeconds} s later: to ${calls.execute.to} data ${calls.execute.data}`,
  );
  print('then: npm run contracts:check');
}

async function showCost(client: PublicClient, plan: DeploymentPlan, rpc: string): Promise<void> {
  const block = await client.getBlockNumber();
  const simulated = await simulatePlan(listUrls(rpc), block, plan).catch((error: unknown) => {
    if (error instanceof AnvilMissingError) return print(`the gas is not known: ${error.message}`);
    throw error;
  });
  if (simulated === undefined) return;
  const gas = simulated.reduce((sum, step) => sum + step.gas, 0n);
  for (const step of simulated) print(`gas ${step.gas}: ${step.name}`);
  const { maxFeePerGas } = await client.estimateFeesPerGas();
  print(`all steps: gas ${gas}, at most ${formatEther(gas * maxFeePerGas)} at the present fees`);
}

function showPlan({ deployer, firstNonce, chainId, steps }: DeploymentPlan): void {
  print(`chain ${chainId}, deployer ${deployer}, first nonce ${firstNonce}`);
  for (const { name, to, creates, data, args } of steps) {
    print(`${name}: ${creates ?? to ?? ''}, ${data.length / 2 - 1} bytes of calldata`);
    if (args !== undefined) print(`  constructor ${args}`);
    print(`  ${data}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main(command.opts<Options>()).catch((error: unknown) =>
  command.error(`contracts:deploy: ${error instanceof Error ? error.message : String(error)}`),
);
