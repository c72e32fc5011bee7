import { getAbiItem, type Hex, zeroAddress } from 'viem';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { fromHexAddress } from '../evm-values.ts';
import { eventReader, toCount } from './event-reader.ts';

/** A deposit; its key is the account and its number. */
export const vaultDeposited = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'Deposited' }),
  ({ account, token, amount, number }) => ({
    type: 'vaultDeposited',
    ...transferOf(account, token, amount),
    number: toCount(number),
  }),
);

/** A paid withdrawal; its key is the account and its nonce. */
export const vaultReleased = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'Released' }),
  ({ account, token, amount, nonce }) => ({
    type: 'vaultReleased',
    ...transferOf(account, token, amount),
    nonce: toCount(nonce),
  }),
);

/** A withdrawal that is waiting in the queue; its key is the account and its nonce. */
export const vaultReleaseQueued = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'ReleaseQueued' }),
  ({ account, token, amount, nonce, id, payableAt }) => ({
    type: 'vaultReleaseQueued',
    ...transferOf(account, token, amount),
    nonce: toCount(nonce),
    queueId: toCount(id),
    payableAt: toCount(payableAt),
  }),
);

/** A queued withdrawal that was paid. */
export const vaultQueuedPaid = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'QueuedPaid' }),
  ({ account, token, amount, id }) => ({
    type: 'vaultQueuedPaid',
    ...transferOf(account, token, amount),
    queueId: toCount(id),
  }),
);

/** A queued withdrawal was cancelled by people; the log does not name its account. */
export const vaultQueuedCancelled = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'QueuedCancelled' }),
  ({ id }) => ({
    type: 'vaultQueuedEnded',
    account: fromHexAddress(zeroAddress),
    queueId: toCount(id),
  }),
);

/** Everything that one signer has in the queue is void. */
export const vaultSignerVoided = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'SignerVoided' }),
  ({ signer }) => ({ type: 'vaultSignerVoided', account: fromHexAddress(signer) }),
);

/** The vault is retired, and its queue with it. */
export const vaultRetired = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'Retired' }),
  (_args, { address }) => ({ type: 'vaultRetired', account: address }),
);

/** Money that came in without being anyone's deposit. */
export const vaultRefilled = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'Refilled' }),
  ({ from, token, amount }) => ({ type: 'vaultMoved', ...transferOf(from, token, amount) }),
);

/** Money that went to the cold wallet. */
export const vaultSwept = eventReader(
  'spotVault',
  getAbiItem({ abi: spotVaultAbi, name: 'Swept' }),
  ({ to, token, amount }) => ({ type: 'vaultMoved', ...transferOf(to, token, -amount) }),
);

function transferOf(account: Hex, token: Hex, rawAmount: bigint) {
  return { account: fromHexAddress(account), token: fromHexAddress(token), rawAmount };
}
