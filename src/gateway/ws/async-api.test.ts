import { Parser } from '@asyncapi/parser';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { bareFields, problemsOf } from '../../../test/support/documented-interface.ts';
import { fapiEndpoints, spotEndpoints } from '../../../test/support/documented-streams.ts';
import { buildAsyncApiDocument } from './async-api.ts';
import { controlErrorMeanings } from './futures/control-message.ts';
import { parseStreamName } from './futures/stream-name.ts';
import { subscriptionMethods } from './order-entry/account-subscriptions.ts';
import {
  sessionMethods,
  socketMethods,
  spotEndpointsByMethod,
} from './order-entry/socket-methods.ts';
import { channelNames } from './protocol/channel-names.ts';
import { serverMessageSchema } from './protocol/server-message.ts';
import { closeCodes, streamErrorCodes } from './protocol/stream-error.ts';
import { parseSpotStreamName } from './spot/spot-stream-name.ts';

const document = buildAsyncApiDocument(fapiEndpoints, spotEndpoints);
const text = JSON.stringify(document);
const messages = Object.entries(
  (document['components'] as { readonly messages: Record<string, DocumentedMessage> }).messages,
);

interface DocumentedMessage {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly examples: readonly { readonly payload: unknown }[];
}

test('asyncapi: the document is valid AsyncAPI 3', async () => {
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

test('asyncapi: every error and close code is in the document', () => {
  const codes = [...streamErrorCodes, ...Object.values(closeCodes)];
  for (const code of [...codes, ...Object.keys(controlErrorMeanings)]) {
    expect(text).toContain(`\`${code}\``);
  }
});

test('asyncapi: every message has an example that matches its payload', () => {
  const problems = messages.flatMap(([name, { payload, examples }]) =>
    examples.flatMap((example) =>
      problemsOf(payload, example.payload).map((problem) => `${name}${problem}`),
    ),
  );
  expect(problems).toEqual([]);
  expect(messages.filter(([, { examples }]) => examples.length === 0)).toEqual([]);
});

test('asyncapi: every field of every message says what it is', () => {
  expect(messages.flatMap(([name, { payload }]) => bareFields(payload, name))).toEqual([]);
});

test('asyncapi: every method of order entry is in the document, and no other', () => {
  const documented = messages
    .map(([name]) => name)
    .filter((name) => name.endsWith('-request'))
    .map((name) => name.replace(/-request$/, ''));
  const methods = [...socketMethods(fapiEndpoints).keys(), ...sessionMethods];
  const spotMethods = [
    ...socketMethods(spotEndpoints, spotEndpointsByMethod).keys(),
    ...sessionMethods,
    ...subscriptionMethods,
  ];
  expect(spotMethods).toHaveLength(
    Object.keys(spotEndpointsByMethod).length + sessionMethods.length + subscriptionMethods.length,
  );
  const served = methods.map((method) => method.replace('/', '.'));
  const ofSpot = spotMethods.map((method) => `spot-${method}`);
  expect(documented.sort()).toEqual([...served, ...ofSpot].sort());
});

test('asyncapi: every stream of Binance that is described is one that can be subscribed to', () => {
  const channels = document['channels'] as Record<string, { readonly address: string }>;
  const named = Object.entries(channels).filter(([key]) => key.startsWith('binance-'));
  const streams = named.filter(([key]) => !['binance-control', 'binance-user'].includes(key));
  expect(streams).toHaveLength(17);
  for (const [key, { address }] of streams) {
    const name = address
      .replace('/ws/', '')
      .replace('{symbol}', 'btcusdt')
      .replace('{levels}', '5')
      .replace('{interval}', '1m');
    expect(`binance-${parseStreamName(name)?.kind}`).toBe(key);
  }
});

test('asyncapi: every stream of spot that is described is one that can be subscribed to', () => {
  const channels = document['channels'] as Record<string, { readonly address: string }>;
  const streams = Object.entries(channels).filter(
    ([key]) => key.startsWith('spot-') && !['spot-user', 'spot-order-entry'].includes(key),
  );
  expect(streams).toHaveLength(16);
  for (const [key, { address }] of streams) {
    const name = address
      .replace('/streams/spot/ws/', '')
      .replace('{symbol}', 'btcusdt')
      .replace('{levels}', '5')
      .replace('{interval}', '1m')
      .replace('{window}', '4h');
    expect(`spot-${parseSpotStreamName(name)?.kind}`).toBe(key);
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
