import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { SignerHead } from '../../application/ports/signer-log.ts';
import type { ChainSigners } from '../../chain/signers/chain-signer.ts';
import { SignerWatch } from '../../chain/signers/signer-watch.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseHaltStore } from './halt-store.ts';
import { DatabaseSignerHeadStore } from './signer-head-store.ts';

// docs/security.md: a log that is lost for good is replaced once two people have found out what
// was signed with it.

const vault = `0x${'51'.repeat(20)}` as Address;
const other = `0x${'52'.repeat(20)}` as Address;
const people = `0x${'a1'.repeat(20)} and 0x${'a2'.repeat(20)}`;

let opened: TestDatabase;
let heads: DatabaseSignerHeadStore;
let halts: DatabaseHaltStore;
let watch: SignerWatch;
let nowMs: number;
/** What the vault's signer has in its log, from its first signature on. */
let log: readonly string[];

beforeEach(async () => {
  opened = await openTestDatabase();
  const now = () => new Date();
  heads = new DatabaseSignerHeadStore(opened.database.rewards, now);
  halts = new DatabaseHaltStore(opened.database.rewards, now);
  nowMs = 0;
  const raise = async (halt: Parameters<typeof halts.raise>[0]) => {
    await halts.raise(halt, 'service');
  };
  watch = new SignerWatch({ heads, raise, now: () => nowMs });
});
afterEach(() => opened.close());

const signers = {
  settler: { address: other },
  reward: { address: other },
  vault: {
    address: vault,
    findLogHead: (signatures: number) => Promise.resolve(log[signatures - 1] ?? null),
  },
} as unknown as ChainSigners;

async function openHalts() {
  nowMs += 60_000;
  await watch.check(signers);
  return halts.listOpen();
}

async function noteAll(): Promise<void> {
  for (const [index, head] of log.entries()) {
    await heads.note(vault, { head, signatures: index + 1 } satisfies SignerHead);
  }
}

test('fault 18: a lost log halts until two people clear it; what the new one signs is noted again', async () => {
  log = ['a1', 'a2', 'a3'];
  await noteAll();
  await heads.note(other, { head: 'b1', signatures: 1 });
  expect(await openHalts()).toEqual([]);
  log = [];
  const [halt] = await openHalts();
  expect(halt).toMatchObject({ kind: 'signer_log_differs', role: 'vault' });
  expect(await halts.clear(halt!.id, people, 'its host burned down')).toBe(true);
  expect(await openHalts()).toEqual([]);
  log = ['c1'];
  await noteAll();
  expect(await heads.findLast(vault)).toEqual({ head: 'c1', signatures: 1 });
  expect(await openHalts()).toEqual([]);
  log = [];
  expect(await openHalts()).toMatchObject([{ kind: 'signer_log_differs' }]);
  // The other signer's heads are untouched, and what was known of the lost log is in the audit log.
  expect(await heads.findLast(other)).toEqual({ head: 'b1', signatures: 1 });
  const audited = await opened.database.rewards.query((db) =>
    sql<{
      detail: object;
    }>`SELECT detail FROM admin_audit WHERE action = 'clear_chain_halt'`.execute(db),
  );
  expect(audited.rows).toMatchObject([
    { detail: { forgotten: { signer: vault, signatures: 3, head: 'a3' } } },
  ]);
});

test('fault 18: clearing another halt forgets no head', async () => {
  log = ['a1'];
  await noteAll();
  await halts.raise({ kind: 'wrong_signature', detail: `by ${vault}`, role: 'vault' }, 'service');
  const [halt] = await halts.listOpen();
  await halts.clear(halt!.id, people, 'another process answered');
  expect(await heads.findLast(vault)).toEqual({ head: 'a1', signatures: 1 });
});
