import { ApiError, ConnectionError } from '@openbourse/client';
import { beforeAll, expect, test } from 'vitest';
import { loadSentences, sentenceOf } from '../text/sentence.ts';
import { describeError, WalletError } from './shown-error.ts';

const shown = (error: unknown): readonly [string, string] => {
  const { code, detail } = describeError(error);
  return [code, sentenceOf(code, detail)];
};

beforeAll(loadSentences);

test('shown error: a refusal of the wallet has its own code and sentence', () => {
  expect(shown(new WalletError('REFUSED_IN_WALLET'))).toEqual([
    'REFUSED_IN_WALLET',
    'You rejected it in your wallet.',
  ]);
  expect(shown(new WalletError('WRONG_NETWORK'))).toEqual([
    'WRONG_NETWORK',
    'Your wallet is on another network.',
  ]);
});

test("shown error: a wallet's own message is shown as the wallet's", () => {
  const error = new WalletError('WALLET_ERROR', { detail: 'insufficient funds for gas' });
  expect(shown(error)).toEqual(['WALLET_ERROR', 'Your wallet says: insufficient funds for gas']);
  expect(shown(new WalletError('WALLET_ERROR'))).toEqual(['WALLET_ERROR', 'Your wallet failed.']);
});

test('shown error: codes of the service, a lost response and a bug of the page are distinguished', () => {
  const refused = { status: 409, code: 'SELF_TRADE', detail: null, retryAfterMs: null };
  const error = new ApiError({ ...refused, requestId: 'r-1' });
  expect(describeError(error)).toEqual({ code: 'SELF_TRADE', detail: null, requestId: 'r-1' });
  expect(describeError(new ConnectionError('lost')).code).toBe('NO_ANSWER');
  expect(shown(new TypeError('x is undefined'))).toEqual([
    'PAGE_ERROR',
    'Something failed on this page: x is undefined.',
  ]);
});
