import { Gauge, type Registry } from 'prom-client';

interface WatchedToken {
  readonly token: string;
  readonly held: number;
  readonly owed: number;
  readonly unbacked: number;
  readonly isShort: boolean;
}

export interface WatchedSolvency {
  readonly tokens: readonly WatchedToken[];
  readonly rewards: { readonly held: number; readonly owed: number; readonly isShort: boolean };
}

/** Publishes the last check of this process; nothing if another process checks. */
export function watchSolvency(registry: Registry, read: () => WatchedSolvency | null): void {
  const gauge = (name: string, help: string, value: (token: WatchedToken) => number): void => {
    const shown: Gauge = new Gauge({
      name,
      help,
      labelNames: ['token'],
      registers: [registry],
      collect: () => {
        shown.reset();
        for (const token of read()?.tokens ?? []) shown.set({ token: token.token }, value(token));
      },
    });
  };
  gauge('vault_held', 'The tokens that the vault holds', ({ held }) => held);
  gauge('vault_owed', 'The sum of balances and open withdrawals', ({ owed }) => owed);
  gauge(
    'vault_unbacked',
    'The part of it that comes from test credits',
    ({ unbacked }) => unbacked,
  );
  gauge('vault_short', '1 if the vault holds too little', ({ isShort }) => Number(isShort));
  const single = (
    name: string,
    help: string,
    value: (rewards: WatchedSolvency['rewards']) => number,
  ): void => {
    const shown: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        const solvency = read();
        if (solvency === null) shown.remove();
        else shown.set(value(solvency.rewards));
      },
    });
  };
  single('reward_pool_held', 'USDT that the reward router holds', ({ held }) => held);
  single('reward_pool_owed', 'USDT that is settled and not redeemed', ({ owed }) => owed);
  single('reward_pool_short', '1 if it holds too little', ({ isShort }) => Number(isShort));
}
