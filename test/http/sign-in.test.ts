import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignatureClaim } from '../../src/application/ports/accounts.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { createTestServer, type TestServer, testPublicUrl } from '../support/test-server.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const address = wallet.address.toLowerCase();
const stranger = privateKeyToAccount(generatePrivateKey());

interface Nonce {
  readonly nonce: string;
  readonly message: string;
  readonly expires_at: string;
}

let server: TestServer;
let claims: SignatureClaim[] = [];
let isContractWilling = false;

beforeAll(async () => {
  server = await createTestServer({
    contractSignatures: {
      verify: async (claim) => {
        claims.push(claim);
        return isContractWilling;
      },
    },
  });
});
beforeEach(() => {
  claims = [];
  isContractWilling = false;
});
afterAll(() => server.close());

async function requestNonce(of: string = wallet.address): Promise<Nonce> {
  const reply = await server.inject({
    method: 'POST',
    url: '/api/v1/auth/nonce',
    payload: { address: of },
  });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ data: Nonce }>().data;
}

async function logIn(message: string, signature: string) {
  return server.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { message, signature },
  });
}

async function expectRefused(message: string, code: string): Promise<void> {
  const reply = await logIn(message, await wallet.signMessage({ message }));
  expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
    code === 'INVALID_PARAMETER' ? 400 : 401,
    { success: false, data: null, error: { code } },
  ]);
}

describe('nonce', () => {
  test('answers nonce, message and expiry in five minutes', async () => {
    const { nonce, message, expires_at } = await requestNonce();
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(Date.parse(expires_at)).toBe(server.time + 300_000);
    expect(parseSiweMessage(message)).toEqual({
      domain: '127.0.0.1:8080',
      address: wallet.address,
      statement: expect.any(String) as string,
      uri: testPublicUrl,
      version: '1',
      chainId: 31_337,
      nonce,
      issuedAt: new Date(server.time),
      expirationTime: new Date(server.time + 300_000),
    });
  });

  test('the message is EIP-4361 to the byte, as other libraries write it', async () => {
    const { message } = await requestNonce();
    const fields = parseSiweMessage(message) as Parameters<typeof createSiweMessage>[0];
    expect(createSiweMessage(fields)).toBe(message);
  });

  test('every nonce is different', async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, async () => requestNonce()));
    expect(new Set(nonces.map(({ nonce }) => nonce)).size).toBe(20);
  });

  test.each(['', '0x', '0x12', `0x${'g'.repeat(40)}`, 'vitalik.eth', 7, null, undefined])(
    'address %j: 400 INVALID_PARAMETER',
    async (bad) => {
      const reply = await server.inject({
        method: 'POST',
        url: '/api/v1/auth/nonce',
        payload: bad === undefined ? {} : { address: bad },
      });
      expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
        400,
        { error: { code: 'INVALID_PARAMETER' } },
      ]);
    },
  );
});

