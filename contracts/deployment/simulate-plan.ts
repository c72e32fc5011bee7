import { parseEther } from 'viem';
import { startAnvil } from '../../src/chain/development/anvil-process.ts';
import { createDevelopmentClient } from '../../src/chain/development/deploy-contracts.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import type { DeploymentPlan } from './plan.ts';

export interface SimulatedStep {
  readonly name: string;
  /** What the step uses; sending it may need up to 1/63 more. */
  readonly gas: bigint;
}

/**
 * Sends all steps to a copy of the chain on this machine: steps build on each other, so a node
 * cannot tell in advance what the later ones need.
 * @param rpcUrl - the node whose chain is copied
 * @throws Error that names the step which the chain refuses
 */
export async function simulatePlan(
  rpcUrl: string,
  { chainId, deployer, steps }: DeploymentPlan,
): Promise<readonly SimulatedStep[]> {
  const copy = await startAnvil({ chainId, port: 0, stateFile: null, copiedFrom: rpcUrl });
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
