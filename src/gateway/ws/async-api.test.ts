import { Parser } from '@asyncapi/parser';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { buildAsyncApiDocument } from './async-api.ts';
import { channelNames } from './protocol/channel-names.ts';
import { serverMessageSchema } from './protocol/server-message.ts';
import { closeCodes, streamErrorCodes } from './protocol/stream-error.ts';

const text = JSON.stringify(buildAsyncApiDocument());

test('asyncapi: the document is sound AsyncAPI 3', async () => {
  const { document, diagnostics } = await new Parser().parse(text);
  const problems = diagnostics.map(({ code, message, path }) => ({ code, message, path }));
  // The one thing the parser may suggest is a newer revision of the format.
  expect(problems.filter(({ code }) => code !== 'asyncapi-latest-version')).toEqual([]);
  expect(document?.version()).toBe('3.0.0');
});

test('asyncapi: every channel has its snapshot and update', async () => {
  const { document } = await new Parser().parse(text);
  for (const name of channelNames) {
    const messages = document?.channels().get(name)?.messages().all() ?? [];
    expect(messages.map((message) => message.id())).toEqual(['snapshot', 'update']);
    expect(document?.channels().get(name)?.address()).toBe('/ws');
  }
});

test('asyncapi: every error and close code stands in the document', () => {
  for (const code of [...streamErrorCodes, ...Object.values(closeCodes)]) {
    expect(text).toContain(`\`${code}\``);
  }
});

const check = Compile(serverMessageSchema);
const update = {
  type: 'update',
  channel: 'orderbook',
  symbol: 'BTCUSDT',
  market: 'spot',
  seq: 2,
  prev_seq: 1,
  last_update_id: 5,
  ts: 1,
  data: { bids: [['1', '0']], asks: [] },
};

test('asyncapi: the schemas that messages are held to are strict', () => {
  expect(check.Check(update)).toBe(true);
  expect(check.Check({ ...update, type: 'snapshot' })).toBe(false);
  expect(check.Check({ ...update, extra: 1 })).toBe(false);
  expect(check.Check({ ...update, data: { bids: [['1', 0]], asks: [] } })).toBe(false);
  expect(check.Check({ ...update, channel: 'trades' })).toBe(false);
  expect(check.Check({ ...update, prev_seq: undefined })).toBe(false);
});