describe('login', () => {
  test('a signed message: token, lowercase address, expiry; the account is open', async () => {
    const { message } = await requestNonce();
    const reply = await logIn(message, await wallet.signMessage({ message }));
    const { data } = reply.json<{ data: { token: string; address: string; expires_at: string } }>();
    expect(data.address).toBe(address);
    expect(Date.parse(data.expires_at)).toBe(Math.floor(server.time / 1000) * 1000 + 3_600_000);
    expect(server.exchange.engine.findAccount(address as Address)).not.toBeNull();
    const headers = { authorization: `Bearer ${data.token}` };
    const keys = await server.inject({ url: '/api/v1/account/api-keys', headers });
    expect(keys.json()).toMatchObject({ success: true, data: [] });
  });

  test('a message used before: 401 NONCE_EXPIRED', async () => {
    const { message } = await requestNonce();
    const signature = await wallet.signMessage({ message });
    expect((await logIn(message, signature)).statusCode).toBe(200);
    const again = await logIn(message, signature);
    expect([again.statusCode, again.json<unknown>()]).toMatchObject([
      401,
      { error: { code: 'NONCE_EXPIRED' } },
    ]);
  });

  test('the same message many times at once: one sign-in', async () => {
    const { message } = await requestNonce();
    const signature = await wallet.signMessage({ message });
    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => logIn(message, signature)),
    );
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('a nonce that was never issued: 401 NONCE_EXPIRED', async () => {
    const { message, nonce } = await requestNonce();
    await expectRefused(message.replace(nonce, 'f'.repeat(32)), 'NONCE_EXPIRED');
  });

  test('a message older than five minutes: 401 NONCE_EXPIRED', async () => {
    const { message } = await requestNonce();
    const late = message.replace(/\nExpiration Time: .*$/, '');
    server.time += 300_000;
    await expectRefused(message, 'NONCE_EXPIRED');
    await expectRefused(late, 'NONCE_EXPIRED');
  });

  test("another address's nonce: 401 INVALID_SIGNATURE", async () => {
    const { message } = await requestNonce(stranger.address);
    await expectRefused(message.replace(stranger.address, wallet.address), 'INVALID_SIGNATURE');
  });

  test("another wallet's signature: 401 INVALID_SIGNATURE", async () => {
    const { message } = await requestNonce();
    const reply = await logIn(message, await stranger.signMessage({ message }));
    expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
      401,
      { error: { code: 'INVALID_SIGNATURE' } },
    ]);
  });

  test('a signature of something else: 401 INVALID_SIGNATURE', async () => {
    const { message } = await requestNonce();
    const reply = await logIn(message, await wallet.signMessage({ message: `${message} ` }));
    expect(reply.json<unknown>()).toMatchObject({ error: { code: 'INVALID_SIGNATURE' } });
  });

  test.each([
    ['another host', (text: string) => text.replace(/^127\.0\.0\.1:8080/, 'evil.example')],
    ['another port', (text: string) => text.replace(/^127\.0\.0\.1:8080/, '127.0.0.1:8081')],
    ['no port', (text: string) => text.replace(/^127\.0\.0\.1:8080/, '127.0.0.1')],
    ['another scheme', (text: string) => `https://${text}`],
    [
      'another uri',
      (text: string) => text.replace('URI: http://127.0.0.1:8080', 'URI: https://evil.example'),
    ],
    [
      'a uri that only begins alike',
      (text: string) =>
        text.replace('URI: http://127.0.0.1:8080', 'URI: http://127.0.0.1:8080.evil.example'),
    ],
    ['another chain', (text: string) => text.replace('Chain ID: 31337', 'Chain ID: 1')],
  ])('a message for %s: 401 DOMAIN_MISMATCH', async (_name, change) => {
    const { message } = await requestNonce();
    await expectRefused(change(message), 'DOMAIN_MISMATCH');
  });

  test('the Host header does not matter', async () => {
    const { message } = await requestNonce();
    const forged = message.replace(/127\.0\.0\.1:8080/g, 'evil.example');
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { host: 'evil.example' },
      payload: { message: forged, signature: await wallet.signMessage({ message: forged }) },
    });
    expect(reply.json<unknown>()).toMatchObject({ error: { code: 'DOMAIN_MISMATCH' } });
  });

  test.each([
    ['version 2', (text: string) => text.replace('Version: 1', 'Version: 2')],
    ['an extra line', (text: string) => `${text}\nNote: x`],
    ['a line end more', (text: string) => `${text}\n`],
    ['a blank in front', (text: string) => ` ${text}`],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    [
      'lines in another order',
      (text: string) => text.replace(/(Version: 1)\n(Chain ID: \d+)/, '$2\n$1'),
    ],
    ['a Cyrillic letter in the domain', (text: string) => text.replace(/^1/, 'а')],
    ['a lone text', () => 'Sign me in'],
    ['a time without a zone', (text: string) => text.replace(/(Issued At: .*)Z/, '$1')],
    [
      'a time that does not exist',
      (text: string) => text.replace(/Issued At: .*/, 'Issued At: 2026-13-41T25:00:00Z'),
    ],
    ['a chain id in hex', (text: string) => text.replace('Chain ID: 31337', 'Chain ID: 0x7a69')],
  ])('a message with %s: 400 INVALID_PARAMETER', async (_name, change) => {
    const { message } = await requestNonce();
    await expectRefused(change(message), 'INVALID_PARAMETER');
  });

  test('issued in the future, or not valid yet: 401 INVALID_SIGNATURE', async () => {
    const { message } = await requestNonce();
    const later = new Date(server.time + 120_000).toISOString();
    await expectRefused(
      message.replace(/Issued At: .*/, `Issued At: ${later}`),
      'INVALID_SIGNATURE',
    );
    await expectRefused(`${message}\nNot Before: ${later}`, 'INVALID_SIGNATURE');
  });

  test('a message that the wallet composed itself around the nonce: 200', async () => {
    const { nonce } = await requestNonce();
    const message = createSiweMessage({
      domain: '127.0.0.1:8080',
      address: wallet.address,
      uri: `${testPublicUrl}/login`,
      version: '1',
      chainId: 31_337,
      nonce,
      issuedAt: new Date(server.time),
      requestId: 'abc',
      resources: ['https://example.com/terms'],
    });
    expect((await logIn(message, await wallet.signMessage({ message }))).statusCode).toBe(200);
  });

  test.each(['', '0x', 'abc', '0xzz', '0x123', 7])('signature %j: 400', async (signature) => {
    const { message } = await requestNonce();
    const reply = await logIn(message, signature as string);
    expect(reply.statusCode).toBe(400);
  });
});

describe('contract wallets', () => {
  const contract = `0x${'c0'.repeat(20)}`;
  const signature = `0x${'ab'.repeat(200)}`;

  test('a contract wallet is asked (EIP-1271) and signs in', async () => {
    isContractWilling = true;
    const { message } = await requestNonce(contract);
    const reply = await logIn(message, signature);
    expect(reply.statusCode).toBe(200);
    expect(claims).toEqual([{ address: contract, message, signature }]);
  });

  test('a contract that refuses: 401 INVALID_SIGNATURE, and the nonce is spent', async () => {
    const { message } = await requestNonce(contract);
    expect((await logIn(message, signature)).json<unknown>()).toMatchObject({
      error: { code: 'INVALID_SIGNATURE' },
    });
    isContractWilling = true;
    expect((await logIn(message, signature)).json<unknown>()).toMatchObject({
      error: { code: 'NONCE_EXPIRED' },
    });
  });

  test('no contract is queried for a nonce that was not issued', async () => {
    const { message, nonce } = await requestNonce(contract);
    await logIn(message.replace(nonce, '0'.repeat(32)), signature);
    expect(claims).toEqual([]);
  });
});
