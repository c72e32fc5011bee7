import { decodeEventLog, getAbiItem, toEventSelector, zeroAddress } from 'viem';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { decodable, type EventReader, placeOf, toCount } from './event-reader.ts';

const cancelled = getAbiItem({ abi: spotVaultAbi, name: 'QueuedCancelled' });
const voided = getAbiItem({ abi: spotVaultAbi, name: 'SignerVoided' });
const retired = getAbiItem({ abi: spotVaultAbi, name: 'Retired' });

/** People cancelled one queued withdrawal; the log does not say whose it is. */
export const vaultQueuedCancelled: EventReader = {
  contract: 'spotVault',
  abi: cancelled,
  topic: toEventSelector(cancelled),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [cancelled], ...decodable(log) });
    const account = fromHexAddress(zeroAddress);
    return { ...placeOf(log), type: 'vaultQueuedEnded', account, queueId: toCount(args.id) };
  },
};

/** Everything that one signer has in the queue is void. */
export const vaultSignerVoided: EventReader = {
  contract: 'spotVault',
  abi: voided,
  topic: toEventSelector(voided),
  read: (log) => {
    const { args } = decodeEventLog({ abi: [voided], ...decodable(log) });
    return { ...placeOf(log), type: 'vaultSignerVoided', account: fromHexAddress(args.signer) };
  },
};

/** The vault is retired, and its queue with it. */
export const vaultRetired: EventReader = {
  contract: 'spotVault',
  abi: retired,
  topic: toEventSelector(retired),
  read: (log) => ({ ...placeOf(log), type: 'vaultRetired', account: log.address }),
};
