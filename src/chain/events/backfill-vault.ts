import type {
  BackfillStore,
  EarlierDeposit,
  EarlierRelease,
} from '../../application/ports/backfills.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import type { ChainLog, ChainNode } from '../node/chain-node.ts';
import { vaultDeposited, vaultReleased, vaultReleaseQueued } from './vault-events.ts';

// A database that began to count after the vault took its first deposits lacks these, and with them
// the numbers of their accounts' next ones. They are read once, in order; a read that ends early
// continues where it was. A withdrawal in these blocks that the database does not have was paid for
// another one, which would make deposits payable twice: it halts signing.

export interface VaultBackfillOptions {
  readonly node: Pick<ChainNode, 'findHeader' | 'loadLogs'>;
  readonly spotVault: Address;
  readonly store: BackfillStore;
  /** The block before the first one that the manifest names; null without one. */
  readonly namedStart: number | null;
  /** The block before the vault's first; null if that cannot be known. */
  readonly findStart: () => Promise<number | null>;
  /** Halts signing until people have looked at it. */
  readonly halt: (detail: string) => Promise<void>;
  readonly log: Logger;
}

const blocksPerStep = 100;

/**
 * Adds the deposits into the vault that this database did not count.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function backfillVault(options: VaultBackfillOptions): Promise<void> {
  const { store, namedStart, findStart, log } = options;
  const through = await store.findThrough(namedStart === null ? null : namedStart + 1);
  const start = through === null ? null : await findStart();
  if (through === null || start === null) return;
  const open = await store.begin(start + 1, through);
  if (open === null) return;
  log.info({ ...open }, 'earlier blocks of the vault are read');
  for (let next = open.next; next <= open.through; ) {
    const end = Math.min(next + blocksPerStep - 1, open.through);
    const deposits: EarlierDeposit[] = [];
    for (let number = next; number <= end; number += 1) {
      const events = await loadEvents(options, number);
      for (const event of events) {
        if (event.type === 'vaultDeposited') {
          await checkDeposit(options, event, number);
          deposits.push({ event, block: number });
        } else await checkRelease(options, event, number);
      }
    }
    next = end + 1;
    await store.add(deposits, next);
  }
  log.info({ through: open.through }, 'earlier blocks of the vault are read to their end');
}

const readers = [vaultDeposited, vaultReleased, vaultReleaseQueued];

async function loadEvents(
  { node, spotVault }: VaultBackfillOptions,
  number: number,
): Promise<readonly (EarlierDeposit['event'] | EarlierRelease)[]> {
  const header = await node.findHeader(number);
  if (header === null) throw new Error(`the node has no block ${number} of the vault`);
  const filter = { addresses: [spotVault], firstTopics: readers.map(({ topic }) => topic) };
  const logs = await node.loadLogs(header, filter);
  return logs.filter(({ address }) => address === spotVault).flatMap(readEvent);
}

function readEvent(log: ChainLog): readonly (EarlierDeposit['event'] | EarlierRelease)[] {
  const event = readers.find(({ topic }) => topic === log.topics[0])?.read(log);
  switch (event?.type) {
    case 'vaultDeposited':
    case 'vaultReleased':
    case 'vaultReleaseQueued':
      return [event];
    default:
      return [];
  }
}

async function checkDeposit(
  { store, halt }: VaultBackfillOptions,
  deposit: EarlierDeposit['event'],
  block: number,
): Promise<void> {
  if (!(await store.contradicts(deposit))) return;
  const { account, token, rawAmount, number } = deposit;
  await halt(
    `in block ${block} the vault received ${rawAmount} of ${token} from ${account} ` +
      `(number ${number}), and this database has another deposit under that number`,
  );
}

async function checkRelease(
  { store, halt }: VaultBackfillOptions,
  release: EarlierRelease,
  number: number,
): Promise<void> {
  if (await store.hasRelease(release)) return;
  const { account, token, rawAmount, nonce } = release;
  await halt(
    `in block ${number} the vault paid ${rawAmount} of ${token} to ${account} (nonce ${nonce}), ` +
      'a withdrawal that this database does not have',
  );
}
