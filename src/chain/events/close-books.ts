import { erc20Abi } from 'viem';
import type {
  AccountBooks,
  BlockReference,
  ChainBooks,
  TokenBooks,
} from '../../application/ports-chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import { loadAccounted, loadReleaseNonce, loadRewardNonce } from '../reading/proven-views.ts';
import { loadSupported } from '../signing/check-chain.ts';

// Counted events are never simply trusted: after each poll they are compared with the contracts'
// own books at the last counted block. A withheld log, or a row written by hand, shows as a
// difference.

const accountsAtOnce = 20;

type Connection = Pick<ChainConnection, 'node' | 'contracts' | 'tokens' | 'version'>;

/** A difference between what is counted and the contract's own number. */
export interface BookDifference {
  readonly text: string;
  /** Null where it is about an account. */
  readonly token: Address | null;
  /** What the contract has of the token beyond what is counted, in its smallest unit. */
  readonly rawAmount: bigint;
}

/**
 * Compares the books and returns a description of every difference.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function closeBooks(
  connection: Connection,
  books: ChainBooks,
  { block, accounts }: { readonly block: BlockReference; readonly accounts: readonly Address[] },
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
    return { text, token, rawAmount: accounted - rawAmount };
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
  return { text, token, rawAmount: held - rawAmount };
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
    differences.push(...found.filter((each) => each !== null));
  }
  return differences;
}

async function compareAccount(
  connection: Connection,
  counted: AccountBooks,
  { hash }: BlockReference,
): Promise<BookDifference | null> {
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
  const differing = (
    [
      ['deposits', deposits, counted.deposits],
      ['releases', releases, counted.releases],
      ['redemptions', redemptions, counted.redemptions],
    ] as const
  ).find(([, onChain, here]) => onChain !== BigInt(here));
  if (differing === undefined) return null;
  const [what, onChain, here] = differing;
  const text = `${counted.account} has ${onChain} ${what} on chain, counted are ${here}`;
  return { text, token: null, rawAmount: 0n };
}
