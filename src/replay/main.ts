import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isUnreachable } from '../client/exchange-client.ts';
import { type ReplayOptions, type ReplayProgress, replayFlow } from './replay-flow.ts';
import { formatReport, isMoneyConserved } from './report-replay.ts';

// npm run replay -- <file>: sends a recorded order flow through a running service, as many signed
// traders.

const tradersMin = 2;
// The remaining time is estimated from this many steps.
const progressStepsForGuess = 2000;

const command = new Command('replay')
  .description('Send recorded order flow (LOBSTER csv, plain or .gz) through a running server.')
  .argument('<file>', 'the recorded messages')
  .option('--url <url>', 'the server', 'http://127.0.0.1:8080')
  .addOption(
    new Option('--admin-key <key>', "the server's admin key")
      .env('ADMIN_API_KEY')
      .makeOptionMandatory(),
  )
  .option(
    '--traders <count>',
    'signed traders among whom orders are divided',
    atLeast(tradersMin),
    20,
  )
  .option('--limit <count>', 'messages to read; default: all', atLeast(1))
  .option('--concurrency <count>', 'concurrent requests', atLeast(1), 16)
  .option('--speed <factor>', 'recorded seconds per second; default: as fast as possible', positive)
  .option('--base-token <token>', 'the base token', 'AMZN')
  .option('--quote-token <token>', 'the quote token', 'USDT');

command.parse();
interface CommandOptions extends Omit<ReplayOptions, 'file' | 'limit' | 'speed'> {
  readonly limit?: number;
  readonly speed?: number;
}
const options = command.opts<CommandOptions>();
const [file = ''] = command.args;

try {
  const report = await replayFlow(
    {
      ...options,
      file,
      limit: options.limit ?? Number.POSITIVE_INFINITY,
      speed: options.speed ?? null,
    },
    terminalProgress(),
  );
  console.log(formatReport(report));
  process.exitCode = isMoneyConserved(report) ? 0 : 1;
} catch (error) {
  console.error(`replay: ${describeFailure(error)}`);
  process.exitCode = 1;
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isUnreachable(error) ? `no server responds at ${options.url}; see --url` : error.message;
}

function terminalProgress(): ReplayProgress {
  let bar: SingleBar | null = null;
  let startedAt = 0;
  let count = 0;
  return {
    start: (stage, total) => {
      const format = `${stage.padEnd(8)} {bar} {percentage}% {value}/{total} {rate}/s, {eta_formatted} left`;
      // Without a terminal a line is printed every two seconds instead of a bar.
      bar = new SingleBar({
        format,
        hideCursor: true,
        noTTYOutput: true,
        notTTYSchedule: 2000,
        etaBuffer: progressStepsForGuess,
      });
      startedAt = performance.now();
      count = 0;
      bar.start(total, 0, { rate: 0 });
    },
    step: () => {
      count += 1;
      const seconds = (performance.now() - startedAt) / 1000;
      bar?.increment(1, { rate: Math.round(count / seconds) });
    },
    stop: () => {
      bar?.stop();
      bar = null;
    },
  };
}

function atLeast(minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= minimum) return value;
    throw new InvalidArgumentError(`must be a whole number of at least ${minimum}`);
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0');
}
