import { Command, Option } from 'commander';
import type { Hex, PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainSigner } from '../src/chain/signers/chain-signer.ts';
import { createSigner } from '../src/chain/signers/signer-settings.ts';
import { buildConfig } from '../src/config/config.ts';
import { type DeploymentManifest, loadManifest } from '../src/config/deployment-manifest.ts';
import { readEnvironment } from '../src/config/env.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { parseAddress } from '../src/domain/identifiers.ts';
import { createLogger } from '../src/observability/log.ts';
import { adoptVault } from './deployment/adopt-vault.ts';
import { checkDeployment } from './deployment/check.ts';
import { planFirstVersionMigration, requireSameTokens } from './deployment/first-version-plan.ts';
import { firstVersionSteps } from './deployment/first-version-steps.ts';
import { findNextStep, type MigrationRun, migrate } from './deployment/migration.ts';
import {
  type MigrationPlan,
  planMigration,
  type Replaceable,
} from './deployment/migration-plan.ts';
import { stepsOf, type Waiting } from './deployment/migration-steps.ts';
import { loadDeploymentConfig } from './deployment/plan.ts';
import { connectToSeveral, readPending } from './deployment/run-plan.ts';
import { oldReleaseSigner } from './deployment/sign-old-release.ts';

// npm run contracts:migrate -- --rpc URL --from FILE --to FILE [--config FILE]
//   [--dry-run | --confirm HASH]
// npm run contracts:migrate -- --rpc URL --adopt ADDRESS

interface Options {
  readonly rpc: string;
  readonly from?: string;
  readonly to?: string;
  readonly adopt?: string;
  readonly only?: Replaceable;
  readonly config?: string;
  readonly dryRun?: true;
  readonly confirm?: string;
}

/** The exit code if people have to do something before the next run. */
const waitingExitCode = 3;

const command = new Command('contracts:migrate')
  .description('Replace the router and the vault by successors that go on with their numbers.')
  .requiredOption('--rpc <url>', 'nodes of the chain, comma-separated, that have to agree')
  .option('--from <file>', 'the manifest of the contracts that are replaced')
  .option('--to <file>', "where the successors' manifest goes")
  .addOption(
    new Option('--only <contract>', 'replace one of them').choices(['rewardRouter', 'spotVault']),
  )
  .option('--config <file>', 'replace contracts of the first version by what a deploy.json says')
  .option('--adopt <address>', 'end the withdrawals that are open with a former vault')
  .option('--dry-run', 'show every step and send nothing')
  .option('--confirm <hash>', 'go on with the plan that a dry run has shown')
  .addHelpText(
    'after',
    `
The key that deploys stands in DEPLOYER_PRIVATE_KEY, the settler in SETTLER_SIGNER (and
SIGNER_TOKEN) as for the service, which is stopped meanwhile; with --config also the old
contracts' operator in VAULT_SIGNER. A run does what can be done,
prints what people have to send by their own wallets, and ends with ${waitingExitCode}; the next run goes
on from there, also after a crash. It ends with 0 when the new manifest is written.`,
  )
  .allowExcessArguments(false)
  .parse();

async function main({ from, to, adopt, ...options }: Options): Promise<number> {
  if (adopt !== undefined) return endOpenWithdrawals(options.rpc, adopt);
  if (from === undefined || to === undefined) throw new Error('--from and --to are required');
  return replaceContracts({ ...options, from, to });
}

/** Uses the database and the vault of the service's settings. */
async function endOpenWithdrawals(rpc: string, address: string): Promise<number> {
  const vault = parseAddress(address);
  if (vault === null) throw new Error(`--adopt ${address} is no address`);
  const { chain, databaseUrl, dataDir } = buildConfig(readEnvironment());
  const successor = parseAddress(chain.spotVaultAddress ?? '');
  if (successor === null) throw new Error('SPOT_VAULT_ADDRESS is not set');
  const finality = chain.deployment?.finality ?? 'confirmations';
  const logger = createLogger('error');
  const database = await openDatabase({ url: databaseUrl, dataDir, logger });
  try {
    const open = await adoptVault({
      client: connectToSeveral(rpc, chain.chainId),
      pool: database.accounts,
      vault,
      successor,
      confirmations: chain.confirmations,
      finality: finality === 'confirmations' ? null : finality,
      now: () => new Date(),
      tell: print,
    });
    return open === 0 ? 0 : waitingExitCode;
  } finally {
    await database.stop();
  }
}

