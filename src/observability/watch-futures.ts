import type { Registry } from 'prom-client';
import { watchNumbers } from './metrics.ts';

/** The risk figures of the perpetuals; amounts in USDT, ages in seconds. */
export interface WatchedFutures {
  readonly insuranceFund: number;
  readonly insuranceHeld: number;
  readonly badDebt: number;
  readonly isGateShut: boolean;
  readonly staleMarkets: number;
  readonly heldMarkets: number;
  readonly settlingMarkets: number;
  readonly accountsInLiquidation: number;
  readonly oldestLiquidationSeconds: number;
}

/** @param read null while the engine is unavailable: its figures are then NaN. */
export function watchFutures(registry: Registry, read: () => WatchedFutures | null): void {
  const gauge = (name: string, help: string, value: (futures: WatchedFutures) => number) => ({
    name,
    help,
    read: () => {
      const futures = read();
      return futures === null ? Number.NaN : value(futures);
    },
  });
  watchNumbers(registry, [
    gauge('futures_insurance_fund', 'The insurance fund with its promises, in USDT', (each) => {
      return each.insuranceFund;
    }),
    gauge('futures_insurance_held', 'The part of it that is promised to close-outs', (each) => {
      return each.insuranceHeld;
    }),
    gauge('futures_bad_debt', 'Unpaid losses, in USDT', ({ badDebt }) => badDebt),
    gauge(
      'futures_withdrawals_gated',
      '1 while withdrawals from perp wallets are blocked',
      (each) => {
        return Number(each.isGateShut);
      },
    ),
    gauge('futures_stale_markets', 'Listed markets whose index is stale', (each) => {
      return each.staleMarkets;
    }),
    gauge('futures_held_markets', 'Markets with a price that waits to be confirmed', (each) => {
      return each.heldMarkets;
    }),
    gauge('futures_settling_markets', 'Markets that settle a price move', (each) => {
      return each.settlingMarkets;
    }),
    gauge('futures_accounts_in_liquidation', 'Accounts that are being closed', (each) => {
      return each.accountsInLiquidation;
    }),
    gauge('futures_oldest_liquidation_seconds', 'Age of the oldest close-out', (each) => {
      return each.oldestLiquidationSeconds;
    }),
  ]);
}
