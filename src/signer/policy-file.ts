import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readJsonFile } from '../config/read-json-file.ts';
import { strictObject } from '../config/strict-object.ts';

// signer.json: the keys that exist, and everything they may sign. Whatever is not named is refused.

const address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const rawAmount = Type.String({ pattern: '^[0-9]{1,39}$' });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000 });

const owner = {
  role: Type.Union([
    Type.Literal('settler'),
    Type.Literal('reward'),
    Type.Literal('vault'),
    Type.Literal('guardian'),
  ]),
  address,
};

const key = Type.Union([
  /** A file with the key as 64 hex digits, readable only by the signer. */
  strictObject({ ...owner, file: Type.String() }),
  /**
   * Hardware: the path of its library, the labels of the token and the key, and a file with the
   * PIN.
   */
  strictObject({
    ...owner,
    pkcs11: strictObject({
      module: Type.String(),
      token: Type.String(),
      label: Type.String(),
      pinFile: Type.String(),
    }),
  }),
  /** A key in AWS KMS; `endpoint` if it is not the region's own. */
  strictObject({
    ...owner,
    awsKms: strictObject({
      keyId: Type.String(),
      region: Type.String(),
      endpoint: Type.Optional(Type.String()),
    }),
  }),
]);

const domain = strictObject({ name: Type.String(), contract: address });

const schema = strictObject({
  /** host:port, or unix:/path of a socket. */
  listen: Type.String({ pattern: '^(unix:/.+|[^:]+:[0-9]{1,5})$' }),
  /** A file with the bearer token; null if the socket's permissions are enough. */
  tokenFile: Type.Union([Type.String(), Type.Null()]),
  log: Type.String(),
  chainId: Type.Integer({ minimum: 1 }),
  /** The chain's manifest, which the policy must not exceed; required on a main network. */
  manifest: Type.Optional(Type.String()),
  keys: Type.Array(key, { minItems: 1 }),
  reward: strictObject({ domain, perAccountAndHour: count }),
  vault: strictObject({
    domain,
    approvers: Type.Array(address),
    /** Raw amounts: `one` limits a single release, `account` and `all` any 24 hours. */
    tokens: Type.Array(
      strictObject({
        token: address,
        one: rawAmount,
        account: rawAmount,
        all: rawAmount,
        approveFrom: rawAmount,
      }),
    ),
  }),
  transactions: strictObject({
    allowed: Type.Array(
      strictObject({
        to: address,
        selectors: Type.Array(Type.String({ pattern: '^0x[0-9a-f]{8}$' })),
      }),
    ),
    gasMax: rawAmount,
    feePerGasMax: rawAmount,
  }),
  /** The contracts that the guardian may pause; it sends nothing else. */
  guardian: Type.Optional(strictObject({ contracts: Type.Array(address) })),
});

export type SignerPolicy = Static<typeof schema>;
export type SignerRole = SignerPolicy['keys'][number]['role'];

/** @throws Error that names the file and every field that is wrong. */
export function loadPolicy(path: string): SignerPolicy {
  const value = readJsonFile(path);
  if (Value.Check(schema, value)) {
    const contradictions = [...contradictionsOf(value)];
    if (contradictions.length === 0) return value;
    throw new Error(`${path}: ${contradictions.join('; ')}`);
  }
  const problems = Value.Errors(schema, value).map(
    ({ instancePath, message }) => `${instancePath === '' ? '/' : instancePath} ${message}`,
  );
  throw new Error(`${path}: ${[...new Set(problems)].join('; ')}`);
}

function* contradictionsOf({ listen, tokenFile, keys }: SignerPolicy): Iterable<string> {
  if (tokenFile === null && !listen.startsWith('unix:')) {
    yield '/tokenFile is required: without a token only a Unix socket is safe';
  }
  const addresses = keys.map((each) => each.address);
  if (new Set(addresses).size < addresses.length) yield '/keys: one key has two roles';
}
