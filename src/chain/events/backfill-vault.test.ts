import { encodeAbiParameters, encodeEventTopics, type Hex, pad } from 'viem';
import { expect, test } from 'vitest';
import type { BackfillStore, EarlierDeposit } from '../../application/ports/backfills.ts';
import type { Address } from '../../domain/identifiers.ts';
import { createLogger } from '../../observability/log.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { BlockHeader, ChainLog } from '../node/chain-node.ts';
import { backfillVault } from './backfill-vault.ts';

const vault = `0x${'aa'.repeat(20)}` as Address;
const alice = `0x${'a1'.repeat(20)}` as Address;
const token = `0x${'df'.repeat(20)}` as Address;

function logOf(
  eventName: 'Deposited' | 'Released' | 'ReleaseQueued',
  data: readonly bigint[],
  block: number,
): ChainLog {
  const args = { account: alice as Hex, token: token as Hex, id: 3n };
  const topics = encodeEventTopics({ abi: spotVaultAbi, eventName, args }) as Hex[];
  return {
    address: vault,
    topics,
    data: encodeAbiParameters(
      data.map(() => ({ type: 'uint256' })),
      data,
    ),
    blockHash: pad(`0x${block}`),
    transactionHash: pad(`0xf${block}`),
    logIndex: 0,
  };
}

/**
 * Reads blocks 1 to 5 with these logs; the store has the withdrawals of these nonces, and other
 * deposits under these numbers.
 */
async function backfill(
  logs: ReadonlyMap<number, ChainLog>,
  known: readonly number[] = [],
  taken: readonly number[] = [],
) {
  const added: (EarlierDeposit | number)[] = [];
  const halts: string[] = [];
  const store: BackfillStore = {
    findThrough: async () => 5,
    begin: async (next, through) => ({ next, through }),
    contradicts: async ({ number }) => taken.includes(number),
    hasRelease: async ({ nonce }) => known.includes(nonce),
    add: async (deposits, next) => {
      added.push(...deposits, next);
    },
  };
  await backfillVault({
    node: {
      findHeader: async (number) => ({ number }) as BlockHeader,
      loadLogs: async ({ number }, { firstTopics }) =>
        [logs.get(number)].filter(
          (log): log is ChainLog => log !== undefined && firstTopics.includes(log.topics[0]!),
        ),
    },
    spotVault: vault,
    store,
    namedStart: null,
    findStart: async () => 0,
    halt: async (detail) => {
      halts.push(detail);
    },
    log: createLogger('silent'),
  });
  return { added, halts };
}

test('backfill: deposits of the earlier blocks are added, and what the database paid halts nothing', async () => {
  const logs = new Map([
    [2, logOf('Deposited', [5n, 0n], 2)],
    [4, logOf('Released', [5n, 7n], 4)],
    [5, logOf('ReleaseQueued', [2n, 8n, 1n], 5)],
  ]);
  const { added, halts } = await backfill(logs, [7, 8]);
  const event = { type: 'vaultDeposited', account: alice, token, rawAmount: 5n, number: 0 };
  expect(added).toMatchObject([{ event, block: 2 }, 6]);
  expect(halts).toEqual([]);
});

test('backfill: a deposit whose number the database gave to another one halts signing', async () => {
  const logs = new Map([
    [2, logOf('Deposited', [5n, 0n], 2)],
    [3, logOf('Deposited', [6n, 1n], 3)],
  ]);
  const { halts } = await backfill(logs, [], [1]);
  expect(halts).toEqual([
    `in block 3 the vault received 6 of ${token} from ${alice} (number 1), ` +
      'and this database has another deposit under that number',
  ]);
});

test.each([
  ['Released', [5n, 7n]],
  ['ReleaseQueued', [5n, 7n, 1n]],
] as const)(
  'backfill: %s of a withdrawal that another database signed halts signing',
  async (name, data) => {
    const logs = new Map([
      [2, logOf('Deposited', [5n, 0n], 2)],
      [4, logOf(name, data, 4)],
    ]);
    const { added, halts } = await backfill(logs, [8]);
    expect(halts).toEqual([
      `in block 4 the vault paid 5 of ${token} to ${alice} (nonce 7), ` +
        'a withdrawal that this database does not have',
    ]);
    expect(added).toHaveLength(2);
  },
);
