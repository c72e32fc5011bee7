import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { SigningKey } from '../../src/gateway/auth/signing-key.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// Orders of /fapi as Binance's clients send them, in the query, in a form or in both: by the short
// way, and by the long one, which the type of a form with a character set takes.

const path = '/fapi/v1/order';
const terms = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.01&price=40000';

let floor: TradingFloor;
let keys: ApiKeyPair;
let moment = Date.now();

beforeAll(async () => {
  floor = await TradingFloor.open();
  keys = await floor.addTrader();
});
afterAll(() => floor.close());

interface Sent {
  readonly query: string;
  readonly form: string;
  readonly signature?: string;
}

async function send({ query, form, signature }: Sent, way: 'short' | 'long', to = path) {
  moment += 1;
  const timed = form === '' ? { query: `${query}&timestamp=${moment}`, form } : { query, form };
  const body = form === '' ? '' : `${form}&timestamp=${moment}`;
  const right = new SigningKey(keys.apiSecret).sign(timed.query + body);
  const signed = `signature=${signature ?? right}`;
  const type = 'application/x-www-form-urlencoded';
  const reply = await fetch(`${floor.url}${to}?${timed.query}${body === '' ? `&${signed}` : ''}`, {
    method: 'POST',
    headers: {
      'x-mbx-apikey': keys.apiKey,
      'content-type': way === 'short' ? type : `${type}; charset=utf-8`,
    },
    body: body === '' ? '' : `${body}&${signed}`,
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: [...reply.headers.keys()].filter((name) => name !== 'keep-alive').sort(),
    body: text
      .replace(/"(orderId|algoId|time|updateTime|createTime|timestamp)":\d+/g, '"$1":0')
      .replace(/"(clientOrderId|clientAlgoId)":"[0-9a-f]{22}"/g, '"$1":"generated"'),
  };
}

test.each<[string, Sent, string?]>([
  ['an order in the query', { query: terms, form: '' }],
  ['an order in a form', { query: '', form: terms }],
  ['an order in both', { query: 'symbol=BTCUSDT', form: terms.replace('symbol=BTCUSDT&', '') }],
  [
    'a market order with its result',
    {
      query: '',
      form: terms
        .replace('LIMIT&timeInForce=GTC', 'MARKET&newOrderRespType=RESULT')
        .replace('&price=40000', ''),
    },
  ],
  ['a missing price', { query: terms.replace('&price=40000', ''), form: '' }],
  ['an unknown market', { query: terms.replace('BTC', 'NOPE'), form: '' }],
  ['a price off the tick', { query: '', form: terms.replace('40000', '40000.01') }],
  ['a wrong signature', { query: terms, form: '', signature: '0'.repeat(64) }],
  ['a parameter that stands twice', { query: `${terms}&side=SELL`, form: '' }],
  ['a parameter in query and form', { query: 'side=SELL', form: terms }],
  ['percent-encoding', { query: `${terms}&newClientOrderId=a%3Ab`, form: '' }],
  ['malformed percent-encoding', { query: `${terms}&newClientOrderId=%zz`, form: '' }],
  [
    'a conditional order',
    {
      query: 'algoType=CONDITIONAL&symbol=BTCUSDT&side=SELL&type=STOP_MARKET&triggerPrice=30000',
      form: 'closePosition=true',
    },
    '/fapi/v1/algoOrder',
  ],
])('fapi lane: %s is answered as by the general path', async (_name, sent, to = path) => {
  const short = await send(sent, 'short', to);
  await fetch(`${floor.url}/fapi/v1/ping`);
  await cancelAll();
  const long = await send(sent, 'long', to);
  await cancelAll();
  expect(short).toEqual(long);
});

test('fapi lane: the same signed order twice is one order', async () => {
  moment += 1;
  const query = `${terms}&newClientOrderId=twice&timestamp=${moment}`;
  const signature = new SigningKey(keys.apiSecret).sign(query);
  const place = async () => {
    const reply = await fetch(`${floor.url}${path}?${query}&signature=${signature}`, {
      method: 'POST',
      headers: { 'x-mbx-apikey': keys.apiKey },
    });
    return { status: reply.status, body: await reply.text() };
  };
  const [first, second] = await Promise.all([place(), place()]);
  expect(first.status).toBe(200);
  expect(second).toEqual(first);
  expect(await place()).toEqual(first);
  await cancelAll();
});

async function cancelAll(): Promise<void> {
  moment += 1;
  const query = `symbol=BTCUSDT&timestamp=${moment}`;
  const signature = new SigningKey(keys.apiSecret).sign(query);
  const reply = await fetch(`${floor.url}/fapi/v1/allOpenOrders?${query}&signature=${signature}`, {
    method: 'DELETE',
    headers: { 'x-mbx-apikey': keys.apiKey },
  });
  expect(reply.status).toBe(200);
}
