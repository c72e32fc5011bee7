import { decodeErrorResult, type Hex } from 'viem';
import { referralRebateAbi } from './abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from './abi/reward-router-abi.ts';
import { spotVaultAbi } from './abi/spot-vault-abi.ts';

const errorsAbi = [...rewardRouterAbi, ...referralRebateAbi, ...spotVaultAbi].filter(
  ({ type }) => type === 'error',
);

/** The name of the custom error with which one of our contracts reverted; null for other errors. */
export function revertName(data: Hex): string | null {
  try {
    return decodeErrorResult({ abi: errorsAbi, data }).errorName;
  } catch {
    return null;
  }
}
