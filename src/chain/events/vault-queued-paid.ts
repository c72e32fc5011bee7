import { decodeEventLog, getAbiItem, toEventSelector } from 'viem';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf, toCount } from './event-reader.ts';

const abi = getAbiItem({ abi: spotVaultAbi, name: 'QueuedPaid' });

/** A queued withdrawal that was paid. */
export const vaultQueuedPaid: EventReader = {
  contract: 'spotVault',
  abi,
  topic: toEventSelector(abi),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [abi], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'vaultQueuedPaid',
      account: fromHexAddress(args.account),
      token: fromHexAddress(args.token),
      rawAmount: args.amount,
      queueId: toCount(args.id),
    };
  },
};
