import { Command } from 'commander';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { HttpConnection } from './http-connection.ts';
import { signIn } from './sign-in.ts';

// npm run sign-in: a token for a wallet, to try the API with curl. Development only: wallets of
// real money sign in a browser or on a device, never with a key on a command line.

const command = new Command('sign-in')
  .description('Sign in to a running server and print the token.')
  .option('--url <url>', 'the server', 'http://127.0.0.1:8080')
  .option('--private-key <hex>', "the wallet's key; without: a new wallet");

command.parse();
const { url, privateKey } = command.opts<{ url: string; privateKey?: `0x${string}` }>();

const connection = new HttpConnection(url, 1);
try {
  const account = privateKeyToAccount(privateKey ?? generatePrivateKey());
  const token = await signIn(connection, account);
  console.error(`signed in as ${account.address}`);
  console.log(token);
} catch (error) {
  console.error(`sign-in: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  connection.close();
}
