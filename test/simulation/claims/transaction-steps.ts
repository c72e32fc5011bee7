import {
  decideTransaction,
  type OpenTransaction,
  type TransactionObservation,
} from '../../../src/chain/transactions/transaction-machine.ts';
import { closeBatch } from './settle-steps.ts';
import { type Step, spend } from './step.ts';
import {
  contractAt,
  cursorOf,
  isCursorOnChain,
  type ModelTransaction,
  type SavedTransaction,
  type Scenario,
  type World,
} from './world.ts';

// The transaction manager: one check of one transaction and what follows from it.

const replaceAfterMs = 100;
const policy = { replaceAfterMs, feeMultipleMax: 1_000n, feePerGasMax: 1_000_000n };
const fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };

export function transactionSteps(world: World, scenario: Scenario): readonly Step[] {
  return world.transactions.flatMap((transaction, index) => {
    if (transaction.isFinished) return [];
    const steps: Step[] = [];
    const change = (next: SavedTransaction): World => ({
      ...world,
      transactions: world.transactions.map((entry, at) => (at === index ? next : entry)),
    });
    for (const isLate of [false, true]) {
      const next = tick(world, transaction, { scenario, isLate, change });
      if (next !== null) steps.push(next);
    }
    if (!transaction.isCancelRequested && world.budget.cancels > 0) {
      const next = spend(change({ ...transaction, isCancelRequested: true }), 'cancels');
      steps.push({ name: 'request cancel', world: next });
    }
    if (scenario.planted.has('retry_with_new_nonce') && world.budget.replacements > 0) {
      const given = change({ ...transaction, isFinished: true, finishedBlock: 0 });
      const closed = closeBatch(given, transaction.batch);
      steps.push({ name: 'give up late attempt', world: spend(closed, 'replacements') });
    }
    return steps;
  });
}

interface Tick {
  readonly scenario: Scenario;
  readonly isLate: boolean;
  readonly change: (next: SavedTransaction) => World;
}

function tick(world: World, transaction: SavedTransaction, context: Tick): Step | null {
  const { isLate, change, scenario } = context;
  // A node refuses to count at a block that it does not have.
  if (!isCursorOnChain(world)) return null;
  const sight = sightOf(world, transaction, { scenario, isLate });
  const action = decideTransaction(openOf(transaction), sight, policy);
  const latest = transaction.versions.length - 1;
  switch (action.kind) {
    case 'send': {
      const versions = transaction.versions.map((version, at) =>
        at === latest ? { ...version, isSent: true } : version,
      );
      const entry = { nonce: transaction.nonce, version: latest };
      const pool = world.pool.filter(({ nonce }) => nonce !== transaction.nonce);
      const next = { ...change({ ...transaction, versions }), pool: [...pool, entry] };
      return { name: `send version ${latest}`, world: next };
    }
    case 'replace': {
      if (world.budget.replacements === 0) return null;
      const version = { kind: action.versionKind, isSent: false };
      const next = change({ ...transaction, versions: [...transaction.versions, version] });
      return { name: `save ${action.versionKind} version`, world: spend(next, 'replacements') };
    }
    case 'finish': {
      const finishedBlock = cursorOf(world).number;
      const next = change({ ...transaction, isFinished: true, finishedBlock });
      return { name: `finish as ${action.outcome}`, world: next };
    }
    case 'stuck':
    case 'wait':
      return null;
  }
}

function openOf(transaction: SavedTransaction): OpenTransaction {
  return {
    nonce: transaction.nonce,
    isCancelRequested: transaction.isCancelRequested,
    versions: transaction.versions.map(({ kind, isSent }, version) => ({
      hash: `0x${transaction.nonce}-${version}`,
      bytes: '0x',
      ...fees,
      kind,
      sentAt: isSent ? 0 : null,
      refusal: null,
      refusalCount: 0,
      isTaken: isSent,
    })),
  };
}

function sightOf(
  world: World,
  transaction: SavedTransaction,
  { scenario, isLate }: { readonly scenario: Scenario; readonly isLate: boolean },
): TransactionObservation {
  const { nonce } = transaction;
  const cursor = cursorOf(world).number;
  const isVersion = (entry: ModelTransaction): entry is ModelTransaction & { version: number } =>
    entry.kind !== 'redeem' && entry.nonce === nonce;
  const mined = world.chain
    .slice(0, cursor + 1)
    .flatMap(({ transactions }) => transactions)
    .find(isVersion);
  const latest = transaction.versions.length - 1;
  return {
    countAtCursor: contractAt(world, scenario, cursor).operatorNonce,
    countAtHead: contractAt(world, scenario, world.chain.length - 1).operatorNonce,
    mined:
      mined === undefined
        ? null
        : { hash: `0x${nonce}-${mined.version}`, isSuccess: true, blockNumber: cursor },
    isLatestKnown: world.pool.some((entry) => entry.nonce === nonce && entry.version === latest),
    fees,
    now: isLate ? replaceAfterMs : 0,
  };
}
