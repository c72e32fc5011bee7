import { Command } from 'commander';
import { buildConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { openDatabase } from './database/open-database.ts';
import { rewrapSecrets } from './database/stores/rewrap-secrets.ts';
import { SecretBox } from './database/stores/secret-box.ts';
import { createLogger } from './observability/log.ts';

// npm run rotate-secrets

new Command('rotate-secrets')
  .description(
    'Seal the secrets of all API keys under NEXT_SECRETS_KEY, with the exchange stopped. ' +
      'Afterwards set SECRETS_KEY to that value.',
  )
  .parse();

try {
  const environment = readEnvironment();
  const next = environment.NEXT_SECRETS_KEY;
  if (next === null) throw new Error('NEXT_SECRETS_KEY is not set');
  const { databaseUrl, dataDir, secretsKey } = buildConfig(environment);
  const logger = createLogger('error');
  const database = await openDatabase({ url: databaseUrl, dataDir, logger });
  try {
    const boxes = { from: new SecretBox(secretsKey), to: new SecretBox(next) };
    const { rewrapped, unchanged } = await rewrapSecrets(database.accounts, boxes);
    console.log(`${rewrapped} secrets sealed under the next key, ${unchanged} already were`);
  } finally {
    await database.stop();
  }
} catch (error) {
  console.error(`rotate-secrets: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
