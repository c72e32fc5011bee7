import { type Abi, maxUint128, parseAbi, parseUnits, zeroAddress } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { readContract } from '../contract-calls.ts';
import type { CheckedNode } from './checked-node.ts';
import type { ContractName, DeploymentFault, ExpectedDeployment } from './expected-deployment.ts';

const standingAbi: Abi = parseAbi([
  'function pendingOwner() view returns (address)',
  'function retired() view returns (bool)',
  'function predecessor() view returns (address)',
  'function rewardRouter() view returns (address)',
  'function settlementMax() view returns (uint128)',
  'function settlementPeriod() view returns (uint32)',
]);

const usdtDecimals = 6;
/**
 * The seconds in which the limit of settlements is fully refilled, as the deployment sets them.
 */
const windowSeconds = 86_400;

/** Whether each contract is active, has the right predecessor, and has no pending new owner. */
export async function findStandingFaults(
  node: CheckedNode,
  { contracts, roles, kind, settlementMax }: ExpectedDeployment,
): Promise<readonly DeploymentFault[]> {
  const faults: DeploymentFault[] = [];
  const add = (part: ContractName, text: string, isRole = false) => {
    faults.push({ part, isRole, text: `${part}: ${text}` });
  };
  const read = async (name: ContractName, functionName: string): Promise<string> => {
    const address = contracts[name].address as Address;
    const found: unknown = await readContract(node, { address, abi: standingAbi, functionName });
    return String(found).toLowerCase();
  };
  for (const name of ['rewardRouter', 'referralRebate', 'spotVault'] as const) {
    const pending = await read(name, 'pendingOwner');
    if (pending !== zeroAddress && pending !== roles?.owner) {
      add(name, `${pending} can take it over`, true);
    }
    if ((await read(name, 'retired')) === 'true') add(name, 'retired');
    if (name === 'referralRebate') continue;
    const found = await read(name, 'predecessor');
    const wanted = contracts[name].predecessor ?? zeroAddress;
    if (found !== wanted) add(name, `predecessor is ${found}, not ${wanted}`);
  }
  const { rewardRouter } = contracts;
  const asked = await read('referralRebate', 'rewardRouter');
  if (asked !== rewardRouter.address) {
    add('referralRebate', `rewardRouter is ${asked}, not ${rewardRouter.address}`);
  }
  const most = await read('rewardRouter', 'settlementMax');
  if (kind === 'main' && most === String(maxUint128)) {
    add('rewardRouter', 'settlements have no limit');
  } else if (settlementMax !== undefined) {
    // A guardian may have lowered it, which is no reason to stop.
    const wanted = parseUnits(settlementMax, usdtDecimals);
    if (BigInt(most) > wanted) add('rewardRouter', `settlementMax is ${most}, above ${wanted}`);
    const period = await read('rewardRouter', 'settlementPeriod');
    if (Number(period) < windowSeconds) {
      add('rewardRouter', `settlementPeriod is ${period}, below ${windowSeconds}`);
    }
  }
  return faults;
}
