import type { Address } from '../../../src/domain/identifiers.ts';
import {
  decideLeftOver,
  planSettlement,
  statusAfterAttempts,
} from '../../../src/programs/claims/settlement.ts';
import { changeEarnings, newEarning, sumOf } from '../../support/claims/claim-book.ts';
import { type Step, spend } from './step.ts';
import { cursorOf, type SavedTransaction, type Scenario, type World } from './world.ts';

// The settlement job: plans a batch, has it sent, and counts an attempt that came to nothing.

const account = '0x00000000000000000000000000000000000000a1' as Address;

export function settleSteps(world: World, scenario: Scenario): readonly Step[] {
  const steps: Step[] = [];
  if (world.budget.earnings > 0) {
    const earnings = [...world.book.earnings, newEarning(1n)];
    const next = { ...spend(world, 'earnings'), book: { ...world.book, earnings } };
    steps.push({ name: 'earn', world: next });
  }
  const planned = planBatch(world, scenario);
  if (planned !== null) steps.push({ name: 'plan batch', world: planned });
  for (const { batch, isOpen } of world.batches) {
    const last = world.transactions.filter((entry) => entry.batch === batch).at(-1);
    if (isOpen && last === undefined) {
      steps.push({ name: 'save transaction', world: saveTransaction(world, batch) });
    }
    const isOver = last?.isFinished === true && cursorOf(world).number >= (last.finishedBlock ?? 0);
    if (isOpen && isOver) {
      steps.push({ name: 'count attempt', world: closeBatch(world, batch) });
    }
  }
  return steps;
}

function planBatch(world: World, { planted }: Scenario): World | null {
  if (world.batches.some(({ isOpen }) => isOpen)) return null;
  const { earnings } = world.book;
  const isWaiting = (entry: (typeof earnings)[number]): boolean =>
    entry.syncStatus === 'pending' && entry.batch === null;
  const synced = sumOf(earnings, ({ syncStatus }) => syncStatus === 'synced');
  const pending = sumOf(earnings, isWaiting);
  const [[item] = []] = planSettlement([{ account, synced, pending }], 10);
  if (item === undefined) return null;
  const carriesNew = planted.has('settlement_adds_up') || planted.has('settlement_not_cumulative');
  const batch = world.batches.length;
  const amount = carriesNew ? pending : item.total;
  return {
    ...world,
    book: changeEarnings(world.book, isWaiting, { batch }),
    batches: [...world.batches, { batch, amount, isOpen: true }],
  };
}

function saveTransaction(world: World, batch: number): World {
  const transaction: SavedTransaction = {
    nonce: world.transactions.length,
    batch,
    versions: [{ kind: 'call', isSent: false }],
    isCancelRequested: false,
    isFinished: false,
    finishedBlock: null,
  };
  return { ...world, transactions: [...world.transactions, transaction] };
}

export function closeBatch(world: World, batch: number): World {
  const step = decideLeftOver(1, 'reverted');
  if (step?.kind !== 'countAttempt') throw new Error('a batch of one is never split');
  const isLeft = (entry: { batch: number | null; syncStatus: string }): boolean =>
    entry.batch === batch && entry.syncStatus === 'pending';
  const earnings = world.book.earnings.map((entry) =>
    isLeft(entry)
      ? {
          ...entry,
          batch: null,
          attempts: entry.attempts + 1,
          syncStatus: statusAfterAttempts(entry.attempts + 1),
        }
      : entry,
  );
  return {
    ...world,
    book: { ...world.book, earnings },
    batches: world.batches.map((entry) =>
      entry.batch === batch ? { ...entry, isOpen: false } : entry,
    ),
  };
}
