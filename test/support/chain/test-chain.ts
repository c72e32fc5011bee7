import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { DeployedAddresses } from '../../../src/chain/chain-addresses.ts';
import { startAnvil } from '../../../src/chain/development/anvil-process.ts';
import {
  createDevelopmentClient,
  type DevelopmentClient,
  deployContracts,
} from '../../../src/chain/development/deploy-contracts.ts';
import { fromHexAddress, toHexAddress } from '../../../src/chain/evm-values.ts';
import type { ChainNode } from '../../../src/chain/node/chain-node.ts';
import { createJsonRpc } from '../../../src/chain/node/json-rpc.ts';
import { createJsonRpcNode } from '../../../src/chain/node/json-rpc-node.ts';
import {
  addressesOf,
  type ChainSigner,
  type ChainSigners,
} from '../../../src/chain/signers/chain-signer.ts';
import { createSigners } from '../../../src/chain/signers/signer-settings.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/**
 * A separate chain for a test with all contracts, seen directly and through a faulty connection.
 */
export interface TestChain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contracts: DeployedAddresses;
  /** With all rights of a development chain, past the proxy. */
  readonly client: DevelopmentClient;
  readonly proxy: FaultProxy;
  /** As the service sees the chain: through the proxy. */
  readonly node: ChainNode;
  readonly signers: ChainSigners;
  /** The settler, who sends transactions. */
  readonly signer: ChainSigner;
  /** From which a service derives all three. */
  readonly signerKey: string;
  close(): Promise<void>;
}

const testChainId = 31_337;
// A busy machine may delay a call; a node that is meant to be silent is asked in another way.
const defaultTimeoutMs = 60_000;

export async function startTestChain(): Promise<TestChain> {
  const anvil = await startAnvil({ chainId: testChainId, port: 0, stateFile: null });
  const proxy = await startFaultProxy(anvil.rpcUrl);
  const client = createDevelopmentClient(anvil.rpcUrl);
  const signerKey = generatePrivateKey();
  const signers = createSigners({ privateKey: signerKey }).byRole;
  const { settler: signer, reward } = signers;
  await client.setBalance({ address: toHexAddress(signer.address), value: parseEther('100') });
  await client.setBalance({ address: toHexAddress(reward.address), value: parseEther('100') });
  const contracts = await deployContracts(client, {
    signers: addressesOf(signers),
    rewardDomainName: 'ReferralRewardRouter',
    vaultDomainName: 'SpotVault',
  });
  return {
    rpcUrl: anvil.rpcUrl,
    chainId: testChainId,
    contracts,
    client,
    proxy,
    node: connectTo(proxy.url),
    signers,
    signer,
    signerKey,
    close: async () => {
      await proxy.close();
      await anvil.stop();
    },
  };
}

/** A node as the service would see it. */
export function connectTo(url: string, timeoutMs = defaultTimeoutMs): ChainNode {
  const retryPolicy = { timeoutMs, failuresMax: 1_000, pauseMs: 0 };
  return createJsonRpcNode(createJsonRpc({ url, ...retryPolicy }));
}

/** A wallet with gas, for what users do themselves. */
export async function newWallet(chain: TestChain) {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.client.setBalance({ address: account.address, value: parseEther('10') });
  return { account, address: fromHexAddress(account.address) };
}
