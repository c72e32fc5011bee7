import { decodeEventLog, getAbiItem, toEventSelector } from 'viem';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf, toCount } from './event-reader.ts';

const abi = getAbiItem({ abi: spotVaultAbi, name: 'ReleaseQueued' });

/** A withdrawal that is waiting in the queue; its key is the account and its nonce. */
export const vaultReleaseQueued: EventReader = {
  contract: 'spotVault',
  abi,
  topic: toEventSelector(abi),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [abi], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'vaultReleaseQueued',
      account: fromHexAddress(args.account),
      token: fromHexAddress(args.token),
      rawAmount: args.amount,
      nonce: toCount(args.nonce),
      queueId: toCount(args.id),
      payableAt: toCount(args.payableAt),
    };
  },
};
