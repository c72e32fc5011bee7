import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keccak256, parseSignature, recoverAddress, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAwsKmsKey } from './aws-kms-key.ts';

// A key service that answers in Amazon's words: plain ECDSA in DER, in half of the cases with the
// high form of s, which is as good to it.

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-of-kms' };

interface Call {
  readonly action: string;
  readonly authorization: string;
  readonly input: Readonly<Record<string, unknown>>;
}

let server: Server;
let calls: Call[];
let answer: (call: Call) => Promise<object> | object;

beforeEach(async () => {
  Object.assign(process.env, credentials);
  calls = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        action: String(request.headers['x-amz-target']),
        authorization: String(request.headers.authorization),
        input: JSON.parse(Buffer.concat(chunks).toString()) as Call['input'],
      };
      calls.push(call);
      void Promise.resolve(answer(call)).then((body) => {
        const status = '__type' in body ? 400 : 200;
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => {
  for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
  server.close();
  server.closeAllConnections();
});

const open = () =>
  openAwsKmsKey({
    keyId: 'alias/vault',
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });

/** A key on the given curve: its public part as the service answers it, and its private scalar. */
function makeKey(namedCurve: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return {
    spki: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    scalar: toHex(Buffer.from(d, 'base64url'), { size: 32 }),
  };
}

function derOf(r: bigint, s: bigint): string {
  const integer = (value: bigint) => {
    const digits = value.toString(16);
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    const bytes = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex');
    return Buffer.concat([Buffer.of(2, bytes.length), bytes]);
  };
  const content = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]).toString('base64');
}

function serveKey() {
  const { spki, scalar } = makeKey('secp256k1');
  const account = privateKeyToAccount(scalar);
  let signatures = 0;
  answer = async ({ action, input }) => {
    if (action === 'TrentService.GetPublicKey') return { PublicKey: spki };
    const hash = toHex(Buffer.from(String(input['Message']), 'base64'));
    const { r, s } = parseSignature(await account.sign({ hash }));
    signatures += 1;
    const isHigh = signatures % 2 === 0;
    return { Signature: derOf(BigInt(r), isHigh ? order - BigInt(s) : BigInt(s)) };
  };
  return account.address.toLowerCase();
}

test('KMS: digests are signed with a low s and the recovery id of the key', async () => {
  const address = serveKey();
  const key = await open();
  expect(key.address).toBe(address);
  for (let i = 0; i < 40; i += 1) {
    const hash = keccak256(toHex(i));
    const signature = await key.sign(hash);
    expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(order / 2n);
    expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(address);
  }
  expect(calls[1]?.action).toBe('TrentService.Sign');
  expect(calls[1]?.input).toEqual({
    KeyId: 'alias/vault',
    Message: Buffer.from(keccak256(toHex(0)).slice(2), 'hex').toString('base64'),
    MessageType: 'DIGEST',
    SigningAlgorithm: 'ECDSA_SHA_256',
  });
  for (const { authorization } of calls) {
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/kms/,
    );
  }
});

test('KMS: a signature by another key, or an invalid one, is refused', async () => {
  const address = serveKey();
  const key = await open();
  const other = privateKeyToAccount(makeKey('secp256k1').scalar);
  const hash = keccak256('0x01');
  const { r, s } = parseSignature(await other.sign({ hash }));
  const wrong: readonly (readonly [string, string])[] = [
    [derOf(BigInt(r), BigInt(s)), `not of ${address}`],
    [`${derOf(BigInt(r), BigInt(s)).slice(0, -8)}`, 'DER'],
    [Buffer.concat([Buffer.from(derOf(1n, 1n), 'base64'), Buffer.of(0)]).toString('base64'), 'DER'],
    [Buffer.of(0x31, 0).toString('base64'), 'DER'],
  ];
  for (const [Signature, words] of wrong) {
    answer = () => ({ Signature });
    await expect(key.sign(hash)).rejects.toThrow(words);
  }
});

test('KMS: a key of another curve is refused at the start', async () => {
  answer = () => ({ PublicKey: makeKey('P-256').spki });
  await expect(open()).rejects.toThrow('not of the curve secp256k1');
});

test('KMS: a refusal is an error of the service, without the credentials', async () => {
  answer = () => ({ __type: 'AccessDeniedException', message: 'no kms:GetPublicKey' });
  const opening = open();
  await expect(opening).rejects.toThrow('no kms:GetPublicKey');
  await expect(opening).rejects.not.toThrow('secret-of-kms');
});
