import { perpWalletBalance } from '../../../application/futures/list-account-balances.ts';
import type { BalanceChange, BalanceFeed } from '../../../application/ports/balance-feed.ts';
import type { EngineView, Exchange } from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import type { StreamBalance } from '../protocol/stream-schemas.ts';
import { snapshotCharge } from '../snapshot-charge.ts';
import {
  type AccountSnapshot,
  AccountStreams,
  type AccountStreamsParts,
} from './account-streams.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';

// The account's balances. The snapshot is the engine's, at one sequence; updates are driven by the
// database's notifications, and those that the snapshot already includes are left out.

export interface BalancesChannelParts extends Omit<AccountStreamsParts, 'channel'> {
  readonly exchange: Exchange;
  readonly balanceFeed: BalanceFeed;
}

export class BalancesChannel implements PrivateChannel {
  readonly kind = 'private';
  readonly #exchange: Exchange;
  readonly #balanceFeed: BalanceFeed;
  readonly #streams: AccountStreams;

  constructor(parts: BalancesChannelParts) {
    this.#exchange = parts.exchange;
    this.#balanceFeed = parts.balanceFeed;
    this.#streams = new AccountStreams({ ...parts, channel: 'balances' });
  }

  open(connection: Connection, address: Address): PrivateStream {
    return this.#streams.open(connection, address, {
      loadSnapshot: () => this.#loadSnapshot(connection, address),
      subscribe: () =>
        this.#balanceFeed.subscribe(address, (changes) => this.#take(address, changes)),
    });
  }

  async #loadSnapshot(connection: Connection, address: Address): Promise<AccountSnapshot> {
    return this.#exchange.read((view) => {
      const accountId = view.findAccount(address);
      const data = accountId === null ? [] : viewBalances(view, accountId);
      connection.charge(snapshotCharge(data.length));
      return { sequence: view.sequence, data: JSON.stringify(data) };
    });
  }

  // One update per command, since a snapshot can include some of the commands and not others.
  #take(address: Address, changes: readonly BalanceChange[]): void {
    const bySequence = new Map<number, StreamBalance[]>();
    for (const change of changes) {
      const balances = bySequence.get(change.sequence) ?? [];
      balances.push(viewBalance(change));
      bySequence.set(change.sequence, balances);
    }
    for (const [sequence, balances] of bySequence) {
      this.#streams.publish({ address, sequence, data: JSON.stringify(balances) });
    }
  }
}

/** The perp wallet if it is not empty, and the spot balances. */
function viewBalances(view: EngineView, accountId: AccountId): readonly StreamBalance[] {
  const { walletBalance, reserved } = view.futures.getPerpAccount(accountId);
  const perp = perpWalletBalance({ walletBalance, reserved });
  const isEmpty = walletBalance === 0n && reserved === 0n;
  const spot = view.listBalances(accountId).map(({ tokenId, available, locked }) => ({
    market: 'spot' as const,
    token: view.getTokenSymbol(tokenId),
    available: formatAmount(available),
    locked: formatAmount(locked),
  }));
  return isEmpty ? spot : [perp, ...spot];
}

function viewBalance({ market, token, available, locked }: StreamBalance): StreamBalance {
  return { market, token, available, locked };
}
