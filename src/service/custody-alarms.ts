import type { Registry } from 'prom-client';
import { parseUnits } from 'viem';
import type { ChainBacklog } from '../application/ports/chain-backlog.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import { watchLoaded } from '../observability/watch-backlog.ts';

// The gauges behind the alarms about the providers of the chain and about the signers.

export interface CustodyAlarmParts {
  readonly metrics: Registry;
  readonly config: Config;
  readonly backlog: Pick<ChainBacklog, 'finalitySeconds'>;
  readonly chain: Pick<ChainService, 'bookDifferences' | 'signerRefusals'> & {
    readonly holdings: Pick<ChainService['holdings'], 'loadAccounted'>;
  };
}

export function watchCustodyAlarms(parts: CustodyAlarmParts): void {
  const { metrics, backlog, chain } = parts;
  watchLoaded(metrics, [
    {
      name: 'chain_finality_age_seconds',
      help: 'Since the time of the last counted block',
      label: null,
      load: async () => {
        const seconds = await backlog.finalitySeconds();
        return seconds === null ? [] : [{ label: '', value: seconds }];
      },
    },
    {
      name: 'books_difference',
      help: 'What the vault accounts for beyond what is counted',
      label: 'token',
      load: () => Promise.resolve(labeled(chain.bookDifferences)),
    },
    {
      name: 'signer_refusals_total',
      help: 'Requests that a signer refused, and wrong signatures',
      label: 'reason',
      load: () => Promise.resolve(labeled(chain.signerRefusals)),
    },
    {
      name: 'vault_hot_ratio',
      help: 'What the vault accounts for, as a fraction of the high mark H',
      label: 'token',
      load: () => hotRatios(parts),
    },
  ]);
}

function labeled(numbers: readonly (readonly [label: string, value: number])[]) {
  return numbers.map(([label, value]) => ({ label, value }));
}

async function hotRatios({ config, chain }: CustodyAlarmParts) {
  const assets = config.chain.deployment?.assets ?? [];
  if (assets.every(({ limit }) => limit === undefined)) return [];
  const accounted = await chain.holdings.loadAccounted();
  return assets.flatMap(({ symbol, limit, decimals }) => {
    const held = accounted.find((each) => each.symbol === symbol);
    if (limit === undefined || held === undefined) return [];
    const highMark = parseUnits(limit.H, decimals);
    if (highMark === 0n) return [];
    return [{ label: symbol, value: Number(held.rawAmount) / Number(highMark) }];
  });
}
