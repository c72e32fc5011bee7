import type {
  OnChainReader,
  OperatorStatus,
  TraderReferral,
  UserRebate,
} from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { asChainError, type ChainAccess, requireConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { codeFromBytes } from '../register/register-call.ts';

/** Reads the public register; each call makes one request to the node. */
export class ChainReader implements OnChainReader {
  readonly #access: ChainAccess;

  constructor(access: ChainAccess) {
    this.#access = access;
  }

  async loadUserRebate(address: Address): Promise<UserRebate> {
    const { node, contracts } = requireConnection(this.#access);
    const [claimed, nonce, code, referrer, tierLevel] = await asChainError(() =>
      readContract(node, {
        address: contracts.referralRebate,
        abi: referralRebateAbi,
        functionName: 'userRebate',
        args: [toHexAddress(address)],
      }),
    );
    return {
      claimed: toMicroUsdt(claimed),
      nonce: Number(nonce),
      code: codeFromBytes(code),
      referrer: fromHexAddress(referrer),
      tierLevel,
    };
  }

  async loadTraderReferral(address: Address): Promise<TraderReferral> {
    const { node, contracts } = requireConnection(this.#access);
    const [code, referrer, totalRebateBps, traderDiscountBps, affiliateRewardBps] =
      await asChainError(() =>
        readContract(node, {
          address: contracts.referralRebate,
          abi: referralRebateAbi,
          functionName: 'traderReferral',
          args: [toHexAddress(address)],
        }),
      );
    return {
      code: codeFromBytes(code),
      referrer: fromHexAddress(referrer),
      totalRebateBps,
      traderDiscountBps,
      affiliateRewardBps,
    };
  }

  async loadClaimed(address: Address): Promise<MicroUsdt> {
    const { node, contracts } = requireConnection(this.#access);
    const claimed = await asChainError(() =>
      readContract(node, {
        address: contracts.referralRebate,
        abi: referralRebateAbi,
        functionName: 'claimed',
        args: [toHexAddress(address)],
      }),
    );
    return toMicroUsdt(claimed);
  }

  // The service is the operator only if every contract names the key that would be used on it.
  async loadOperatorStatus(): Promise<OperatorStatus> {
    const { node, contracts, signers, version } = requireConnection(this.#access);
    const { referralRebate, rewardRouter } = contracts;
    const router = { address: rewardRouter, abi: rewardRouterAbi };
    const named = await asChainError(() =>
      Promise.all([
        readContract(node, {
          address: referralRebate,
          abi: referralRebateAbi,
          functionName: 'operator',
        }),
        readContract(node, { ...router, functionName: version === 1 ? 'operator' : 'settler' }),
        readContract(node, { ...router, functionName: 'operator' }),
      ]),
    );
    const expected = [signers.settler, signers.settler, signers.reward];
    return {
      operator: signers.reward.address,
      isOperator: expected.every(
        ({ address }, i) => toHexAddress(address) === named[i]?.toLowerCase(),
      ),
      contract: referralRebate,
    };
  }
}
