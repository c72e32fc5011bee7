import { decodeEventLog, getAbiItem, toEventSelector } from 'viem';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf } from './event-reader.ts';

const abi = getAbiItem({ abi: rewardRouterAbi, name: 'RewardSettled' });

/** The total settled for an account; counting it makes its commission claimable. */
export const rewardSettled: EventReader = {
  contract: 'rewardRouter',
  abi,
  topic: toEventSelector(abi),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [abi], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'rewardSettled',
      account: fromHexAddress(args.account),
      settledTotal: toMicroUsdt(args.settledTotal),
    };
  },
};
