import type { Hex, PublicClient } from 'viem';
import { zeroHash } from 'viem';
import { findDeploymentFaults } from '../../src/chain/deployment/check-deployment.ts';
import { type CheckedNode } from '../../src/chain/deployment/checked-node.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import type { BlockHeader } from '../../src/chain/node/chain-node.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';

export interface CheckTerms {
  readonly manifest: DeploymentManifest;
  /** The account that must be left without a role; null: not checked. */
  readonly deployer: Hex | null;
}

/** The differences between the chain and the manifest, as sentences; the service finds the same. */
export async function checkDeployment(
  client: PublicClient,
  { manifest, deployer }: CheckTerms,
): Promise<readonly string[]> {
  const terms = { expected: manifest, deployer };
  const faults = await findDeploymentFaults(nodeOf(client), terms);
  const texts = faults.map(({ text }) => text);
  return manifest.roles === undefined ? [...texts, 'the manifest has no roles'] : texts;
}

function nodeOf(client: PublicClient): CheckedNode {
  const header = (block: Awaited<ReturnType<PublicClient['getBlock']>>): BlockHeader => ({
    number: Number(block.number),
    hash: block.hash ?? zeroHash,
    parentHash: block.parentHash,
    timestamp: Number(block.timestamp),
    logsBloom: block.logsBloom ?? '0x',
  });
  return {
    loadChainId: () => client.getChainId(),
    loadCode: async (address) => (await client.getCode({ address: toHexAddress(address) })) ?? '0x',
    call: async ({ to, data }) => (await client.call({ to: toHexAddress(to), data })).data ?? '0x',
    loadHead: async () => header(await client.getBlock()),
    loadFinal: async (blockTag) => Number((await client.getBlock({ blockTag })).number),
    findHeader: async (number) => header(await client.getBlock({ blockNumber: BigInt(number) })),
    provesSlot: async (contract, { number }) => {
      const proof = {
        address: toHexAddress(contract),
        storageKeys: [zeroHash],
        blockNumber: BigInt(number),
      };
      const { accountProof } = await client.getProof(proof).catch(() => ({ accountProof: [] }));
      return accountProof.length > 0;
    },
  };
}
