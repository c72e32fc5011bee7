import { erc20Abi } from 'viem';
import type {
  AccountBooks,
  BlockReference,
  ChainBooks,
  TokenBooks,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import { loadAccounted, loadReleaseNonce, loadRewardNonce } from '../reading/proven-views.ts';
import { loadSupported } from '../signing/check-chain.ts';
import { type BookDifference } from './book-difference.ts';
import { closeRouter } from './close-router.ts';

// Counted events are never simply trusted: after each poll they are compared with the contracts'
// own books at the last counted block. A withheld log, or a row written by hand, shows as a
// difference.

const accountsAtOnce = 20;

type Connection = Pick<ChainConnection, 'node' | 'contracts' | 'tokens' | 'version'>;

interface Closing {
  readonly block: BlockReference;
  readonly accounts: readonly Address[];
}

/**
 * Compares the books of both contracts and returns a description of every difference.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function closeBooks(
  connection: Connection,
  books: ChainBooks,
  closing: Closing,
): Promise<readonly BookDifference[]> {
  return [
    ...(await closeVault(connection, books, closing)),
    ...(await closeRouter(connection, books.router, closing.block)),
  ];
}

async function closeVault(
  connection: Connection,
  books: ChainBooks,
  { block, accounts }: Closing,
): Promise<readonly BookDifference[]> {
  const counted = await books.load(block, accounts);
  if (counted === null) return [];
  const known = connection.tokens.map(({ address }) => address);
  if (counted.needOpening && connection.version === 2) {
    // A token that is unknown to the exchange now may be added later.
    const tokens = withAll(counted.tokens, [
      ...known,
      ...(await loadSupported(connection.node, connection.contracts.spotVault)),
    ]);
    const openings = await Promise.all(
      tokens.map(async ({ token, rawAmount }) => {
        const held = await loadAccounted(connection, { token, blockHash: block.hash });
        return { token, rawAmount: held - rawAmount };
      }),
    );
    await books.open(block, openings);
    return compareAccounts(connection, counted.accounts, block);
  }
  const ofAccounts = await compareAccounts(connection, counted.accounts, block);
  const ofTokens = await compareTokens(connection, withAll(counted.tokens, known), block);
  if (ofTokens.length === 0) return ofAccounts;
  // Sums of old rows are cached, and blocks that the chain has left may have changed them.
  const whole = await books.load(block, accounts, true);
  if (whole === null) return ofAccounts;
  const remaining = await compareTokens(connection, withAll(whole.tokens, known), block);
  return [
    ...remaining,
    ...ofAccounts,
    ...(await compareAccounts(connection, whole.accounts, block)),
  ];
}

async function compareTokens(
  connection: Connection,
  tokens: readonly TokenBooks[],
  block: BlockReference,
): Promise<readonly BookDifference[]> {
  const found = await Promise.all(tokens.map((token) => compareToken(connection, token, block)));
  return found.filter((each) => each !== null);
}

function withAll(counted: readonly TokenBooks[], known: readonly Address[]): readonly TokenBooks[] {
  const isMissing = (address: Address) => !counted.some(({ token }) => token === address);
  const missing = [...new Set(known)].filter(isMissing);
  return [...counted, ...missing.map((token) => ({ token, rawAmount: 0n }))];
}

async function compareToken(
  connection: Connection,
  { token, rawAmount }: TokenBooks,
  block: BlockReference,
): Promise<BookDifference | null> {
  const { node, contracts, version } = connection;
  if (version === 2) {
    const accounted = await loadAccounted(connection, { token, blockHash: block.hash });
    if (accounted === rawAmount) return null;
    const text = `the vault accounts for ${accounted} of ${token}, counted are ${rawAmount}`;
    return { text, what: 'accounted', of: token, amount: accounted - rawAmount };
  }
  // The first version keeps no books, but it cannot hold less than what came in minus what went
  // out.
  const held = await readContract(node, {
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [toHexAddress(contracts.spotVault)],
    at: { blockHash: block.hash },
  });
  if (held >= rawAmount) return null;
  const text = `the vault holds ${held} of ${token}, counted are ${rawAmount}`;
  return { text, what: 'accounted', of: token, amount: held - rawAmount };
}

async function compareAccounts(
  connection: Connection,
  accounts: readonly AccountBooks[],
  block: BlockReference,
): Promise<readonly BookDifference[]> {
  const differences: BookDifference[] = [];
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    const some = accounts.slice(start, start + accountsAtOnce);
    const found = await Promise.all(some.map((each) => compareAccount(connection, each, block)));
    differences.push(...found.flat());
  }
  return differences;
}

async function compareAccount(
  connection: Connection,
  counted: AccountBooks,
  { hash }: BlockReference,
): Promise<readonly BookDifference[]> {
  const { node, contracts } = connection;
  const asked = { account: counted.account, blockHash: hash };
  const [deposits, releases, redemptions] = await Promise.all([
    readContract(node, {
      address: contracts.spotVault,
      abi: spotVaultAbi,
      functionName: 'depositCount',
      args: [toHexAddress(counted.account)],
      at: { blockHash: hash },
    }),
    loadReleaseNonce(connection, asked),
    loadRewardNonce(connection, asked),
  ]);
  return (
    [
      ['deposits', deposits, counted.deposits],
      ['releases', releases, counted.releases],
      ['redemptions', redemptions, counted.redemptions],
    ] as const
  ).flatMap(([what, onChain, here]) => {
    const amount = onChain - BigInt(here);
    if (amount === 0n) return [];
    const text = `${counted.account} has ${onChain} ${what} on chain, counted are ${here}`;
    return [{ text, what, of: counted.account, amount }];
  });
}
