import { expect, test } from 'vitest';
import { clearingText } from '../../src/application/admin/chain-halts.ts';
import { type EventEnd, resolvingText } from '../../src/application/admin/waiting-events.ts';
import { refusalText } from '../../src/application/admin/withdrawal-reviews.ts';
import type { ChainHalt } from '../../src/application/ports/chain-halts.ts';
import type { WaitingEvent } from '../../src/application/ports/waiting-events.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import { readBlocks } from '../support/document-blocks.ts';

// The texts of docs/operations.md that approvers sign are the ones that the service verifies.

const chainId = 42_161;
const texts = readBlocks('docs/operations.md').map(({ text }) => text.trimEnd());

test('docs/operations.md: the text that clears a halt', () => {
  const halt = { id: '7', kind: 'books_differ' } as ChainHalt;
  expect(texts).toContain(clearingText(chainId, halt, 'compared with two nodes'));
});

test('docs/operations.md: the text that ends an event', () => {
  const transactionHash = `0x${'ab'.repeat(32)}`;
  const event = { id: 'deposit-7', event: { transactionHash } } as unknown as WaitingEvent;
  const end: EventEnd = { action: 'credit_as', token: 'USDT', amount: requireDecimal('12.5') };
  expect(texts).toContain(resolvingText(chainId, event, { end, reason: 'settled with its owner' }));
});

test('docs/operations.md: the text that refuses a withdrawal', () => {
  const id = '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11';
  expect(texts).toContain(refusalText(chainId, id, 'the owner did not ask for it'));
});
