import { decodeEventLog, getAbiItem, toEventSelector } from 'viem';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf } from './event-reader.ts';

const refilled = getAbiItem({ abi: spotVaultAbi, name: 'Refilled' });
const swept = getAbiItem({ abi: spotVaultAbi, name: 'Swept' });

/** Money that came in without being anyone's deposit. */
export const vaultRefilled: EventReader = {
  contract: 'spotVault',
  abi: refilled,
  topic: toEventSelector(refilled),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [refilled], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'vaultMoved',
      account: fromHexAddress(args.from),
      token: fromHexAddress(args.token),
      rawAmount: args.amount,
    };
  },
};

/** Money that went to the cold wallet. */
export const vaultSwept: EventReader = {
  contract: 'spotVault',
  abi: swept,
  topic: toEventSelector(swept),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [swept], ...decodable(log) });
    return {
      ...placeOf(log),
      type: 'vaultMoved',
      account: fromHexAddress(args.to),
      token: fromHexAddress(args.token),
      rawAmount: -args.amount,
    };
  },
};
