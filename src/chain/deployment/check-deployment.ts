import { type Hex, keccak256, parseAbi } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { readContract } from '../contract-calls.ts';
import { isBuildCode } from './build-code.ts';
import { findAssetFaults } from './check-assets.ts';
import { findProofFaults } from './check-proofs.ts';
import { findStandingFaults } from './check-standing.ts';
import { findTimelockFaults } from './check-timelock.ts';
import { type CheckedNode } from './checked-node.ts';
import type { ContractName, DeploymentFault, ExpectedDeployment } from './expected-deployment.ts';

// Whether a chain has what a manifest says: this build's code, these roles and limits, an owner
// that waits, and proofs. `contracts:check` and the service ask the same.

export interface CheckTerms {
  readonly expected: ExpectedDeployment;
  /** Who must be left with no role; null: not checked. */
  readonly deployer: Hex | null;
}

const buildNames = {
  rewardRouter: 'RewardRouter',
  referralRebate: 'ReferralRebate',
  spotVault: 'SpotVault',
} as const;
const contractNames: readonly ContractName[] = ['rewardRouter', 'referralRebate', 'spotVault'];

const rolesAbi = parseAbi([
  'function owner() view returns (address)',
  'function council() view returns (address)',
  'function operator() view returns (address)',
  'function isGuardian(address account) view returns (bool)',
  'function settler() view returns (address)',
  'function coldWallet() view returns (address)',
]);

/**
 * Returns all differences; empty if everything is as the manifest says.
 * @throws ChainUnavailableError
 */
export async function findDeploymentFaults(
  node: CheckedNode,
  { expected, deployer }: CheckTerms,
): Promise<readonly DeploymentFault[]> {
  const chainId = await node.loadChainId();
  if (chainId !== expected.chainId) {
    return [{ part: 'node', isRole: false, text: `the node serves chain ${chainId}` }];
  }
  const codes = await Promise.all(contractNames.map((name) => judgeCode(node, expected, name)));
  const codeFaults = codes.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  // Without the code, the other checks are meaningless.
  if (codeFaults.length > 0) return codeFaults;
  const isFirstVersion = codes.every(({ version }) => version === 1);
  if (isFirstVersion) return findFirstVersionFaults(node, expected);
  return [
    ...(await findRoleFaults(node, expected, deployer)),
    ...(await findTimelockFaults(node, expected, deployer)),
    ...(await findStandingFaults(node, expected)),
    ...(await findAssetFaults(node, expected)),
    ...(await findProofFaults(node, expected)),
  ];
}

async function judgeCode(
  node: CheckedNode,
  { contracts }: ExpectedDeployment,
  name: ContractName,
): Promise<{ readonly version: 1 | 2; readonly fault: DeploymentFault | null }> {
  const { address, codeHash } = contracts[name];
  const code = await node.loadCode(address as Address);
  const faulty = (text: string) =>
    ({ version: 2, fault: { part: name, isRole: false, text: `${name}: ${text}` } }) as const;
  if (code === '0x') return faulty(`no contract at ${address}`);
  if (codeHash !== null && keccak256(code) !== codeHash) return faulty('codeHash differs');
  if (isBuildCode(code, buildNames[name])) return { version: 2, fault: null };
  if (isBuildCode(code, `${buildNames[name]}V1`)) return { version: 1, fault: null };
  return faulty('not the code of this build');
}

interface RoleQuestion {
  readonly name: ContractName;
  readonly role: RoleView;
  readonly wanted: string;
}
type RoleView = 'owner' | 'council' | 'operator' | 'settler' | 'coldWallet';

async function findRoleFault(
  node: CheckedNode,
  { contracts }: ExpectedDeployment,
  { name, role, wanted }: RoleQuestion,
): Promise<readonly DeploymentFault[]> {
  const address = contracts[name].address as Address;
  const found = await readContract(node, { address, abi: rolesAbi, functionName: role });
  if (found.toLowerCase() === wanted.toLowerCase()) return [];
  return [{ part: name, isRole: true, text: `${name}: ${role} is ${found}, not ${wanted}` }];
}

async function findRoleFaults(
  node: CheckedNode,
  expected: ExpectedDeployment,
  deployer: Hex | null,
): Promise<readonly DeploymentFault[]> {
  const { roles } = expected;
  if (roles === undefined) return [];
  const operators = operatorsOf(roles);
  const faults: DeploymentFault[] = [];
  const expectRole = async (name: ContractName, role: RoleView, wanted: string) => {
    faults.push(...(await findRoleFault(node, expected, { name, role, wanted })));
  };
  for (const name of contractNames) {
    await expectRole(name, 'owner', roles.owner);
    await expectRole(name, 'council', roles.council);
    await expectRole(name, 'operator', operators[name]);
    faults.push(...(await findGuardianFaults(node, expected, { name, deployer })));
  }
  await expectRole('rewardRouter', 'settler', roles.settler);
  await expectRole('rewardRouter', 'coldWallet', roles.coldWallet);
  await expectRole('spotVault', 'coldWallet', roles.coldWallet);
  return faults;
}

function operatorsOf(roles: NonNullable<ExpectedDeployment['roles']>) {
  return {
    rewardRouter: roles.rewardSigner,
    referralRebate: roles.settler,
    spotVault: roles.vaultSigner,
  };
}

async function findGuardianFaults(
  node: CheckedNode,
  { contracts, roles }: ExpectedDeployment,
  { name, deployer }: { readonly name: ContractName; readonly deployer: Hex | null },
): Promise<readonly DeploymentFault[]> {
  const faults: DeploymentFault[] = [];
  const expectations = [
    [roles?.guardian ?? '0x', true],
    ...(deployer === null ? [] : [[deployer, false] as const]),
  ] as const;
  for (const [account, isWanted] of expectations) {
    const isGuardian = await readContract(node, {
      address: contracts[name].address as Address,
      abi: rolesAbi,
      functionName: 'isGuardian',
      args: [account as Hex],
    });
    if (isGuardian === isWanted) continue;
    const text = `${name}: ${account} is ${isWanted ? 'no' : 'a'} guardian`;
    faults.push({ part: name, isRole: true, text });
  }
  return faults;
}

// One operator has every role, and there are no limits.
async function findFirstVersionFaults(
  node: CheckedNode,
  expected: ExpectedDeployment,
): Promise<readonly DeploymentFault[]> {
  const { roles } = expected;
  if (roles === undefined) return [];
  const faults: DeploymentFault[] = [];
  for (const name of contractNames) {
    for (const [role, wanted] of [
      ['owner', roles.owner],
      ['operator', operatorsOf(roles)[name]],
    ] as const) {
      faults.push(...(await findRoleFault(node, expected, { name, role, wanted })));
    }
  }
  return faults;
}
