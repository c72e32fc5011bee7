import { ContractFunctionExecutionError, parseAbi } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import type { DeployedAddresses } from '../chain-addresses.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import type { SignerAddresses } from '../signers/chain-signer.ts';
import { type DevelopmentClient, loadOwner } from './deploy-contracts.ts';
import { minedReceipt } from './mined-receipt.ts';

// The signers' keys in the settings may have changed since the contracts were deployed, so the
// contracts of a development chain are given their addresses at each start.

const guardianAbi = parseAbi([
  'function isGuardian(address account) view returns (bool)',
  'function setGuardian(address account, bool isNamed)',
]);

interface NamedRole {
  readonly contract: Address;
  readonly role: 'operator' | 'settler';
  readonly holder: Address;
}

/** Resolves to the address that sends the transactions for these contracts. */
export async function ensureRoles(
  client: DevelopmentClient,
  contracts: DeployedAddresses,
  signers: SignerAddresses,
): Promise<Address> {
  const isFirst = await isFirstVersion(client, contracts.rewardRouter);
  const { settler, reward, vault } = isFirst
    ? { settler: signers.reward, reward: signers.reward, vault: signers.reward }
    : signers;
  const named: NamedRole[] = [
    { contract: contracts.rewardRouter, role: 'operator', holder: reward },
    {
      contract: contracts.referralRebate,
      role: 'operator',
      holder: settler,
    },
    { contract: contracts.spotVault, role: 'operator', holder: vault },
  ];
  if (!isFirst) {
    const { rewardRouter: contract } = contracts;
    named.push({ contract, role: 'settler', holder: settler });
  }
  for (const role of named) await ensureRole(client, role);
  return settler;
}

/** False for contracts of the first version, which have no guardians. */
export async function ensureGuardian(
  client: DevelopmentClient,
  contracts: DeployedAddresses,
  guardian: Address,
): Promise<boolean> {
  if (await isFirstVersion(client, contracts.rewardRouter)) return false;
  for (const contract of [contracts.rewardRouter, contracts.referralRebate, contracts.spotVault]) {
    const guarded = { address: toHexAddress(contract), abi: guardianAbi } as const;
    const args = [toHexAddress(guardian)] as const;
    if (await client.readContract({ ...guarded, functionName: 'isGuardian', args })) continue;
    const hash = await client.writeContract({
      ...guarded,
      account: toHexAddress(await loadOwner(client)),
      chain: null,
      functionName: 'setGuardian',
      args: [...args, true],
    });
    await minedReceipt(client, hash);
  }
  return true;
}

/** A router of the first version has no `settler` function. */
async function isFirstVersion(client: DevelopmentClient, router: Address): Promise<boolean> {
  try {
    const address = toHexAddress(router);
    await client.readContract({ address, abi: rewardRouterAbi, functionName: 'settler' });
    return false;
  } catch (error) {
    if (error instanceof ContractFunctionExecutionError) return true;
    throw error;
  }
}

async function ensureRole(client: DevelopmentClient, named: NamedRole): Promise<void> {
  const { contract, role, holder } = named;
  const address = toHexAddress(contract);
  const standing = await client.readContract({ address, abi: rewardRouterAbi, functionName: role });
  if (fromHexAddress(standing) === holder) return;
  const hash = await client.writeContract({
    account: toHexAddress(await loadOwner(client)),
    chain: null,
    address,
    abi: rewardRouterAbi,
    functionName: role === 'operator' ? 'setOperator' : 'setSettler',
    args: [toHexAddress(holder)],
  });
  await minedReceipt(client, hash);
}