type Replacement = Options & { readonly from: string; readonly to: string };

async function replaceContracts(options: Replacement): Promise<number> {
  const from = read(options.from);
  const client = connectToSeveral(options.rpc, from.chainId);
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
  const terms = { client, from, deployer: deployer.address, firstNonce };
  const isDry = options.dryRun === true;
  const prepared =
    options.config === undefined
      ? await prepareSuccession(terms, options.only)
      : await prepareFirstVersion(terms, options.config, isDry);
  const { plan } = prepared;
  if (isDry) {
    await showNext(client, prepared);
    return 0;
  }
  if (options.confirm !== plan.hash) {
    throw new Error(`nothing was sent; --confirm ${plan.hash} goes on with this plan`);
  }
  const settler = signerOf('SETTLER_SIGNER', prepared.successors.roles?.settler);
  const path = options.to;
  const run = { client, ...prepared, deployer, settler, pendingPath, path, tell: print };
  const waiting = await migrate(run);
  if (waiting === null) {
    print(`written: ${path}`);
    return 0;
  }
  showWaiting(waiting);
  return waitingExitCode;
}

/** The signer of a setting, which must be the one of a manifest. */
function signerOf(name: string, wanted: string | undefined): ChainSigner {
  const setting = process.env[name] ?? '';
  const signer = createSigner(name, setting, process.env['SIGNER_TOKEN'] ?? null);
  if (signer.address === wanted) return signer;
  throw new Error(`${name} is ${signer.address}, not the ${wanted ?? 'none'} of the manifest`);
}

type Prepared = Pick<MigrationRun, 'from' | 'plan' | 'successors' | 'stepsOf'>;

interface PreparationTerms {
  readonly client: PublicClient;
  readonly from: DeploymentManifest;
  readonly deployer: Hex;
  readonly firstNonce: number;
}

async function prepareSuccession(
  { client, ...terms }: PreparationTerms,
  only: Replaceable | undefined,
): Promise<Prepared> {
  const { from } = terms;
  const replaced = only === undefined ? bothKinds : [only];
  const plan = await planMigration(client, { ...terms, replaced });
  return { from, plan, successors: from, stepsOf };
}

async function prepareFirstVersion(
  { client, from, deployer, firstNonce }: PreparationTerms,
  path: string,
  isDry: boolean,
): Promise<Prepared> {
  const config = loadDeploymentConfig(path);
  await requireSameTokens(client, from, config);
  const plan = planFirstVersionMigration({ from, config, deployer, firstNonce });
  const roles = { ...config.manifest.roles!, owner: plan.timelock };
  const { settlementMax } = config;
  const successors = { ...config.manifest, settlementMax, startBlock: from.startBlock, roles };
  const vault = from.contracts.spotVault.address as Hex;
  const coldWallet = roles.coldWallet as Hex;
  const signRelease = isDry
    ? null
    : oldReleaseSigner(client, {
        vault,
        coldWallet,
        signer: signerOf('VAULT_SIGNER', from.roles?.vaultSigner),
      });
  return {
    // The old contracts, with the assets and the role holders of their successors.
    from: { ...successors, contracts: from.contracts },
    plan,
    successors,
    stepsOf: (context) => firstVersionSteps(context, signRelease),
  };
}

async function showNext(client: PublicClient, prepared: Prepared): Promise<void> {
  showPlan(prepared.plan);
  const next = await findNextStep({ client, ...prepared });
  print(`next: ${next?.name ?? 'nothing, all is done'}`);
  const waiting = next?.waiting ?? null;
  if (waiting !== null) showWaiting(waiting);
  print(`plan: ${prepared.plan.hash}`);
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
  for (const { name, to, creates, data, args } of steps) {
    print(`${name}: ${creates ?? to ?? ''}, ${data.length / 2 - 1} bytes of calldata`);
    if (args !== undefined) print(`  constructor ${args}`);
    print(`  ${data}`);
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
