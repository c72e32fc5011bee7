import type {
  OnChainReader,
  OperatorStanding,
  TraderReferral,
  UserRebate,
} from '../../application/ports-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { asChainError, type ChainAccess, requireConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { codeFromBytes } from '../register/register-call.ts';

/** Reads the public register; each call asks the node once. */
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

  // Settlements and signatures need the router's word, the register's mirror its own; the service
  // is the operator only where it is that of both.
  async loadOperatorStanding(): Promise<OperatorStanding> {
    const { node, contracts, signer } = requireConnection(this.#access);
    const { referralRebate, rewardRouter } = contracts;
    const operators = await asChainError(() =>
      Promise.all([
        readContract(node, {
          address: referralRebate,
          abi: referralRebateAbi,
          functionName: 'operator',
        }),
        readContract(node, {
          address: rewardRouter,
          abi: rewardRouterAbi,
          functionName: 'operator',
        }),
      ]),
    );
    return {
      operator: signer.address,
      isOperator: operators.every((operator) => fromHexAddress(operator) === signer.address),
      contract: referralRebate,
    };
  }
}
