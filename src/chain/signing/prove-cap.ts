import { encodeFunctionData } from 'viem';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { type ChainNode, ChainRevertedError } from '../node/chain-node.ts';
import { revertName } from '../revert-name.ts';
import type { ChainSigner } from '../signers/chain-signer.ts';
import type { SigningDomain } from '../typed-data.ts';

// The service signs any amount that a user requests (interface.md, claim rules 4). That is safe
// only while the contract pays no more than what is settled. So before anything is signed for a
// user, the contract has to show that it accepts this key's signatures and still refuses too large
// an amount.

const proofSeconds = 3_600n;

/**
 * Simulates redeeming more than is settled. Returns null if the contract refuses that for the right
 * reason, otherwise why nothing may be signed.
 * @throws ChainUnavailableError
 */
export async function findCapFault(
  node: ChainNode,
  signer: ChainSigner,
  domain: SigningDomain,
): Promise<string | null> {
  const router = domain.verifyingContract;
  const account = signer.address;
  const ask = (functionName: 'settled' | 'claimed' | 'nonces') =>
    readContract(node, {
      address: router,
      abi: rewardRouterAbi,
      functionName,
      args: [toHexAddress(account)],
    });
  const operator = await readContract(node, {
    address: router,
    abi: rewardRouterAbi,
    functionName: 'operator',
  });
  if (fromHexAddress(operator) !== account) {
    return `the reward router's operator is ${operator}, not the signer ${account}`;
  }
  const [settled, claimed, nonce] = await Promise.all([
    ask('settled'),
    ask('claimed'),
    ask('nonces'),
  ]);
  const value = settled - claimed + 1n;
  const { timestamp } = await node.loadHead();
  const deadline = BigInt(timestamp) + proofSeconds;
  const signature = await signer.signReward(domain, { account, value, nonce, deadline });
  const data = encodeFunctionData({
    abi: rewardRouterAbi,
    functionName: 'redeemReward',
    args: [value, deadline, signature],
  });
  try {
    await node.call({ from: account, to: router, data });
    return 'the reward router would pay more than what is settled';
  } catch (error) {
    if (!(error instanceof ChainRevertedError)) throw error;
    const name = revertName(error.data);
    if (name === 'AmountExceedsSettled') return null;
    return `the reward router does not show its cap: it answers ${name ?? error.message}`;
  }
}
