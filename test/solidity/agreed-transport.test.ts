import { expect, test } from 'vitest';
import {
  type AskedNode,
  agreedTransport,
  ask,
  DisagreementError,
} from '../../contracts/deployment/agreed-transport.ts';
import { requireSame } from '../../contracts/deployment/simulate-plan.ts';

const terms = { attempts: 2, pauseMs: 0 };

interface Asked {
  readonly method: string;
  readonly params?: unknown;
}

/** A node that answers from a table, and records what it was asked. */
function nodeWith(
  table: Readonly<Record<string, unknown>>,
): AskedNode & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    request: (call) => {
      asked.push(call);
      const answer = table[call.method];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}
const askAll = (
  method: string,
  tables: readonly Readonly<Record<string, unknown>>[],
  params?: unknown,
) => ask(tables.map(nodeWith), { method, ...(params === undefined ? {} : { params }) }, terms);

test('agreed nodes: an answer that they agree on is accepted, in any letter case', async () => {
  expect(await askAll('eth_chainId', [{ eth_chainId: '0xA4B1' }, { eth_chainId: '0xa4b1' }])).toBe(
    '0xA4B1',
  );
});

test.each([
  ['eth_call', '0x01', '0x02'],
  ['eth_getCode', '0x60', '0x'],
  ['eth_getLogs', [{ address: '0x01', data: '0x', logIndex: '0x0' }], []],
  ['eth_getTransactionReceipt', { status: '0x1', blockHash: '0x01' }, { status: '0x0' }],
  ['eth_getBlockByNumber', { number: '0x5', hash: '0x01' }, { number: '0x5', hash: '0x02' }],
])('agreed nodes: a different answer to %s stops', async (method, one, other) => {
  const head = { eth_blockNumber: '0x5' };
  const params = method === 'eth_getBlockByNumber' ? ['0x5', false] : [{}, '0x5'];
  const answering = askAll(
    method,
    [
      { ...head, [method]: one },
      { ...head, [method]: other },
    ],
    params,
  );
  await expect(answering).rejects.toThrow(DisagreementError);
});

test('agreed nodes: a node that shows no withdrawal does not have it returned', async () => {
  const one = { eth_blockNumber: '0x5', eth_call: '0x01' };
  const lying = { eth_blockNumber: '0x5', eth_call: '0x00' };
  await expect(askAll('eth_call', [one, lying], [{}, 'latest'])).rejects.toThrow('eth_call');
});

test('agreed nodes: fields that only one of them has make no difference', async () => {
  const receipt = { status: '0x1', blockHash: '0x01', transactionHash: '0x02' };
  const method = 'eth_getTransactionReceipt';
  const found = await askAll(method, [
    { [method]: receipt },
    { [method]: { ...receipt, l1Fee: '0x9' } },
  ]);
  expect(found).toEqual(receipt);
});

test('agreed nodes: the newest state is the one of the lowest head', async () => {
  const nodes = [
    nodeWith({ eth_blockNumber: '0x10', eth_call: '0x01' }),
    nodeWith({ eth_blockNumber: '0xf', eth_call: '0x01' }),
  ];
  await ask(nodes, { method: 'eth_call', params: [{ to: '0x' }, 'latest'] }, terms);
  for (const { asked } of nodes) {
    expect(asked.at(-1)).toEqual({ method: 'eth_call', params: [{ to: '0x' }, '0xf'] });
  }
});

test('agreed nodes: the lowest of the heads and the middle one of the estimates count', async () => {
  const numbers = ['0x1', '0xff', '0x20'];
  const tables = (method: string) => numbers.map((each) => ({ [method]: each }));
  expect(await askAll('eth_blockNumber', tables('eth_blockNumber'))).toBe('0x1');
  expect(await askAll('eth_gasPrice', tables('eth_gasPrice'))).toBe('0x20');
});

test('agreed nodes: one node that accepts a transaction is enough, one that is silent stops everything else', async () => {
  const method = 'eth_sendRawTransaction';
  const down = { [method]: new Error('down'), eth_chainId: new Error('down') };
  expect(await askAll(method, [down, { [method]: '0x01' }])).toBe('0x01');
  await expect(askAll(method, [down, down])).rejects.toThrow('down');
  await expect(askAll('eth_chainId', [down, { eth_chainId: '0x1' }])).rejects.toThrow('down');
});

test.each([
  'http://a,http://a',
  'https://a/key,https://A:443/other-key',
  'http://a,http://b,http://a/',
])('agreed nodes: a node named twice is refused: %s', (urls) => {
  expect(() => agreedTransport(urls)).toThrow('--rpc names a node twice');
});

test('agreed nodes: a step that uses different gas on a copy of another node stops', () => {
  const copy = (gas: bigint) => [
    { name: 'deploy', gas: 5n },
    { name: 'hand over', gas },
  ];
  expect(requireSame([copy(7n), copy(7n)])).toEqual(copy(7n));
  expect(() => requireSame([copy(7n), copy(7n), copy(8n)])).toThrow(
    new DisagreementError('the nodes differ in what the step uses: hand over'),
  );
});
