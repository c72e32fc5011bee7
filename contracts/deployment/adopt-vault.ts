import { type Hex, type PublicClient, parseAbi } from 'viem';
import {
  endForeign,
  type ForeignEnd,
  type ForeignWithdrawal,
  listForeign,
} from '../../src/database/chain/foreign-withdrawals.ts';
import type { DatabasePool } from '../../src/database/database-pool.ts';
import type { Address } from '../../src/domain/identifiers.ts';

const vaultAbi = parseAbi([
  'function releaseNonce(address account) view returns (uint256)',
  'event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce)',
]);

export interface AdoptionTerms {
  readonly client: PublicClient;
  readonly pool: DatabasePool;
  /** The vault with which withdrawals are open. */
  readonly vault: Address;
  /** The vault of the settings. */
  readonly successor: Address;
  /** Only what is that deep is trusted. */
  readonly confirmations: number;
  /** The block tag that it has to be below as well, on a chain that has one. */
  readonly finality: 'finalized' | 'safe' | null;
  readonly now: () => Date;
  readonly tell: (line: string) => void;
}

/**
 * Goes through the withdrawals that are open with a vault that the settings no longer name: those
 * that it paid are completed, those whose signature can never be used are returned, and those that
 * were not signed are continued with the other vault. Returns how many are still open, because
 * their signature is valid or a decision is pending; a further run continues.
 */
export async function adoptVault(terms: AdoptionTerms): Promise<number> {
  const { client, pool, vault, now, tell } = terms;
  const { number, timestamp } = await client.getBlock({ blockNumber: await lastTrusted(terms) });
  let open = 0;
  for (const withdrawal of await listForeign(pool, vault)) {
    const end = await findEnd(terms, withdrawal, { number, timestamp });
    if (typeof end === 'string') {
      open += 1;
      tell(`withdrawal ${withdrawal.id} is still open: ${end}`);
    } else if (await endForeign(pool, withdrawal, { end, at: now() })) {
      tell(`withdrawal ${withdrawal.id}: ${end.kind}`);
    } else {
      open += 1;
      tell(`withdrawal ${withdrawal.id} has changed meanwhile`);
    }
  }
  return open;
}

async function lastTrusted({ client, confirmations, finality }: AdoptionTerms): Promise<bigint> {
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const depth = BigInt(confirmations);
  const deep = head > depth ? head - depth : 0n;
  if (finality === null) return deep;
  const { number } = await client.getBlock({ blockTag: finality });
  return number < deep ? number : deep;
}

interface Block {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** How it ends, or why it cannot be ended now. */
async function findEnd(
  terms: AdoptionTerms,
  withdrawal: ForeignWithdrawal,
  { number, timestamp }: Block,
): Promise<ForeignEnd | string> {
  const { status, account, nonce, deadline } = withdrawal;
  if (status === 'opening' || status === 'pending') {
    return { kind: 'moved', vault: terms.successor };
  }
  if (status !== 'signed' || nonce === null || deadline === null) {
    return `it is ${status}, which only the service with its former settings ends`;
  }
  const address = terms.vault as Hex;
  const next = await terms.client.readContract({
    address,
    abi: vaultAbi,
    functionName: 'releaseNonce',
    args: [account as Hex],
    blockNumber: number,
  });
  if (next <= BigInt(nonce)) {
    return timestamp > BigInt(deadline)
      ? { kind: 'expired' }
      : `its signature is good until ${new Date(deadline * 1000).toISOString()}`;
  }
  const logs = await terms.client.getContractEvents({
    address,
    abi: vaultAbi,
    eventName: 'Released',
    args: { account: account as Hex },
    fromBlock: 0n,
    toBlock: number,
    strict: true,
  });
  const paid = logs.find(({ args }) => args.nonce === BigInt(nonce));
  const isSame =
    paid?.args.amount === withdrawal.rawAmount &&
    paid.args.token.toLowerCase() === withdrawal.tokenAddress;
  if (paid === undefined || !isSame) return 'its nonce is spent, but not by this release';
  return { kind: 'completed', hash: paid.transactionHash, block: paid.blockNumber };
}
