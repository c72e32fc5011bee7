import { Command } from 'commander';
import { formatEther, type Hex, parseEther } from 'viem';
import { loadManifest } from '../src/config/deployment-manifest.ts';
import { connect } from './deployment/run-plan.ts';

// npm run gas:topup -- --rpc URL --manifest deployments/42161.json

interface Options {
  readonly rpc: string;
  readonly manifest: string;
}

/** The settler's key is hot, so it never holds more than this. */
const daysMax = 10n;

const command = new Command('gas:topup')
  .description("Print the council's transaction that gives the settler coin for ten days.")
  .requiredOption('--rpc <url>', 'a node of the chain')
  .requiredOption('--manifest <file>', 'the settler, and the most that a day may cost')
  .addHelpText('after', '\nIt sends nothing itself.')
  .allowExcessArguments(false)
  .parse();

async function main({ rpc, manifest: path }: Options): Promise<void> {
  const loaded = loadManifest(path);
  if ('problems' in loaded) throw new Error(loaded.problems.join('; '));
  const { roles, feeCaps, chainId } = loaded.manifest;
  if (roles === undefined || feeCaps === undefined) {
    throw new Error(`${path} must name the roles and the feeCaps`);
  }
  const client = connect(rpc);
  const actual = await client.getChainId();
  if (actual !== chainId) throw new Error(`the node serves chain ${actual}, not ${chainId}`);
  const settler = roles.settler as Hex;
  const held = await client.getBalance({ address: settler });
  const perDay = parseEther(feeCaps.perDay);
  const missing = daysMax * perDay - held;
  print(`the settler ${settler} holds ${formatEther(held)}, of ${feeCaps.perDay} a day at most`);
  if (missing <= 0n) print('nothing to send: that is enough for ten days');
  else print(`the council sends: to ${settler} value ${missing} (${formatEther(missing)})`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main(command.opts<Options>()).catch((error: unknown) =>
  command.error(`gas:topup: ${error instanceof Error ? error.message : String(error)}`),
);
