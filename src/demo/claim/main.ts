import { ApiError } from '@openbourse/client';
import { Command } from 'commander';
import { isUnreachable } from '../../client/exchange-client.ts';
import { type OwnService, startOwnService } from './own-service.ts';
import { runDemoClaim } from './run-demo-claim.ts';

// npm run demo:claim: follows a commission from the trade to the wallet, prints every step and
// compares every amount.

const command = new Command('demo:claim')
  .description(
    'Play a commission from the trade to the wallet: against a running server with TESTNET_ONLY=true ' +
      'and its development chain, or against one that is started for it.',
  )
  .option('--url <url>', 'a running server; without: one is started and removed afterwards');

command.parse();
const { url } = command.opts<{ url?: string }>();

let service: OwnService | null = null;
try {
  if (url === undefined) {
    console.log('starting a separate server; --url names a running one');
    service = await startOwnService();
  }
  const print = (line: string): void => console.log(line);
  const printWait = (line: string): void => console.error(line);
  await runDemoClaim({ url: url ?? service?.url ?? '', print, printWait });
} catch (error) {
  console.error(`demo:claim: ${describe(error)}`);
  process.exitCode = 1;
} finally {
  await service?.stop();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnreachable(error)) return `no server responds at ${url}`;
  const isFaucetOff = error instanceof ApiError && error.code === 'DISABLED';
  return isFaucetOff ? 'the server has no faucet: start it with TESTNET_ONLY=true' : error.message;
}
