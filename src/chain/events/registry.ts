import type { ChainEvent } from '../../application/ports/chain-ledger.ts';
import type { DrainingContract } from '../../application/ports/contracts.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { ChainLog, LogFilter } from '../node/chain-node.ts';
import type { EventReader } from './event-reader.ts';
import { rewardRedeemed, rewardSettled } from './router-events.ts';
import {
  vaultDeposited,
  vaultQueuedCancelled,
  vaultQueuedPaid,
  vaultRefilled,
  vaultReleased,
  vaultReleaseQueued,
  vaultRetired,
  vaultSignerVoided,
  vaultSwept,
} from './vault-events.ts';

/** Every event that the exchange counts. */
const eventReaders: readonly EventReader[] = [
  rewardSettled,
  rewardRedeemed,
  vaultDeposited,
  vaultReleased,
  vaultReleaseQueued,
  vaultQueuedPaid,
  vaultQueuedCancelled,
  vaultSignerVoided,
  vaultRetired,
  vaultRefilled,
  vaultSwept,
];

/** The filter for the logs that can contain these events. */
export function filterOf(
  contracts: ContractAddresses,
  draining: readonly DrainingContract[] = [],
): LogFilter {
  const former = draining.map(({ address }) => address);
  return {
    addresses: [contracts.rewardRouter, contracts.spotVault, ...former],
    firstTopics: eventReaders.map(({ topic }) => topic),
  };
}

/**
 * Returns the events of a block's logs, in order. Logs with the same topic from another contract
 * are ignored.
 */
export function readEvents(
  logs: readonly ChainLog[],
  contracts: ContractAddresses,
  draining: readonly DrainingContract[] = [],
): readonly ChainEvent[] {
  return logs.flatMap((log) => {
    const former = draining.find(({ address }) => address === log.address);
    const reader = eventReaders.find(
      ({ contract, topic }) =>
        topic === log.topics[0] &&
        (contracts[contract] === log.address || contract === former?.kind),
    );
    if (reader === undefined) return [];
    const event = reader.read(log);
    return [former === undefined ? event : { ...event, formerContract: former.address }];
  });
}
