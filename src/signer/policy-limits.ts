import { parseGwei, parseUnits, toFunctionSelector } from 'viem';
import { type DeploymentManifest, loadManifest } from '../config/deployment-manifest.ts';
import { networkKind } from '../config/test-networks.ts';
import type { SignerPolicy } from './policy-file.ts';

// The most that a policy may allow: the contracts and keys of the chain's manifest, calls that
// cannot choose where money goes, and no more than the contracts pay instantly.

const calls = [
  'batchSettleRewards(address[],uint256[])',
  'multicall(bytes[])',
  'payQueued(uint256)',
  'sweep(address)',
];
const selectors: ReadonlySet<string> = new Set(calls.map((each) => toFunctionSelector(each)));

/**
 * @param path - of the manifest; null if the policy names none
 * @throws Error that lists what the policy allows beyond the manifest
 */
export function requireWithinManifest(policy: SignerPolicy, path: string | null): void {
  if (path === null) {
    if (networkKind(policy.chainId) === 'test') return;
    throw new Error(`the policy must name its manifest: chain id ${policy.chainId} has real money`);
  }
  const loaded = loadManifest(path);
  if (!('manifest' in loaded)) throw new Error(loaded.problems.join('; '));
  const problems = findExcess(policy, loaded.manifest);
  if (problems.length > 0) throw new Error(`the policy allows too much: ${problems.join('; ')}`);
}

export function findExcess(policy: SignerPolicy, manifest: DeploymentManifest): readonly string[] {
  return [
    ...differencesOf(policy, manifest),
    ...excessOfReleases(policy, manifest),
    ...excessOfTransactions(policy, manifest),
  ];
}

function* differencesOf(
  policy: SignerPolicy,
  { chainId, contracts, roles }: DeploymentManifest,
): Iterable<string> {
  if (policy.chainId !== chainId) yield `chainId is not ${chainId}`;
  if (policy.reward.domain.contract !== contracts.rewardRouter.address) {
    yield `reward.domain is not of ${contracts.rewardRouter.address}`;
  }
  if (policy.vault.domain.contract !== contracts.spotVault.address) {
    yield `vault.domain is not of ${contracts.spotVault.address}`;
  }
  const named = {
    settler: roles?.settler,
    reward: roles?.rewardSigner,
    vault: roles?.vaultSigner,
    // There are several guardians, of whom the manifest names one.
    guardian: undefined,
  };
  for (const { role, address } of policy.keys) {
    const wanted = named[role];
    if (wanted !== undefined && address !== wanted) yield `the ${role} key is not ${wanted}`;
  }
  const known = Object.values(contracts).map(({ address }) => address);
  for (const contract of policy.guardian?.contracts ?? []) {
    if (!known.includes(contract)) yield `guardian.contracts: ${contract} is not in the manifest`;
  }
}

function* excessOfReleases(
  { vault }: SignerPolicy,
  { kind, assets }: DeploymentManifest,
): Iterable<string> {
  if (kind === 'main' && new Set(vault.approvers).size < 2)
    yield 'vault.approvers are fewer than two';
  for (const caps of vault.tokens) {
    const asset = assets.find(({ address }) => address === caps.token);
    if (asset === undefined) {
      yield `vault.tokens: ${caps.token} is not in the manifest`;
      continue;
    }
    const { symbol, decimals, limit, R } = asset;
    const isAbove = (cap: string, amount: string | undefined) =>
      amount !== undefined && BigInt(cap) > parseUnits(amount, decimals);
    for (const name of ['one', 'account', 'all'] as const) {
      if (isAbove(caps[name], limit?.W)) yield `${name} of ${symbol} is above W, ${limit?.W}`;
    }
    if (isAbove(caps.approveFrom, R)) yield `approveFrom of ${symbol} is above R, ${R}`;
  }
}

function* excessOfTransactions(
  { transactions }: SignerPolicy,
  { feeCaps }: DeploymentManifest,
): Iterable<string> {
  for (const selector of transactions.allowed.flatMap((each) => each.selectors)) {
    if (!selectors.has(selector)) yield `transactions.allowed: ${selector} is none of the calls`;
  }
  if (feeCaps === undefined) return;
  if (BigInt(transactions.feePerGasMax) > parseGwei(feeCaps.maxFeePerGasGwei)) {
    yield `feePerGasMax is above ${feeCaps.maxFeePerGasGwei} gwei`;
  }
}
