import { readFileSync } from 'node:fs';
import { Command } from 'commander';

// The arguments after `npm start --`.

export interface StartOptions {
  /** Runs demo traders in the development markets; null for none. */
  readonly demo: { readonly isRanked: boolean } | null;
}

interface DemoFlags {
  readonly demo?: boolean;
  readonly demoRanked?: boolean;
}

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Parses the arguments. Ends the process after --help, --version, or a message about an unknown
 * option.
 *
 * @param argv as in `process.argv`.
 */
export function parseStartOptions(argv: readonly string[]): StartOptions {
  const command = new Command('openbourse')
    .description('Start the exchange. Its settings are environment variables.')
    .usage('[options]        (npm start -- [options])')
    .option('--demo', 'run demo traders in the development markets')
    .option('--demo-ranked', 'the same, and include them in leaderboards and statistics')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', settingsHelp)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error:/, 'openbourse:')),
    })
    .allowExcessArguments(false)
    .parse(argv);
  const { demo, demoRanked: isRanked = false } = command.opts<DemoFlags>();
  return { demo: demo === true || isRanked ? { isRanked } : null };
}

const settingsHelp = `
Frequently used settings (docs/operations.md lists all):
  PORT              where to listen, 8080
  HOST              the address to listen on, 127.0.0.1
  DATA_DIR          the folder of journal, database and secrets, ./data
  TESTNET_ONLY      true: test money by faucet
  ADMIN_API_KEY     opens the administrator's endpoints
  LOG_FORMAT        json or pretty; default: pretty on a terminal
  DATABASE_URL      a PostgreSQL of your own instead of the embedded one

Example:
  TESTNET_ONLY=true npm start -- --demo`;
