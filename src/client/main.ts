import { Command, Option } from 'commander';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { isUnreachable } from './exchange-client.ts';
import { HttpConnection } from './http-connection.ts';
import { signIn } from './sign-in.ts';

// npm run sign-in: prints a token for a wallet, to try the API with curl. Development only: wallets
// with real money sign in a browser or on a device, never with a key on a command line.

const command = new Command('sign-in')
  .description('Sign in to a running server and print the token.')
  .option('--url <url>', 'the server; default: this machine, at the port')
  .addOption(new Option('--port <port>', 'its port on this machine').env('PORT').default('8080'))
  .option('--private-key <hex>', "the wallet's key; default: a new wallet");

command.parse();
const options = command.opts<{ url?: string; port: string; privateKey?: `0x${string}` }>();
const { url = `http://127.0.0.1:${options.port}`, privateKey } = options;

const connection = new HttpConnection(url, 1);
try {
  const account = privateKeyToAccount(privateKey ?? generatePrivateKey());
  const token = await signIn(connection, account);
  console.error(`signed in as ${account.address}`);
  console.log(token);
} catch (error) {
  console.error(`sign-in: ${describe(error)}`);
  process.exitCode = 1;
} finally {
  connection.close();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isUnreachable(error)) return error.message;
  return `no server responds at ${url}; start one with "npm start", or name it with --url`;
}
