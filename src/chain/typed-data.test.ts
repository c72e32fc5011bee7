import {
  concat,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  keccak256,
  recoverTypedDataAddress,
  toBytes,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { Address } from '../domain/identifiers.ts';
import { rewardRouterAbi } from './abi/reward-router-abi.ts';
import { spotVaultAbi } from './abi/spot-vault-abi.ts';
import { createLocalSigner } from './signers/local-signer.ts';
import {
  type ReleaseVoucher,
  type RewardVoucher,
  releaseTypedData,
  rewardTypedData,
  type SigningDomain,
} from './typed-data.ts';

const account = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' as Address;
const token = '0x00000000000000000000000000000000000000df' as Address;
const key = keccak256(toBytes('cow'));
const domain: SigningDomain = {
  name: 'ReferralRewardRouter',
  chainId: 31_337,
  verifyingContract: '0xcccccccccccccccccccccccccccccccccccccccc' as Address,
};
const reward: RewardVoucher = {
  account,
  value: 12_345_678n,
  nonce: 7n,
  deadline: 1_800_003_600n,
};
const release: ReleaseVoucher = { ...reward, token, value: 10n ** 18n };

// EIP-712 written out by hand, so that the library is not checked against itself.
function digestByHand(parts: { readonly domain: SigningDomain; readonly struct: Hex }): Hex {
  const domainType =
    'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
  const separator = keccak256(
    encodeAbiParameters(
      ['bytes32', 'bytes32', 'bytes32', 'uint256', 'address'].map((type) => ({ type })),
      [
        keccak256(toBytes(domainType)),
        keccak256(toBytes(parts.domain.name)),
        keccak256(toBytes('1')),
        BigInt(parts.domain.chainId),
        parts.domain.verifyingContract,
      ],
    ),
  );
  return keccak256(concat(['0x1901', separator, parts.struct]));
}

function rewardStruct(voucher: RewardVoucher): Hex {
  const type = 'RedeemReward(address account,uint256 value,uint256 nonce,uint256 deadline)';
  return keccak256(
    encodeAbiParameters(
      ['bytes32', 'address', 'uint256', 'uint256', 'uint256'].map((part) => ({ type: part })),
      [keccak256(toBytes(type)), voucher.account, voucher.value, voucher.nonce, voucher.deadline],
    ),
  );
}

function releaseStruct(voucher: ReleaseVoucher): Hex {
  const type =
    'VaultRelease(address account,address token,uint256 value,uint256 nonce,uint256 deadline)';
  return keccak256(
    encodeAbiParameters(
      ['bytes32', 'address', 'address', 'uint256', 'uint256', 'uint256'].map((part) => ({
        type: part,
      })),
      [
        keccak256(toBytes(type)),
        voucher.account,
        voucher.token,
        voucher.value,
        voucher.nonce,
        voucher.deadline,
      ],
    ),
  );
}

test('typedData: the example of EIP-712 gives the published digest and signature', async () => {
  const mail = {
    domain: {
      name: 'Ether Mail',
      version: '1',
      chainId: 1,
      verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
    },
    types: {
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallet', type: 'address' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person' },
        { name: 'contents', type: 'string' },
      ],
    },
    primaryType: 'Mail',
    message: {
      from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
      to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
      contents: 'Hello, Bob!',
    },
  } as const;
  expect(hashTypedData(mail)).toBe(
    '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  );
  expect(await privateKeyToAccount(key).signTypedData(mail)).toBe(
    '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d' +
      '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
  );
});

test('typedData: both structs hash as EIP-712 says', () => {
  expect(hashTypedData(rewardTypedData(domain, reward))).toBe(
    digestByHand({ domain, struct: rewardStruct(reward) }),
  );
  expect(hashTypedData(releaseTypedData(domain, release))).toBe(
    digestByHand({ domain, struct: releaseStruct(release) }),
  );
});

test('signer: a signature is the same bytes every time and names the signer', async () => {
  const signer = createLocalSigner(key);
  const first = await signer.signReward(domain, reward);
  expect(await createLocalSigner(key).signReward(domain, reward)).toBe(first);
  expect(first).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
  const typedData = rewardTypedData(domain, reward);
  const recovered = await recoverTypedDataAddress({ ...typedData, signature: first });
  expect(recovered.toLowerCase()).toBe(signer.address);
  expect(await signer.signRelease(domain, release)).not.toBe(first);
});

test.each([
  { value: 0n },
  { value: -1n },
  { value: 1n << 128n },
  { nonce: -1n },
  { nonce: 1n << 64n },
  { deadline: 0n },
  { deadline: 1n << 64n },
])('signer: %o is not signed', async (change) => {
  const signer = createLocalSigner(key);
  await expect(signer.signReward(domain, { ...reward, ...change })).rejects.toThrow(RangeError);
  await expect(signer.signRelease(domain, { ...release, ...change })).rejects.toThrow(RangeError);
});

test.each(['', '0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, 'canary'.repeat(11)])(
  'signer: the key %j is refused without being named',
  (badKey) => {
    let failure: unknown;
    try {
      createLocalSigner(badKey);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(Error);
    const shown = `${String(failure)} ${(failure as Error).stack ?? ''}`;
    if (badKey.length > 2) expect(shown).not.toContain(badKey.slice(2));
  },
);

test('signer: neither JSON nor inspection shows the key', async () => {
  const signer = createLocalSigner(key);
  const { inspect } = await import('node:util');
  const shown = JSON.stringify(signer) + inspect(signer, { depth: 9, showHidden: true });
  expect(shown).not.toContain(key.slice(2));
});

anvilSuite('typed-data', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterAll(() => chain.close());

  test('typedData: the contracts compute the digests that are signed', async () => {
    const { rewardRouter, spotVault } = chain.contracts;
    const rewardDomain = { ...domain, verifyingContract: rewardRouter };
    const onChain = await chain.client.readContract({
      address: rewardRouter as Hex,
      abi: rewardRouterAbi,
      functionName: 'redemptionDigest',
      args: [account as Hex, reward.value, reward.nonce, reward.deadline],
    });
    expect(hashTypedData(rewardTypedData(rewardDomain, reward))).toBe(onChain);
    const vaultDomain = { ...domain, name: 'SpotVault', verifyingContract: spotVault };
    const vaultDigest = await chain.client.readContract({
      address: spotVault as Hex,
      abi: spotVaultAbi,
      functionName: 'releaseDigest',
      args: [account as Hex, token as Hex, release.value, release.nonce, release.deadline],
    });
    expect(hashTypedData(releaseTypedData(vaultDomain, release))).toBe(vaultDigest);
  });
});
