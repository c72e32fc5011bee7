import {
  type Abi,
  createTestClient,
  encodeDeployData,
  type Hex,
  http,
  maxUint128,
  publicActions,
  walletActions,
  zeroAddress,
} from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import type { DeployedAddresses } from '../chain-addresses.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import type { SignerAddresses } from '../signers/chain-signer.ts';
import { contractCode } from './contract-code.ts';
import { minedReceipt } from './mined-receipt.ts';

export interface DeploymentTerms {
  readonly signers: SignerAddresses;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
}

/** The rebates of the tiers as in contract.md section 4; referrers keep all of it. */
const tierRebates = [1_000, 1_500, 2_000, 2_500, 3_000].map((totalRebateBps) => ({
  totalRebateBps,
  discountShareBps: 0,
}));
const usdtUnit = 10n ** 6n;
const dfUnit = 10n ** 18n;
// Far more than any trial of the exchange can win or withdraw.
const poolTokens = 1_000_000_000n;

export type DevelopmentClient = ReturnType<typeof createDevelopmentClient>;

/** Returns a client with the privileges that only a development chain grants. */
export function createDevelopmentClient(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) })
    .extend(publicActions)
    .extend(walletActions);
}

/** The first account of the chain, which needs no key there; owner of the contracts. */
export async function loadOwner(client: DevelopmentClient): Promise<Address> {
  const [first] = await client.getAddresses();
  if (first === undefined) throw new Error('the development chain has no accounts');
  return fromHexAddress(first);
}

/**
 * Deploys all contracts and funds the router and the vault. One key is both owner and council,
 * there is no guardian and no cold wallet, and no limit is ever reached.
 */
export async function deployContracts(
  client: DevelopmentClient,
  terms: DeploymentTerms,
): Promise<DeployedAddresses> {
  const owner = toHexAddress(await loadOwner(client));
  const roles = (operator: Address) => ({
    owner,
    council: owner,
    guardian: zeroAddress,
    operator: toHexAddress(operator),
  });
  const { settler, reward, vault: vaultSigner } = terms.signers;
  const create = async (name: string, abi: Abi, args: readonly unknown[]): Promise<Hex> =>
    deploy(client, {
      from: owner,
      data: encodeDeployData({ abi, bytecode: contractCode(name), args }),
    });
  const usdt = await create('TestUSDT', tokenAbi, []);
  const df = await create('TestDF', tokenAbi, []);
  const router = await create('RewardRouter', rewardRouterAbi, [
    usdt,
    roles(reward),
    toHexAddress(settler),
    zeroAddress,
    zeroAddress,
    terms.rewardDomainName,
  ]);
  const rebateArguments = [router, roles(settler), tierRebates];
  const rebate = await create('ReferralRebate', referralRebateAbi, rebateArguments);
  const vault = await create('SpotVault', spotVaultAbi, [
    [usdt, df],
    roles(vaultSigner),
    zeroAddress,
    zeroAddress,
    terms.vaultDomainName,
  ]);
  const contracts = { router, vault, usdt, df };
  await setNoLimits(client, owner, contracts);
  await fund(client, contracts);
  return {
    rewardRouter: fromHexAddress(router),
    referralRebate: fromHexAddress(rebate),
    spotVault: fromHexAddress(vault),
    usdt: fromHexAddress(usdt),
    df: fromHexAddress(df),
  };
}

interface Created {
  readonly router: Hex;
  readonly vault: Hex;
  readonly usdt: Hex;
  readonly df: Hex;
}

const noLimits = {
  instantMax: maxUint128,
  windowMax: maxUint128,
  floor: maxUint128,
  highMark: maxUint128,
  period: 86_400,
  delay: 0,
};

async function setNoLimits(
  client: DevelopmentClient,
  owner: Hex,
  { router, vault, usdt, df }: Created,
): Promise<void> {
  const shared = { account: owner, chain: null } as const;
  const hashes = [
    await client.writeContract({
      ...shared,
      address: router,
      abi: rewardRouterAbi,
      functionName: 'setSettlementLimit',
      args: [maxUint128, 86_400],
    }),
  ];
  for (const token of [usdt, df]) {
    hashes.push(
      await client.writeContract({
        ...shared,
        address: vault,
        abi: spotVaultAbi,
        functionName: 'setLimit',
        args: [token, noLimits],
      }),
    );
  }
  for (const hash of hashes) await minedReceipt(client, hash);
}

// The vault's share is sent as a refill, so that the vault accounts for it.
async function fund(client: DevelopmentClient, { router, vault, usdt, df }: Created) {
  const owner = toHexAddress(await loadOwner(client));
  await mint(client, { token: usdt, to: router, amount: poolTokens * usdtUnit });
  for (const [token, amount] of [
    [usdt, poolTokens * usdtUnit],
    [df, poolTokens * dfUnit],
  ] as const) {
    await mint(client, { token, to: owner, amount });
    const shared = { account: owner, chain: null } as const;
    await minedReceipt(
      client,
      await client.writeContract({
        ...shared,
        address: token,
        abi: tokenAbi,
        functionName: 'approve',
        args: [vault, amount],
      }),
    );
    await minedReceipt(
      client,
      await client.writeContract({
        ...shared,
        address: vault,
        abi: spotVaultAbi,
        functionName: 'refill',
        args: [token, amount],
      }),
    );
  }
}

async function deploy(
  client: DevelopmentClient,
  { from, data }: { readonly from: Hex; readonly data: Hex },
): Promise<Hex> {
  const hash = await client.sendTransaction({ account: from, chain: null, data });
  const receipt = await minedReceipt(client, hash);
  const address = receipt.contractAddress;
  if (receipt.status !== 'success' || !address) {
    throw new Error(`a contract could not be deployed: transaction ${hash} was reverted`);
  }
  return address;
}

interface Minting {
  readonly token: Hex;
  readonly to: Hex;
  readonly amount: bigint;
}

async function mint(client: DevelopmentClient, { token, to, amount }: Minting): Promise<void> {
  const owner = toHexAddress(await loadOwner(client));
  const hash = await client.writeContract({
    account: owner,
    chain: null,
    address: token,
    abi: tokenAbi,
    functionName: 'mint',
    args: [to, amount],
  });
  await minedReceipt(client, hash);
}
