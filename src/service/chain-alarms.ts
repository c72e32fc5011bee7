import type { Registry } from 'prom-client';
import { parseUnits } from 'viem';
import type { GasLimits } from '../chain/chain-components.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import { DatabaseChainBacklog } from '../database/chain/chain-backlog.ts';
import type { DatabasePool } from '../database/database-pool.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import { type WatchedGauge, watchLoaded } from '../observability/watch-backlog.ts';
import { gasLimitsOf } from './gas-limits.ts';

// The custody gauges behind the operators' alarms: what is waiting, what is used up, and which
// signers cannot be reached.

export interface ChainAlarmParts {
  readonly metrics: Registry;
  readonly config: Config;
  readonly pool: DatabasePool;
  readonly chain: Pick<
    ChainService,
    'vaultSigner' | 'holdings' | 'loadReachable' | 'deploymentDifferences'
  >;
  readonly services: { readonly chain: Pick<DatabaseServices['chain'], 'transactions'> };
}

const dayMs = 86_400_000;
/** In fifths of a day's budget. */
const budgetParts = { settlement: 4n, mirror: 1n } as const;
const partsOfBudget = 5n;

export function watchChainAlarms(parts: ChainAlarmParts): void {
  const { metrics, pool } = parts;
  watchLoaded(metrics, backlogGauges(new DatabaseChainBacklog(pool, () => Date.now())));
  watchLoaded(metrics, [
    ...gasGauges(parts),
    {
      name: 'vault_window_used_ratio',
      help: 'The fraction of the window limit W that instant releases have used',
      label: 'token',
      load: () => windowRatios(parts),
    },
    {
      name: 'role_mismatch',
      help: 'Number of differences between a contract and the manifest',
      label: 'contract',
      load: () =>
        Promise.resolve(
          parts.chain.deploymentDifferences.map(([label, value]) => ({ label, value })),
        ),
    },
    {
      name: 'vault_surplus',
      help: "Tokens that the vault holds beyond its own books, in the token's smallest unit",
      label: 'token',
      load: async () =>
        (await parts.chain.holdings.loadSurplus()).map(({ symbol, rawAmount }) => ({
          label: symbol,
          value: Number(rawAmount),
        })),
    },
    {
      name: 'signer_up',
      help: '1 if the signer of a role is reachable',
      label: 'role',
      load: async () =>
        (await parts.chain.loadReachable()).map(([label, isUp]) => ({
          label,
          value: Number(isUp),
        })),
    },
  ]);
}

function backlogGauges(backlog: DatabaseChainBacklog): readonly WatchedGauge[] {
  const single = async (value: Promise<number>) => [{ label: '', value: await value }];
  return [
    {
      name: 'transaction_oldest_seconds',
      help: 'Time since the first attempt of the oldest open transaction',
      label: 'purpose',
      load: () => backlog.transactionSeconds(),
    },
    {
      name: 'displaced_transactions',
      help: 'Transactions of the last day whose nonce something else has spent',
      label: null,
      load: () => single(backlog.displacedTransactions()),
    },
    {
      name: 'settlement_oldest_seconds',
      help: 'Time since the oldest settlement that is not counted yet was planned',
      label: null,
      load: () => single(backlog.settlementSeconds()),
    },
    {
      name: 'parked_oldest_seconds',
      help: 'Time since the block of the oldest event that waits for an operator',
      label: null,
      load: () => single(backlog.parkedSeconds()),
    },
    {
      name: 'contract_pause_oldest_seconds',
      help: 'Time since the oldest request to pause a contract that is not done',
      label: null,
      load: () => single(backlog.contractPauseSeconds()),
    },
    {
      name: 'deposits_waiting',
      help: 'Deposits that cannot be credited',
      label: 'reason',
      load: () => backlog.waitingDeposits(),
    },
    {
      name: 'vanished_deposits',
      help: 'Credited deposits whose block is gone',
      label: 'token',
      load: () => backlog.vanishedDeposits(),
    },
    {
      name: 'deposit_dust',
      help: "Amount truncated from deposits, in the token's smallest unit",
      label: 'token',
      load: () => backlog.dust(),
    },
    {
      name: 'vault_queue',
      help: "Releases in the vault's queue",
      label: 'token',
      load: () => backlog.queuedReleases(),
    },
  ];
}

// Without caps in the manifest no budget can run out, so the gauge has no value.
function gasGauges({ config, chain, services }: ChainAlarmParts): readonly WatchedGauge[] {
  const gas = gasLimitsOf(config);
  const { transactions } = services.chain;
  const usedBy = async (purpose: keyof typeof budgetParts, { perDay }: GasLimits) => {
    const spent = await transactions.loadSpent(purpose, Date.now() - dayMs);
    return {
      label: purpose,
      value: ratio(spent, (perDay * budgetParts[purpose]) / partsOfBudget),
    };
  };
  return [
    {
      name: 'gas_budget_used_ratio',
      help: "The part of the day's budget that transactions can have cost",
      label: 'purpose',
      load: async () =>
        gas === null ? [] : Promise.all([usedBy('settlement', gas), usedBy('mirror', gas)]),
    },
    {
      name: 'gas_days_left',
      help: "Number of days whose budget the settler's coin covers",
      label: null,
      load: async () => {
        if (gas === null) return [];
        const coin = await chain.holdings.loadSettlerCoin();
        return [{ label: '', value: ratio(coin, gas.perDay) }];
      },
    },
  ];
}

async function windowRatios({ config, chain: { vaultSigner } }: ChainAlarmParts) {
  const limited = (config.chain.deployment?.assets ?? []).flatMap(({ symbol, limit, decimals }) => {
    const token = vaultSigner.findToken(symbol);
    if (limit === undefined || token === null) return [];
    return [{ symbol, address: token.address, most: parseUnits(limit.W, decimals) }];
  });
  return Promise.all(
    limited.map(async ({ symbol, address, most }) => ({
      label: symbol,
      value: ratio(await vaultSigner.loadWindowUsed(address), most),
    })),
  );
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}
