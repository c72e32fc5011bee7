import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { traderDiscountBps } from '../../programs/referral/trader-discount.ts';
import { judgeVip, type VipVerdict } from '../../programs/vip/judge-vip.ts';
import { getVipTier } from '../../programs/vip/vip-tiers.ts';
import type { Exchange, ReadBarrier } from '../ports.ts';
import type { VipAccount, VipStore } from './vip-ports.ts';

export interface VipReviewPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly vip: VipStore;
  readonly now: () => TimestampMs;
}

/**
 * Gives the accounts the tier that their volume is worth by now; null: every account that it may
 * have changed for. Answers what was found of them before.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function reviewVipTiers(
  ports: VipReviewPorts,
  accountIds: readonly AccountId[] | null,
): Promise<readonly VipAccount[]> {
  const { exchange, barrier, vip } = ports;
  await barrier.waitFor(exchange.durableSequence);
  const now = ports.now();
  const accounts = await vip.list(accountIds, now);
  for (const { accountId, standing, volume } of accounts) {
    if (judgeVip(standing, { now, volume }).standing === standing) continue;
    await vip.change(accountId, now, (account) => {
      const facts = { now, volume: account.volume };
      return applyVerdict(exchange, account, judgeVip(account.standing, facts));
    });
  }
  return accounts;
}

/** Tells the engine what an account pays, before the change is kept and told. */
export async function applyVerdict(
  exchange: Exchange,
  { accountId, standing }: VipAccount,
  verdict: VipVerdict,
): Promise<VipVerdict> {
  const { tier } = verdict.standing;
  if (tier === standing.tier) return verdict;
  await exchange.submit({
    type: 'setAccountFees',
    accountId,
    vipTier: tier,
    vipMultiplierTenths: getVipTier(tier).multiplierTenths,
    referralDiscountBps: traderDiscountBps,
  });
  return verdict;
}
