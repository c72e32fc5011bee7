import { getAbiItem } from 'viem';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { eventReader, toCount } from './event-reader.ts';

/** The total settled for an account; counting it makes its commission claimable. */
export const rewardSettled = eventReader(
  'rewardRouter',
  getAbiItem({ abi: rewardRouterAbi, name: 'RewardSettled' }),
  ({ account, settledTotal }) => ({
    type: 'rewardSettled',
    account: fromHexAddress(account),
    settledTotal: toMicroUsdt(settledTotal),
  }),
);

/** A redemption; its key is the account and its nonce. */
export const rewardRedeemed = eventReader(
  'rewardRouter',
  getAbiItem({ abi: rewardRouterAbi, name: 'RewardRedeemed' }),
  ({ account, amount, nonce }) => ({
    type: 'rewardRedeemed',
    account: fromHexAddress(account),
    amount: toMicroUsdt(amount),
    nonce: toCount(nonce),
  }),
);
