import { expect, test } from 'vitest';
import {
  addressOf,
  mainManifest,
  mainRoles,
  register,
  router,
  usdt,
  vault,
} from '../../test/support/chain/main-manifest.ts';
import type { SignerPolicy } from './policy-file.ts';
import { findExcess, requireWithinManifest } from './policy-limits.ts';

const manifest = mainManifest();
const caps = {
  token: usdt,
  one: '250000000000',
  account: '25000000000',
  all: '250000000000',
  approveFrom: '25000000000',
};
const policy: SignerPolicy = {
  listen: 'unix:/signer.sock',
  tokenFile: null,
  log: 'signer.log',
  chainId: 42_161,
  keys: [
    { role: 'settler', address: mainRoles.settler, file: 'settler' },
    { role: 'reward', address: mainRoles.rewardSigner, file: 'reward' },
    { role: 'vault', address: mainRoles.vaultSigner, file: 'vault' },
    { role: 'guardian', address: addressOf('b8'), file: 'guardian' },
  ],
  reward: { domain: { name: 'Router', contract: router }, perAccountAndHour: 60 },
  vault: {
    domain: { name: 'SpotVault', contract: vault },
    approvers: [addressOf('c1'), addressOf('c2')],
    tokens: [caps],
  },
  transactions: { allowed: [], gasMax: '30000000', feePerGasMax: '50000000000' },
  guardian: { contracts: [router, register, vault] },
};
const withCaps = (change: Partial<typeof caps>): SignerPolicy => ({
  ...policy,
  vault: { ...policy.vault, tokens: [{ ...caps, ...change }] },
});
const withCall = (selector: string): SignerPolicy => ({
  ...policy,
  transactions: { ...policy.transactions, allowed: [{ to: router, selectors: [selector] }] },
});

test('policy limits: a policy that allows what the contracts pay is accepted', () => {
  expect(findExcess(policy, manifest)).toEqual([]);
});

test.each([
  ['of another chain', { ...policy, chainId: 1 }, 'chainId is not 42161'],
  [
    'with the domain of another router',
    { ...policy, reward: { ...policy.reward, domain: { name: 'Router', contract: vault } } },
    `reward.domain is not of ${router}`,
  ],
  [
    'with the domain of another vault',
    { ...policy, vault: { ...policy.vault, domain: { name: 'SpotVault', contract: router } } },
    `vault.domain is not of ${vault}`,
  ],
  [
    'with another key for a role',
    { ...policy, keys: [{ role: 'vault', address: mainRoles.rewardSigner, file: 'vault' }] },
    `the vault key is not ${mainRoles.vaultSigner}`,
  ],
  [
    'of one approver',
    { ...policy, vault: { ...policy.vault, approvers: [addressOf('c1')] } },
    'vault.approvers are fewer than two',
  ],
  [
    'of one approver named twice',
    { ...policy, vault: { ...policy.vault, approvers: [addressOf('c1'), addressOf('c1')] } },
    'vault.approvers are fewer than two',
  ],
  ['with a token of its own', withCaps({ token: vault }), `${vault} is not in the manifest`],
  ['with a larger release', withCaps({ one: '250000000001' }), 'one of USDT is above W, 250000'],
  ['with more for an account', withCaps({ account: '250000000001' }), 'account of USDT is above W'],
  ['with more for all', withCaps({ all: '250000000001' }), 'all of USDT is above W'],
  ['that asks nobody', withCaps({ approveFrom: '25000000001' }), 'approveFrom of USDT is above R'],
  ['that allows a transfer', withCall('0xa9059cbb'), '0xa9059cbb is none of the calls'],
  [
    'with a higher fee',
    { ...policy, transactions: { ...policy.transactions, feePerGasMax: '50000000001' } },
    'feePerGasMax is above 50 gwei',
  ],
  [
    'with a guardian of other contracts',
    { ...policy, guardian: { contracts: [usdt] } },
    `guardian.contracts: ${usdt} is not in the manifest`,
  ],
] as const satisfies readonly (readonly [string, SignerPolicy, string])[])(
  'policy limits: a policy %s is refused',
  (_, changed, words) => {
    const problems = findExcess(changed, manifest);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
  },
);

test('policy limits: only a test network needs no manifest', () => {
  expect(() => requireWithinManifest(policy, null)).toThrow('must name its manifest');
  requireWithinManifest({ ...policy, chainId: 31_337 }, null);
  expect(() => requireWithinManifest(policy, '/nonexistent')).toThrow('cannot be read');
});
