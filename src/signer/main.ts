import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { openKeys } from './keys/open-keys.ts';
import { createPkcs11Key } from './keys/pkcs11-key.ts';
import { readSecret } from './keys/read-secret.ts';
import { loadPolicy, type SignerPolicy } from './policy-file.ts';
import { requireWithinManifest } from './policy-limits.ts';
import { createSignerLog, openSignerLog, verifySignerLog } from './signer-log.ts';
import { startSignerServer } from './signer-server.ts';
import { SigningService } from './signing-service.ts';

// `npm run signer`: the process that holds the keys and signs what signer.json allows.

interface Located {
  readonly policy: SignerPolicy;
  /** Resolves a path of the policy relative to the policy file. */
  readonly pathOf: (path: string) => string;
}

function load(path: string): Located {
  const folder = dirname(resolve(path));
  return { policy: loadPolicy(path), pathOf: (each) => resolve(folder, each) };
}

async function start(path: string): Promise<void> {
  const located = load(path);
  const { policy, pathOf } = located;
  requireWithinManifest(policy, policy.manifest === undefined ? null : pathOf(policy.manifest));
  const keys = await openKeys(policy.keys, pathOf);
  const log = openSignerLog(pathOf(policy.log));
  const now = () => Math.floor(Date.now() / 1_000);
  const service = new SigningService({ policy, log, keys, now });
  const token = policy.tokenFile === null ? null : readSecret(pathOf(policy.tokenFile));
  const { listen } = policy;
  const server = await startSignerServer(service, { listen, token });
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      server.close(() => log.close());
      server.closeAllConnections();
    });
  }
  process.stdout.write(`${JSON.stringify({ listening: listen, ...service.health })}\n`);
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
program
  .command('create-log')
  .description('create a log: once, or after two people have found out why the last one is lost')
  .action(() => {
    const { policy, pathOf } = load(program.opts<{ policy: string }>().policy);
    createSignerLog(pathOf(policy.log), Math.floor(Date.now() / 1_000));
    process.stdout.write(`${pathOf(policy.log)}\n`);
  });
program
  .command('create-key')
  .description('make a key in a PKCS#11 token, which never leaves it, and print its address')
  .requiredOption('--module <path>', "the hardware's library")
  .requiredOption('--token <label>', 'label of the token')
  .requiredOption('--label <label>', 'label of the key')
  .requiredOption('--pin-file <path>', 'a file with the PIN')
  .action(
    async ({ pinFile, ...place }: Record<'module' | 'token' | 'label' | 'pinFile', string>) => {
      const { address } = await createPkcs11Key({ ...place, pin: readSecret(pinFile) });
      process.stdout.write(`${address}\n`);
    },
  );

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
