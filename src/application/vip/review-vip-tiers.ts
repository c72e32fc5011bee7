import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { traderDiscountBps as programBps } from '../../programs/referral/trader-discount.ts';
import { reviewVip, type VipVerdict } from '../../programs/vip/review-vip.ts';
import { getVipTier } from '../../programs/vip/vip-tiers.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Command, Exchange } from '../ports/exchange.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { VipAccount, VipStore } from './vip-ports.ts';

export interface VipReviewPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly vip: VipStore;
  /** What referred traders save, in basis points of the fee; absent: the program's value. */
  readonly traderDiscountBps?: number;
  readonly now: () => TimestampMs;
}

/**
 * Sets the accounts' tiers to what their volume gives now; null: every account for which it may
 * have changed. Returns what was found of them before.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function reviewVipTiers(
  ports: VipReviewPorts,
  accountIds: readonly AccountId[] | null,
): Promise<readonly VipAccount[]> {
  const { exchange, barrier, vip } = ports;
  await waitForDatabase({ exchange, barrier });
  const now = ports.now();
  const accounts = await vip.list(accountIds, now);
  for (const each of accounts) {
    const { accountId, standing, volume14Days: volume } = each;
    const isSame = reviewVip(standing, { now, volume }).standing === standing;
    if (isSame && isCharged(exchange, accountId, termsOf(ports, each, standing.tier))) continue;
    await vip.change(accountId, now, (account) => {
      const facts = { now, volume: account.volume14Days };
      return applyVerdict(ports, account, reviewVip(account.standing, facts));
    });
  }
  return accounts;
}

type FeePorts = Pick<VipReviewPorts, 'exchange' | 'traderDiscountBps'>;
type FeeTerms = Omit<Extract<Command, { readonly type: 'setAccountFees' }>, 'type' | 'accountId'>;

function termsOf({ traderDiscountBps }: FeePorts, { isReferred }: VipAccount, tier: number) {
  const discount = traderDiscountBps ?? programBps;
  return {
    vipTier: tier,
    vipMultiplierTenths: getVipTier(tier).multiplierTenths,
    referralDiscountBps: isReferred ? discount : 0,
  };
}

/** Whether the engine already charges the account on these terms. */
function isCharged(exchange: Exchange, accountId: AccountId, terms: FeeTerms): boolean {
  const known = exchange.peek(({ futures }) => futures.getFeeTerms(accountId));
  return (
    known.vipTier === terms.vipTier &&
    known.vipMultiplierTenths === terms.vipMultiplierTenths &&
    known.referralDiscountBps === terms.referralDiscountBps
  );
}

/** Sets the account's fee terms in the engine, before the change is stored and notified. */
export async function applyVerdict(
  ports: FeePorts,
  account: VipAccount,
  verdict: VipVerdict,
): Promise<VipVerdict> {
  const { accountId } = account;
  const terms = termsOf(ports, account, verdict.standing.tier);
  if (isCharged(ports.exchange, accountId, terms)) return verdict;
  await ports.exchange.submit({ type: 'setAccountFees', accountId, ...terms });
  return verdict;
}
