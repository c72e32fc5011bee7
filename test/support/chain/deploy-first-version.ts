import { encodeDeployData, type Hex, parseAbi } from 'viem';
import type { DeployedAddresses } from '../../../src/chain/chain-addresses.ts';
import { contractCode } from '../../../src/chain/development/contract-code.ts';
import {
  type DevelopmentClient,
  loadOwner,
} from '../../../src/chain/development/deploy-contracts.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';
import { fromHexAddress, toHexAddress } from '../../../src/chain/evm-values.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

const routerAbi = parseAbi([
  'constructor(address usdt, address owner, address operator, string name)',
]);
const registerAbi = parseAbi([
  'struct Rebate { uint16 total; uint16 share; }',
  'constructor(address router, address owner, address operator, Rebate[5] tiers)',
]);
const vaultAbi = parseAbi([
  'constructor(address[] tokens, address owner, address operator, string name)',
]);
const tiers = Array.from({ length: 5 }, () => ({ total: 1_000, share: 0 }));

/** The contracts of the first version, in which one operator has every role, over these tokens. */
export async function deployFirstVersion(
  client: DevelopmentClient,
  { usdt, df }: Pick<DeployedAddresses, 'usdt' | 'df'>,
  operator: Address,
): Promise<DeployedAddresses> {
  const owner = toHexAddress(await loadOwner(client));
  const send = async (data: Hex): Promise<Hex> => {
    const hash = await client.sendTransaction({ account: owner, chain: null, data });
    return (await minedReceipt(client, hash)).contractAddress ?? '0x';
  };
  const by = toHexAddress(operator);
  const router = await send(
    encodeDeployData({
      abi: routerAbi,
      bytecode: contractCode('RewardRouterV1'),
      args: [toHexAddress(usdt), owner, by, 'ReferralRewardRouter'],
    }),
  );
  const register = await send(
    encodeDeployData({
      abi: registerAbi,
      bytecode: contractCode('ReferralRebateV1'),
      args: [router, owner, by, tiers as never],
    }),
  );
  const vault = await send(
    encodeDeployData({
      abi: vaultAbi,
      bytecode: contractCode('SpotVaultV1'),
      args: [[toHexAddress(usdt), toHexAddress(df)], owner, by, 'SpotVault'],
    }),
  );
  return {
    rewardRouter: fromHexAddress(router),
    referralRebate: fromHexAddress(register),
    spotVault: fromHexAddress(vault),
    usdt,
    df,
  };
}
