import type {
  BlockReference,
  CountedRouter,
  RouterBooks,
  RouterOpening,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import type { BookDifference } from './book-difference.ts';

const accountsAtOnce = 20;

type Connection = Pick<ChainConnection, 'node' | 'contracts'>;

/**
 * Compares the sums of the router's events with its own totals and describes each difference.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function closeRouter(
  connection: Connection,
  books: RouterBooks,
  block: BlockReference,
): Promise<readonly BookDifference[]> {
  const counted = await books.load(block);
  if (counted === null) return [];
  const { unopened } = counted;
  const onChain = await loadTotals(connection, block);
  if (unopened !== null) {
    const totals = await loadSettled(connection, unopened, block);
    await books.open(block, { ...onChain, totals });
    return [];
  }
  if (compare(onChain, counted).length === 0) return [];
  // Sums of old rows are cached, and blocks that the chain has left may have changed them.
  const whole = await books.load(block, true);
  return whole === null ? [] : compare(onChain, whole);
}

type Totals = Pick<CountedRouter, 'settled' | 'claimed'>;

function compare(onChain: Totals, counted: Totals): readonly BookDifference[] {
  return (['settled', 'claimed'] as const).flatMap((what) => {
    const amount = onChain[what] - counted[what];
    if (amount === 0n) return [];
    const text = `the router has ${what} ${onChain[what]}, counted are ${counted[what]}`;
    return [{ text, what, of: null, amount }];
  });
}

async function loadTotals(
  { node, contracts }: Connection,
  { hash }: BlockReference,
): Promise<Totals> {
  const at = { blockHash: hash };
  const router = { address: contracts.rewardRouter, abi: rewardRouterAbi, at } as const;
  const [settled, claimed] = await Promise.all([
    readContract(node, { ...router, functionName: 'totalSettled' }),
    readContract(node, { ...router, functionName: 'totalClaimed' }),
  ]);
  return { settled, claimed };
}

async function loadSettled(
  { node, contracts }: Connection,
  accounts: readonly Address[],
  { hash }: BlockReference,
): Promise<RouterOpening['totals']> {
  const load = async (account: Address) => {
    const total = await readContract(node, {
      address: contracts.rewardRouter,
      abi: rewardRouterAbi,
      functionName: 'settled',
      args: [toHexAddress(account)],
      at: { blockHash: hash },
    });
    return { account, total: toMicroUsdt(total) };
  };
  const totals: RouterOpening['totals'][number][] = [];
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    totals.push(...(await Promise.all(accounts.slice(start, start + accountsAtOnce).map(load))));
  }
  return totals;
}
