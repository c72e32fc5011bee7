import { parseEther } from 'viem';
import { startAnvil } from '../../src/chain/development/anvil-process.ts';
import { createDevelopmentClient } from '../../src/chain/development/deploy-contracts.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { DisagreementError } from './agreed-transport.ts';
import type { DeploymentPlan } from './plan.ts';

export interface SimulatedStep {
  readonly name: string;
  /** What the step uses; sending it may need up to 1/63 more. */
  readonly gas: bigint;
}

/**
 * Sends all steps to copies of the chain on this machine, one copy from each node: steps build on
 * each other, so a node cannot tell in advance what the later ones need.
 * @param block - what all nodes have; the copies go on from it
 * @throws Error that names the step which the chain refuses; DisagreementError if the copies differ
 */
export async function simulatePlan(
  rpcUrls: readonly string[],
  block: bigint,
  plan: DeploymentPlan,
): Promise<readonly SimulatedStep[]> {
  const copies: (readonly SimulatedStep[])[] = [];
  for (const rpcUrl of rpcUrls) copies.push(await simulateOn({ rpcUrl, block }, plan));
  return requireSame(copies);
}

/** @throws DisagreementError if a step is not the same on all copies */
export function requireSame(
  copies: readonly (readonly SimulatedStep[])[],
): readonly SimulatedStep[] {
  const [first = []] = copies;
  for (const [index, { name, gas }] of first.entries()) {
    if (copies.every((copy) => copy[index]?.gas === gas)) continue;
    throw new DisagreementError(`the nodes differ in what the step uses: ${name}`);
  }
  return first;
}

async function simulateOn(
  copiedFrom: { readonly rpcUrl: string; readonly block: bigint },
  { chainId, deployer, steps }: DeploymentPlan,
): Promise<readonly SimulatedStep[]> {
  const copy = await startAnvil({ chainId, port: 0, stateFile: null, copiedFrom });
  try {
    const client = createDevelopmentClient(copy.rpcUrl);
    await client.impersonateAccount({ address: deployer });
    await client.setBalance({ address: deployer, value: parseEther('1000') });
    const simulated: SimulatedStep[] = [];
    for (const { name, to, data } of steps) {
      const refuse = (cause: unknown): never => {
        throw new Error(`the chain refuses the step: ${name}`, { cause });
      };
      const hash = await client
        .sendTransaction({ account: deployer, chain: null, to, data })
        .catch(refuse);
      const { status, gasUsed } = await minedReceipt(client, hash);
      if (status !== 'success') refuse(status);
      simulated.push({ name, gas: gasUsed });
    }
    return simulated;
  } finally {
    await copy.stop();
  }
}
