import { type Hex, keccak256, parseAbi, zeroAddress, zeroHash } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { readContract } from '../contract-calls.ts';
import { buildCode } from './build-code.ts';
import type { CheckedNode } from './checked-node.ts';
import type { DeploymentFault, ExpectedDeployment } from './expected-deployment.ts';

const timelockAbi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
]);
const roleHash = (name: string): Hex => keccak256(new TextEncoder().encode(name));
const proposer = roleHash('PROPOSER_ROLE');
const canceller = roleHash('CANCELLER_ROLE');
const executor = roleHash('EXECUTOR_ROLE');
const mainDelaySeconds = 172_800n;

/** Whether the owner is this build's timelock, slow enough, and open to the right people. */
export async function findTimelockFaults(
  node: CheckedNode,
  { roles, kind }: ExpectedDeployment,
  deployer: Hex | null,
): Promise<readonly DeploymentFault[]> {
  if (roles === undefined) return [];
  const faultOf = (text: string): DeploymentFault => ({ part: 'timelock', isRole: true, text });
  const address = roles.owner as Address;
  const code = await node.loadCode(address);
  // A test network may have a key there.
  if (code === '0x') return kind === 'main' ? [faultOf('the owner is not a timelock')] : [];
  // Without the code, the other checks are meaningless.
  if (code !== buildCode('Timelock').runtime) {
    return [faultOf('timelock: not the code of this build')];
  }
  const hasRole = (role: Hex, account: string) =>
    readContract(node, {
      address,
      abi: timelockAbi,
      functionName: 'hasRole',
      args: [role, account as Hex],
    });
  const faults: DeploymentFault[] = [];
  if (!(await hasRole(executor, zeroAddress))) {
    faults.push(faultOf('timelock: execution is not open to everyone'));
  }
  const delay = await readContract(node, {
    address,
    abi: timelockAbi,
    functionName: 'getMinDelay',
  });
  if (kind === 'main' && delay < mainDelaySeconds) {
    faults.push(faultOf(`timelock: the delay is only ${delay} s`));
  }
  for (const account of new Set([roles.council, roles.coldWallet])) {
    if (!(await hasRole(proposer, account))) {
      faults.push(faultOf(`timelock: ${account} cannot propose`));
    }
    if (!(await hasRole(canceller, account))) {
      faults.push(faultOf(`timelock: ${account} cannot cancel`));
    }
  }
  for (const role of [zeroHash, proposer, canceller]) {
    if (deployer !== null && (await hasRole(role, deployer))) {
      faults.push(faultOf('timelock: the deployer has a role'));
    }
  }
  return faults;
}
