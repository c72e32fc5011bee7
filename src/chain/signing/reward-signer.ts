import {
  type AccountNonce,
  type RewardSigner,
  type RewardVoucherTerms,
  SigningError,
} from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import {
  type ChainAccess,
  requireConnection,
  requireNoHalt,
  requireSigning,
} from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';
import { loadAccountNonce } from './load-account-nonce.ts';

/** Signs redemptions while the contract is known to cap them. */
export class ChainRewardSigner implements RewardSigner {
  readonly #access: ChainAccess;

  constructor(access: ChainAccess) {
    this.#access = access;
  }

  get contractAddress(): Address | null {
    return this.#access.connection?.contracts.rewardRouter ?? null;
  }

  async loadStanding(account: Address): Promise<AccountNonce> {
    requireConnection(this.#access);
    const { node, contracts } = requireSigning(this.#access);
    return loadAccountNonce(node, (at) =>
      readContract(node, {
        address: contracts.rewardRouter,
        abi: rewardRouterAbi,
        functionName: 'nonces',
        args: [toHexAddress(account)],
        at,
      }),
    );
  }

  async signRedemption(terms: RewardVoucherTerms): Promise<`0x${string}`> {
    const { signers, rewardDomain, node, contracts } = requireSigning(this.#access);
    await requireNoHalt(this.#access, 'reward');
    try {
      await requireRedeemable(node, contracts.rewardRouter, terms.amount);
      return await signers.reward.signReward(rewardDomain, {
        account: terms.account,
        value: terms.amount,
        nonce: BigInt(terms.nonce),
        deadline: BigInt(terms.deadline),
      });
    } catch (cause) {
      throw new SigningError('the redemption could not be signed', { cause });
    }
  }
}

// The contract would refuse the signature, and the order would wait an hour for nothing.
async function requireRedeemable(
  node: ChainNode,
  router: Address,
  amount: MicroUsdt,
): Promise<void> {
  const most = await readContract(node, {
    address: router,
    abi: rewardRouterAbi,
    functionName: 'redemptionMax',
  });
  if (amount > most) throw new Error(`the router pays at most ${most} at once, not ${amount}`);
}
