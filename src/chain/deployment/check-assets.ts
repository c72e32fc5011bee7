import { erc20Abi, parseUnits } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import type { CheckedNode } from './checked-node.ts';
import type { DeploymentFault, ExpectedAsset, ExpectedDeployment } from './expected-deployment.ts';

/** The seconds in which all of `W` is refilled, as the deployment sets them. */
const windowSeconds = 86_400;

/** Whether each token has the decimals and the limits of the manifest. */
export async function findAssetFaults(
  node: CheckedNode,
  { contracts, assets }: ExpectedDeployment,
): Promise<readonly DeploymentFault[]> {
  const vault = contracts.spotVault.address as Address;
  const faults: DeploymentFault[] = [];
  for (const asset of assets) {
    const { symbol, decimals } = asset;
    const address = asset.address as Address;
    const addOfAsset = (text: string) => faults.push({ part: 'asset', isRole: false, text });
    const found = await readContract(node, { address, abi: erc20Abi, functionName: 'decimals' });
    if (found !== decimals) addOfAsset(`${symbol}: has ${found} decimals, not ${decimals}`);
    const isSupported = await readContract(node, {
      address: vault,
      abi: spotVaultAbi,
      functionName: 'isSupported',
      args: [toHexAddress(address)],
    });
    if (isSupported) faults.push(...(await findLimitFaults(node, vault, asset)));
    else addOfAsset(`spotVault: does not accept ${symbol}`);
  }
  return faults;
}

async function findLimitFaults(
  node: CheckedNode,
  vault: Address,
  { symbol, address, decimals, limit }: ExpectedAsset,
): Promise<readonly DeploymentFault[]> {
  if (limit === undefined) return [];
  const found = await readContract(node, {
    address: vault,
    abi: spotVaultAbi,
    functionName: 'limits',
    args: [toHexAddress(address as Address)],
  });
  const raw = (amount: string) => parseUnits(amount, decimals);
  const wanted = {
    instantMax: raw(limit.I),
    windowMax: raw(limit.W),
    floor: raw(limit.F),
    highMark: raw(limit.H),
    period: windowSeconds,
    delay: limit.D,
  };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((name) => found[name] !== wanted[name])
    .map((name) => ({
      part: 'spotVault',
      isRole: false,
      text: `spotVault: ${name} of ${symbol} is ${found[name]}, not ${wanted[name]}`,
    }));
}
