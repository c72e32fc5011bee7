import { formatAmount, toAmount } from '../../domain/amount.ts';
import { formatScaled } from '../../domain/decimal.ts';
import type { Rate } from '../../domain/futures-market.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { FeeTermsView } from '../../engine/futures-view.ts';
import { getVipTier, nextVipVolume, type VipTier, vipTiers } from '../../programs/vip/vip-tiers.ts';
import { formatTime } from '../format-time.ts';
import type { VipStore } from '../vip/vip-ports.ts';
import type { FuturesReadPorts } from './futures-ports.ts';
import { formatRate } from './futures-views.ts';

// The fees of futures. An account's rates come from the engine, which charges them; the volumes
// that decide its tier come from the database.

export interface FeeInfoPorts extends FuturesReadPorts {
  readonly vip: VipStore;
}

interface FeeTierView {
  readonly tier: number;
  readonly name: string;
  readonly min_volume_14d: string;
  readonly discount_multiplier: string;
  readonly maker_rate: string;
  readonly taker_rate: string;
}

interface MarketFeesView {
  readonly symbol: string;
  readonly maker_rate: string;
  readonly taker_rate: string;
}

export interface FeeInfoView {
  readonly tiers: readonly FeeTierView[];
  readonly base_maker_rate: string;
  readonly base_taker_rate: string;
  readonly current_tier: number;
  readonly maker_rate: string;
  readonly taker_rate: string;
  readonly markets: readonly MarketFeesView[];
  readonly spot_markets: readonly MarketFeesView[];
  /** Null for an unauthenticated caller. */
  readonly account: AccountFeesView | null;
}

interface AccountFeesView {
  readonly address: string;
  readonly volume_14d: string;
  readonly volume_30d: string;
  readonly next_tier: { readonly tier: number; readonly missing_volume: string } | null;
  readonly pending_downgrade: { readonly tier: number; readonly effective_at: string } | null;
  readonly is_override: boolean;
  readonly discount_stack: {
    readonly vip_multiplier: string;
    readonly referral_discount_bps: number;
    readonly referral_multiplier: string;
    readonly combined_multiplier: string;
  };
}

/** The base rates at VIP 0, which the tiers of the table multiply. */
const baseMakerRate = 200_000n as Rate;
const baseTakerRate = 500_000n as Rate;
const noTerms: FeeTermsView = { vipTier: 0, vipMultiplierTenths: 10, referralDiscountBps: 0 };

/**
 * The public table, and for an authenticated caller its tier, volumes and rates.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function loadFeeInfo(
  ports: FeeInfoPorts,
  caller: Address | null,
): Promise<FeeInfoView> {
  const live = await ports.exchange.read((view) => {
    const { futures } = view;
    const accountId = caller === null ? null : view.findAccount(caller);
    const terms = accountId === null ? noTerms : futures.getFeeTerms(accountId);
    const markets = futures.listFuturesMarkets().map((market) => {
      const fees =
        accountId === null
          ? { maker: rateOfBps(market.makerFeeBps), taker: rateOfBps(market.takerFeeBps) }
          : futures.getEffectiveFees(accountId, market.marketId);
      const [maker_rate, taker_rate] = [formatRate(fees.maker), formatRate(fees.taker)];
      return { symbol: market.symbol, maker_rate, taker_rate };
    });
    const spotMarkets = view.listSpotMarkets().map((market) => ({
      symbol: market.symbol,
      maker_rate: formatRate(rateOfBps(market.makerFeeBps)),
      taker_rate: formatRate(rateOfBps(market.takerFeeBps)),
    }));
    return { accountId, terms, markets, spotMarkets, sequence: view.sequence };
  });
  const { accountId, terms, markets, spotMarkets } = live;
  const table = {
    tiers: vipTiers.map(viewTier),
    base_maker_rate: formatRate(baseMakerRate),
    base_taker_rate: formatRate(baseTakerRate),
    current_tier: terms.vipTier,
    maker_rate: formatRate(applyTerms(baseMakerRate, terms)),
    taker_rate: formatRate(applyTerms(baseTakerRate, terms)),
    markets,
    spot_markets: spotMarkets,
  };
  if (caller === null) return { ...table, account: null };
  await ports.barrier.waitFor(live.sequence);
  const record = accountId === null ? null : await ports.vip.load(accountId, ports.now());
  const volume = record?.volume14Days ?? toAmount(0n);
  const pending = record?.standing.pending ?? null;
  return {
    ...table,
    account: {
      address: caller,
      volume_14d: formatAmount(volume),
      volume_30d: formatAmount(record?.volume30Days ?? toAmount(0n)),
      next_tier: viewNextTier(terms.vipTier, volume),
      pending_downgrade:
        pending === null ? null : { tier: pending.tier, effective_at: formatTime(pending.at) },
      is_override: (record?.standing.override ?? null) !== null,
      discount_stack: viewStack(terms),
    },
  };
}

function viewTier(tier: VipTier): FeeTierView {
  const terms = { ...noTerms, vipMultiplierTenths: tier.multiplierTenths };
  return {
    tier: tier.level,
    name: `VIP ${tier.level}`,
    min_volume_14d: formatAmount(tier.volumeMin),
    discount_multiplier: formatScaled(BigInt(tier.multiplierTenths), 1),
    maker_rate: formatRate(applyTerms(baseMakerRate, terms)),
    taker_rate: formatRate(applyTerms(baseTakerRate, terms)),
  };
}

function viewNextTier(tier: number, volume: bigint) {
  const next = nextVipVolume(tier);
  if (next === null) return null;
  const missing = next > volume ? next - volume : 0n;
  return { tier: getVipTier(tier + 1).level, missing_volume: formatAmount(toAmount(missing)) };
}

const bpsOne = 10_000;

function viewStack({ vipMultiplierTenths, referralDiscountBps }: FeeTermsView) {
  const left = BigInt(bpsOne - referralDiscountBps);
  return {
    vip_multiplier: formatScaled(BigInt(vipMultiplierTenths), 1),
    referral_discount_bps: referralDiscountBps,
    referral_multiplier: formatScaled(left, 4),
    combined_multiplier: formatScaled(BigInt(vipMultiplierTenths) * left, 5),
  };
}

function applyTerms(base: Rate, { vipMultiplierTenths, referralDiscountBps }: FeeTermsView): Rate {
  const left = BigInt(vipMultiplierTenths) * BigInt(bpsOne - referralDiscountBps);
  return ((base * left) / 100_000n) as Rate;
}

function rateOfBps(bps: number): Rate {
  return (BigInt(bps) * 100_000n) as Rate;
}
