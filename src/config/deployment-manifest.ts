import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { strictObject } from './strict-object.ts';
import { networkKind } from './test-networks.ts';

// The contracts deployed on a chain and the assets that the exchange supports there: one file per
// chain, `deployments/<chainId>.json`. The exchange names its assets here; a token's own symbol is
// not used.

const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
const decimal = Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$' });
const blockNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const contract = strictObject({
  address,
  startBlock: blockNumber,
  /** Hash of the runtime code; null if it is not checked. */
  codeHash: Type.Union([hash, Type.Null()]),
  /** The contract whose totals, nonces and numbers this one continues. */
  predecessor: Type.Union([address, Type.Null()]),
});

const assetLimit = strictObject({
  /** Maximum of one instant release. */
  I: decimal,
  /** Maximum of all instant releases within the window, over which it refills evenly. */
  W: decimal,
  /** Seconds that a queued release waits. */
  D: Type.Integer({ minimum: 0, maximum: 604_800 }),
  /** Lower and upper mark of the hot balance. */
  F: decimal,
  H: decimal,
});

const asset = strictObject({
  symbol: Type.String({ pattern: '^[A-Za-z0-9._-]{1,20}$' }),
  address,
  decimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** The token's own symbol; null if it is not compared. */
  onChainSymbol: Type.Union([Type.String(), Type.Null()]),
  startBlock: blockNumber,
  deposits: Type.Boolean(),
  withdrawals: Type.Boolean(),
  minDeposit: Type.Optional(decimal),
  minWithdrawal: Type.Optional(decimal),
  limit: Type.Optional(assetLimit),
  /** The amount from which two people approve a withdrawal. */
  R: Type.Optional(decimal),
});

const manifestSchema = strictObject({
  format: Type.Literal(1),
  chainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  kind: Type.Union([Type.Literal('main'), Type.Literal('test')]),
  finality: Type.Union([
    Type.Literal('finalized'),
    Type.Literal('safe'),
    Type.Literal('confirmations'),
  ]),
  proofs: Type.Union([Type.Literal('required'), Type.Literal('quorum')]),
  startBlock: blockNumber,
  feeCaps: Type.Optional(
    strictObject({ maxFeePerGasGwei: decimal, perTransaction: decimal, perDay: decimal }),
  ),
  /** `S`, the maximum by which settlements raise totals within their window, in USDT. */
  settlementMax: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,6})?$' })),
  contracts: strictObject({
    rewardRouter: contract,
    referralRebate: contract,
    spotVault: contract,
  }),
  roles: Type.Optional(
    strictObject({
      owner: address,
      council: address,
      guardian: address,
      settler: address,
      rewardSigner: address,
      vaultSigner: address,
      coldWallet: address,
    }),
  ),
  assets: Type.Array(asset, { minItems: 1 }),
});

/** The manifest; all addresses are in lowercase. */
export type DeploymentManifest = Static<typeof manifestSchema>;
type ManifestAsset = DeploymentManifest['assets'][number];

export type ParsedManifest =
  | { readonly manifest: DeploymentManifest }
  | { readonly problems: readonly string[] };

/** Validates a manifest's text: first its shape, then the consistency of its fields. */
export function parseManifest(text: string): ParsedManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problems: ['is not JSON'] };
  }
  if (!Value.Check(manifestSchema, value)) {
    const problems = Value.Errors(manifestSchema, value).map(
      ({ instancePath, message }) => `${instancePath === '' ? '/' : instancePath} ${message}`,
    );
    return { problems: [...new Set(problems)] };
  }
  const manifest = withLowercaseAddresses(value) as DeploymentManifest;
  const problems = [...contradictionsOf(manifest)];
  return problems.length === 0 ? { manifest } : { problems };
}

/** Reads the file; each problem is a sentence that starts with its path. */
export function loadManifest(path: string): ParsedManifest {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { problems: [`${path} cannot be read`] };
  }
  const parsed = parseManifest(text);
  if ('manifest' in parsed) return parsed;
  return { problems: parsed.problems.map((problem) => `${path}: ${problem}`) };
}

function* contradictionsOf(manifest: DeploymentManifest): Iterable<string> {
  const { chainId, kind, assets, contracts } = manifest;
  if (kind === 'test' && networkKind(chainId) === 'main') {
    yield `/kind must be main: chain id ${chainId} is not on the list of test networks`;
  }
  yield* repeatedOf(
    '/assets symbol',
    assets.map(({ symbol }) => symbol),
  );
  yield* repeatedOf(
    '/assets address',
    assets.map((each) => each.address),
  );
  yield* repeatedOf(
    '/contracts address',
    Object.values(contracts).map((each) => each.address),
  );
  for (const field of ['feeCaps', 'settlementMax', 'roles'] as const) {
    if (kind === 'main' && manifest[field] === undefined) {
      yield `/${field} is required on a main network`;
    }
  }
  for (const each of assets) yield* contradictionsOfAsset(each, kind);
}

function* contradictionsOfAsset(
  { symbol, limit, R, decimals }: ManifestAsset,
  kind: DeploymentManifest['kind'],
): Iterable<string> {
  if (kind === 'main' && (limit === undefined || R === undefined)) {
    yield `/assets ${symbol}: limit and R are required on a main network`;
  }
  if (limit === undefined) return;
  if (unitsOf(limit.I) > unitsOf(limit.W)) yield `/assets ${symbol}: I must not be above W`;
  if (unitsOf(limit.F) > unitsOf(limit.H)) yield `/assets ${symbol}: F must not be above H`;
  const amounts = [limit.I, limit.W, limit.F, limit.H, R ?? '0'];
  if (amounts.some((amount) => (amount.split('.')[1]?.length ?? 0) > decimals)) {
    yield `/assets ${symbol}: amounts have more than ${decimals} decimals`;
  }
}

function* repeatedOf(what: string, values: readonly string[]): Iterable<string> {
  for (const value of new Set(values)) {
    if (values.filter((each) => each === value).length > 1) yield `${what} ${value} is repeated`;
  }
}

const unitDigits = 18;

function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(unitDigits, '0'));
}

function withLowercaseAddresses(value: unknown): unknown {
  if (typeof value === 'string') {
    return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value;
  }
  if (Array.isArray(value)) return value.map(withLowercaseAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withLowercaseAddresses(each)]),
  );
}
