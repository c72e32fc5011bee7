import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import type { Address } from '../../domain/identifiers.ts';
import { fromHexAddress } from '../evm-values.ts';
import { addressesOf, type ChainSigner, type TransactionDraft } from './chain-signer.ts';
import { BadSignatureError, checkedSigner } from './checked-signer.ts';
import { createLocalSigner } from './local-signer.ts';
import { createRemoteSigner, SignerRefusedError } from './remote-signer.ts';
import { createSigners } from './signer-settings.ts';

const key: Hex = '0x5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e';
const otherKey: Hex = '0x6ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e';
const account = '0x00000000000000000000000000000000000000a1' as Address;
const contract = '0x00000000000000000000000000000000000000c1' as Address;
const domain = { name: 'SpotVault', chainId: 31_337, verifyingContract: contract };
const voucher = { account, value: 10n, nonce: 0n, deadline: 2_000_000_000n };
const release = { ...voucher, token: contract };
const draft: TransactionDraft = {
  nonce: 3,
  to: contract,
  data: '0x1234',
  gasLimit: 50_000n,
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 2n,
};
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The same signature in its other form, with a high s. */
function highForm(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, '0')}${v}`;
}

const honest = createLocalSigner(key);
const bogus = (change: Partial<ChainSigner>) => checkedSigner({ ...honest, ...change });

const wrongSignatures: readonly (readonly [string, () => Promise<string>])[] = [
  ['of another key', async () => createLocalSigner(otherKey).signReward(domain, voucher)],
  ['over another amount', async () => honest.signReward(domain, { ...voucher, value: 11n })],
  ['of another kind', async () => honest.signRelease(domain, release)],
  ['with a high s', async () => highForm(await honest.signReward(domain, voucher))],
  ['with v 0', async () => (await honest.signReward(domain, voucher)).replace(/1[bc]$/, '00')],
  ['of 64 bytes', async () => (await honest.signReward(domain, voucher)).slice(0, -2)],
  ['that is none', () => Promise.resolve('0xzz')],
  ['of zeros', () => Promise.resolve(`0x${'00'.repeat(64)}1b`)],
];

test.each(wrongSignatures)('signers: a signature %s is refused (18)', async (_, answer) => {
  const signer = bogus({ signReward: async () => (await answer()) as Hex });
  await expect(signer.signReward(domain, voucher)).rejects.toThrow(BadSignatureError);
});

test('signers: a release of another token is refused (18)', async () => {
  const signer = bogus({
    signRelease: async () => honest.signRelease(domain, { ...release, token: account }),
  });
  await expect(signer.signRelease(domain, release)).rejects.toThrow(BadSignatureError);
});

const wrongTransactions: readonly (readonly [string, Partial<TransactionDraft>])[] = [
  ['to another address', { to: account }],
  ['with other data', { data: '0x1235' }],
  ['with another nonce', { nonce: 4 }],
  ['with a higher fee', { maxFeePerGas: 10n }],
];

test.each(wrongTransactions)('signers: a transaction %s is refused (18)', async (_, change) => {
  const signer = bogus({
    signTransaction: async (chainId, asked) =>
      honest.signTransaction(chainId, { ...asked, ...change }),
  });
  await expect(signer.signTransaction(1, draft)).rejects.toThrow(BadSignatureError);
});

test('signers: a transaction of another chain or key, or unsigned, is refused (18)', async () => {
  const answers = [
    async () => honest.signTransaction(2, draft),
    async () => createLocalSigner(otherKey).signTransaction(1, draft),
    async () => ({ bytes: '0x02c0' as Hex, hash: '0x' as Hex }),
  ];
  for (const answer of answers) {
    const signer = bogus({ signTransaction: answer });
    await expect(signer.signTransaction(1, draft)).rejects.toThrow(BadSignatureError);
  }
});

test('signers: one key yields three with different addresses, the same at every start', () => {
  const { byRole, forFirstVersion } = createSigners({ privateKey: key });
  const addresses = Object.values(addressesOf(byRole));
  expect(new Set(addresses).size).toBe(3);
  expect(byRole.reward.address).toBe(honest.address);
  const again = createSigners({ privateKey: key }).byRole;
  expect(Object.values(addressesOf(again))).toEqual(addresses);
  const all = Object.values(addressesOf(forFirstVersion));
  expect(all).toEqual([honest.address, honest.address, honest.address]);
});

test('signers: settings by role name local and remote keys, and none of them is quoted', () => {
  const remote = `rpc:http://127.0.0.1:1#${contract}`;
  const settings = { settler: `local:${key}`, reward: remote, vault: remote, token: null };
  const { byRole } = createSigners(settings);
  expect(byRole.settler.address).toBe(honest.address);
  expect(byRole.reward.address).toBe(contract);
  const wrong = () => createSigners({ ...settings, settler: `file:${key}` });
  expect(wrong).toThrow('SETTLER_SIGNER must be local:HEX or rpc:URL#ADDRESS');
  expect(wrong).not.toThrow(key);
});

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly authorization: string | undefined;
}

