import { createDevelopmentClient } from '../../../src/chain/development/deploy-contracts.ts';
import { openDevelopmentChain } from '../../../src/chain/development/development-chain.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { createLogger } from '../../../src/observability/log.ts';

// A process that opens the development chain of a folder, makes a block, saves it, tells where it
// is, and then waits to be killed.

const [folder = ''] = process.argv.slice(2);
const chain = await openDevelopmentChain({
  folder,
  chainId: 31_337,
  signers: {
    settler: '0x00000000000000000000000000000000000000a1' as Address,
    reward: '0x00000000000000000000000000000000000000a2' as Address,
    vault: '0x00000000000000000000000000000000000000a3' as Address,
  },
  rewardDomainName: 'ReferralRewardRouter',
  vaultDomainName: 'SpotVault',
  log: createLogger('silent'),
  saveIntervalMs: 1_000,
  heartbeatMs: 60_000,
});
const client = createDevelopmentClient(chain.rpcUrl);
await client.mine({ blocks: 2 });
const block = await chain.save();
const { hash } = await client.getBlock({ blockNumber: BigInt(block) });
process.stdout.write(`${JSON.stringify({ rpcUrl: chain.rpcUrl, block, hash })}\n`);
