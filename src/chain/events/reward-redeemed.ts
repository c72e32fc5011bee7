import { decodeEventLog, getAbiItem, toEventSelector } from 'viem';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf, toCount } from './event-reader.ts';

const abi = getAbiItem({ abi: rewardRouterAbi, name: 'RewardRedeemed' });

/** A redemption; its key is the account and its nonce. */
export const rewardRedeemed: EventReader = {
  contract: 'rewardRouter',
  abi,
  topic: toEventSelector(abi),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [abi], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'rewardRedeemed',
      account: fromHexAddress(args.account),
      amount: toMicroUsdt(args.amount),
      nonce: toCount(args.nonce),
    };
  },
};
