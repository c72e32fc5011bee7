import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { privateKeyToAccount } from 'viem/accounts';
import { loadPolicy, type SignerPolicy } from './policy-file.ts';
import { openSignerLog, verifySignerLog } from './signer-log.ts';
import { startSignerServer } from './signer-server.ts';
import { SigningService } from './signing-service.ts';

// `npm run signer`: the process that holds the keys and signs what signer.json allows.

interface Located {
  readonly policy: SignerPolicy;
  /** Paths of the policy are meant from where it lies. */
  readonly pathOf: (path: string) => string;
}

function load(path: string): Located {
  const folder = dirname(resolve(path));
  return { policy: loadPolicy(path), pathOf: (each) => resolve(folder, each) };
}

function loadKeys({ policy, pathOf }: Located) {
  return new Map(
    policy.keys.map(({ role, address, file }) => {
      const digits = readFileSync(pathOf(file), 'utf8').trim().replace(/^0x/, '');
      if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new Error(`${file} holds no key`);
      const account = privateKeyToAccount(`0x${digits}`);
      if (account.address.toLowerCase() !== address) {
        throw new Error(`${file} holds the key of another address than ${address}`);
      }
      return [address, { role, account }] as const;
    }),
  );
}

async function start(path: string): Promise<void> {
  const located = load(path);
  const { policy, pathOf } = located;
  const keys = loadKeys(located);
  const log = openSignerLog(pathOf(policy.log));
  const now = () => Math.floor(Date.now() / 1_000);
  const service = new SigningService({ policy, log, keys, now });
  const token =
    policy.tokenFile === null ? null : readFileSync(pathOf(policy.tokenFile), 'utf8').trim();
  const { listen } = policy;
  const server = await startSignerServer(service, { listen, token });
  process.stdout.write(`${JSON.stringify({ listening: listen, ...service.health })}\n`);
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      server.close(() => log.close());
      server.closeAllConnections();
    });
  }
}

const program = new Command('signer').option('--policy <file>', 'the policy', 'signer.json');
program
  .command('start', { isDefault: true })
  .description('sign what the policy allows')
  .action(() => start(program.opts<{ policy: string }>().policy));
program
  .command('verify')
  .description('check every line of the log')
  .action(() => {
    const { policy, pathOf } = load(program.opts<{ policy: string }>().policy);
    const { head, entries } = verifySignerLog(pathOf(policy.log));
    process.stdout.write(`${entries.length} signatures, head ${head}\n`);
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
