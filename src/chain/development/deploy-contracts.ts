import { readFileSync } from 'node:fs';
import {
  type Abi,
  createTestClient,
  encodeDeployData,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { testTokenAbi } from '../abi/test-token-abi.ts';
import type { DeployedAddresses } from '../chain-addresses.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { minedReceipt } from './mined-receipt.ts';

export interface DeploymentTerms {
  readonly operator: Address;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
}

/** The rebates of the tiers as contract.md section 4 has them; referrers keep the whole of it. */
const tierRebates = [1_000, 1_500, 2_000, 2_500, 3_000].map((totalRebateBps) => ({
  totalRebateBps,
  discountShareBps: 0,
}));
// The constructors of the contracts' first version, which is what the service works with.
const constructors = {
  router: parseAbi([
    'constructor(address usdtToken, address initialOwner, address initialOperator, string domainName)',
  ]),
  register: parseAbi([
    'struct Rebate { uint16 totalRebateBps; uint16 discountShareBps; }',
    'constructor(address router, address initialOwner, address initialOperator, Rebate[5] initialTiers)',
  ]),
  vault: parseAbi([
    'constructor(address[] tokens, address initialOwner, address initialOperator, string domainName)',
  ]),
};
const usdtUnit = 10n ** 6n;
const dfUnit = 10n ** 18n;
// Far more than any trial of the exchange can win or withdraw.
const poolTokens = 1_000_000_000n;

export type DevelopmentClient = ReturnType<typeof createDevelopmentClient>;

/** Talks to a development chain with the rights that only such a chain gives. */
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

/** Deploys all contracts and funds the router and the vault. */
export async function deployContracts(
  client: DevelopmentClient,
  terms: DeploymentTerms,
): Promise<DeployedAddresses> {
  const owner = toHexAddress(await loadOwner(client));
  const operator = toHexAddress(terms.operator);
  const create = async (name: string, abi: Abi, args: readonly unknown[]): Promise<Hex> =>
    deploy(client, { from: owner, data: encodeDeployData({ abi, bytecode: codeOf(name), args }) });
  const usdt = await create('TestUSDT', testTokenAbi, []);
  const df = await create('TestDF', testTokenAbi, []);
  const routerArguments = [usdt, owner, operator, terms.rewardDomainName];
  const router = await create('RewardRouterV1', constructors.router, routerArguments);
  const rebateArguments = [router, owner, operator, tierRebates];
  const rebate = await create('ReferralRebateV1', constructors.register, rebateArguments);
  const vaultArguments = [[usdt, df], owner, operator, terms.vaultDomainName];
  const vault = await create('SpotVaultV1', constructors.vault, vaultArguments);
  await mint(client, { token: usdt, to: router, amount: poolTokens * usdtUnit });
  await mint(client, { token: usdt, to: vault, amount: poolTokens * usdtUnit });
  await mint(client, { token: df, to: vault, amount: poolTokens * dfUnit });
  return {
    rewardRouter: fromHexAddress(router),
    referralRebate: fromHexAddress(rebate),
    spotVault: fromHexAddress(vault),
    usdt: fromHexAddress(usdt),
    df: fromHexAddress(df),
  };
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
    abi: testTokenAbi,
    functionName: 'mint',
    args: [to, amount],
  });
  await minedReceipt(client, hash);
}

// Committed beside the sources, so that starting needs no compiler.
function codeOf(name: string): Hex {
  const file = new URL(`../../../contracts/bytecode/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly bytecode: Hex }).bytecode;
}
