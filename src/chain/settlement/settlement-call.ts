import { decodeErrorResult, encodeFunctionData, type Hex } from 'viem';
import type { SettlementItem, SettlementTrial } from '../../programs/claims/settlement.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { toHexAddress } from '../evm-values.ts';
import { ChainRevertedError } from '../node/chain-node.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import { revertName } from '../revert-name.ts';

/** The data of a batchSettleRewards call. */
export function settlementCall(items: readonly SettlementItem[]): Hex {
  return encodeFunctionData({
    abi: rewardRouterAbi,
    functionName: 'batchSettleRewards',
    args: [items.map(({ account }) => toHexAddress(account)), items.map(({ total }) => total)],
  });
}

// These errors do not concern the batch: the contract or the key is not ready for any.
const generalErrors = [
  'ContractRetired',
  'EnforcedPause',
  'NotOperator',
  'NotSettler',
  'PoolUnderfunded',
  'PredecessorActive',
];

/**
 * By how much a call would raise totals, in 10^-6 USDT, if that is more than the contract's window
 * has left; null for any other error.
 */
export function raisedBeyondWindow(error: unknown): bigint | null {
  if (!(error instanceof ChainRevertedError)) return null;
  try {
    const { errorName, args } = decodeErrorResult({ abi: rewardRouterAbi, data: error.data });
    return errorName === 'SettlementWindowExceeded' ? args[0] : null;
  } catch {
    return null;
  }
}

/** Interprets the error of a trial call. Rethrows errors that do not come from the chain. */
export function trialOf(error: unknown): SettlementTrial {
  if (error instanceof ChainRevertedError) {
    const name = revertName(error.data);
    // A revert without a reason blames no account: it is an obstacle, not a failed attempt.
    if (name === null || generalErrors.includes(name)) {
      return { kind: 'unable', error: name ?? error.message };
    }
    return { kind: 'refused', error: name };
  }
  if (error instanceof ChainUnavailableError) return { kind: 'unable', error: error.message };
  throw error;
}