/** A JSON-RPC server on its own port with the given answers. */
async function serve(answer: (asked: Asked) => Promise<{ status?: number; body: unknown }>) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      void answer({ ...call, authorization: request.headers.authorization }).then(
        ({ status = 200, body }) => {
          response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
        },
      );
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createRemoteSigner({ url, address: honest.address, token: 'secret', timeoutMs: 500 });
}

test("remote signer: typed data and transactions are sent in Web3Signer's format", async () => {
  const local = privateKeyToAccount(key);
  const seen: Asked[] = [];
  const signer = await serve(async (asked) => {
    seen.push(asked);
    if (asked.method === 'eth_signTypedData') {
      const data = asked.params[1] as Parameters<typeof local.signTypedData>[0];
      return { body: { result: await local.signTypedData(data) } };
    }
    const transaction = asked.params[0] as Record<string, Hex>;
    const result = await local.signTransaction({
      type: 'eip1559',
      chainId: Number(transaction['chainId']),
      nonce: Number(transaction['nonce']),
      to: transaction['to'] ?? null,
      data: transaction['data'] ?? '0x',
      gas: BigInt(transaction['gas'] ?? 0),
      maxFeePerGas: BigInt(transaction['maxFeePerGas'] ?? 0),
      maxPriorityFeePerGas: BigInt(transaction['maxPriorityFeePerGas'] ?? 0),
    });
    return { body: { result } };
  });
  expect(await signer.signReward(domain, voucher)).toBe(await honest.signReward(domain, voucher));
  expect(await signer.signRelease(domain, release)).toBe(await honest.signRelease(domain, release));
  const { bytes, hash } = await signer.signTransaction(1, draft);
  expect(hash).toBe(keccak256(bytes));
  expect(
    fromHexAddress(await recoverTransactionAddress({ serializedTransaction: bytes as never })),
  ).toBe(honest.address);
  expect(parseTransaction(bytes)).toMatchObject({ nonce: 3, chainId: 1, gas: 50_000n });
  expect(seen.map(({ method }) => method)).toEqual([
    'eth_signTypedData',
    'eth_signTypedData',
    'eth_signTransaction',
  ]);
  for (const { authorization } of seen) expect(authorization).toBe('Bearer secret');
});

test.each([
  ['a refusal', { body: { error: { message: 'over the cap' } } }, /refuses: over the cap/],
  ['no JSON', { body: 'x' }, /invalid answer/],
  ['no signature', { body: { result: 5 } }, /invalid answer/],
  ['another status', { status: 401, body: '' }, /status 401/],
])('remote signer: %s is an error of its own', async (_, answer, words) => {
  const signer = await serve(() => Promise.resolve(answer));
  const signing = signer.signReward(domain, voucher);
  await expect(signing).rejects.toThrow(SignerRefusedError);
  await expect(signing).rejects.toThrow(words);
});

test('remote signer: a signer that is down or silent is an error (17)', async () => {
  const silent = await serve(() => new Promise(() => undefined));
  await expect(silent.signReward(domain, voucher)).rejects.toThrow(SignerRefusedError);
  const url = 'unix:/nonexistent/signer.sock';
  const down = createRemoteSigner({ url, address: honest.address, token: null });
  await expect(down.signReward(domain, voucher)).rejects.toThrow(/cannot be reached/);
});

test('remote signer: it is reachable if it answers and has the key', async () => {
  const answers: unknown[] = [
    [honest.address.toUpperCase().replace('X', 'x')],
    [contract],
    'x',
    null,
  ];
  for (const [i, result] of answers.entries()) {
    const signer = await serve(() => Promise.resolve({ body: { result } }));
    expect(await signer.isReachable()).toBe(i === 0);
  }
  const url = 'unix:/nonexistent/signer.sock';
  const down = createRemoteSigner({ url, address: honest.address, token: null });
  expect(await down.isReachable()).toBe(false);
});
