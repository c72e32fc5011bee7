import { writeFileSync } from 'node:fs';
import {
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  zeroHash,
} from 'viem';
import { type DeploymentManifest, parseManifest } from '../../src/config/deployment-manifest.ts';
import { guardedAbi, timelockAbi } from './deployment-abi.ts';
import type { DeploymentConfig, DeploymentPlan } from './plan.ts';

/** A call that people make by their own wallets. */
export interface OutsideCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** Writes what was deployed, with the hash of its code and the block it begins in. */
export async function writeManifest(
  client: PublicClient,
  { manifest, settlementMax }: DeploymentConfig,
  {
    plan,
    receipts,
    path,
  }: {
    readonly plan: DeploymentPlan;
    readonly receipts: readonly TransactionReceipt[];
    readonly path: string;
  },
): Promise<DeploymentManifest> {
  const of = async (address: Hex) => {
    const index = plan.steps.findIndex(({ creates }) => creates === address);
    const code = await client.getCode({ address });
    const block = receipts[index]?.blockNumber;
    if (code === undefined || block === undefined) throw new Error(`no contract at ${address}`);
    const startBlock = Number(block);
    return { address, startBlock, codeHash: keccak256(code), predecessor: null };
  };
  const { contracts } = plan;
  const deployed = {
    rewardRouter: await of(contracts.rewardRouter),
    referralRebate: await of(contracts.referralRebate),
    spotVault: await of(contracts.spotVault),
  };
  const first = Math.min(...Object.values(deployed).map(({ startBlock }) => startBlock));
  const whole = {
    ...manifest,
    startBlock: first,
    settlementMax,
    contracts: deployed,
    roles: { ...manifest.roles, owner: plan.timelock },
    assets: manifest.assets.map((asset) => ({ ...asset, startBlock: first })),
  };
  const text = `${JSON.stringify(whole, null, 2)}\n`;
  const parsed = parseManifest(text);
  if ('problems' in parsed) throw new Error(`the manifest: ${parsed.problems.join('; ')}`);
  writeFileSync(path, text);
  return parsed.manifest;
}

/** With which the council has the timelock take the contracts over: at once, and after its delay. */
export function acceptanceCalls(
  { timelock, contracts }: DeploymentPlan,
  delaySeconds: number,
): { readonly schedule: OutsideCall; readonly execute: OutsideCall } {
  const targets = Object.values(contracts);
  const accept = encodeFunctionData({ abi: guardedAbi, functionName: 'acceptOwnership' });
  const batch = [
    targets,
    targets.map(() => 0n),
    targets.map(() => accept),
    zeroHash,
    zeroHash,
  ] as const;
  const encode = (data: Hex) => ({ to: timelock, data });
  return {
    schedule: encode(
      encodeFunctionData({
        abi: timelockAbi,
        functionName: 'scheduleBatch',
        args: [...batch, BigInt(delaySeconds)],
      }),
    ),
    execute: encode(
      encodeFunctionData({ abi: timelockAbi, functionName: 'executeBatch', args: batch }),
    ),
  };
}
