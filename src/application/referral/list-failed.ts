import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { FailedSettlementPorts } from './claim-ports.ts';
import type { Page, PageOf } from './referral-ports.ts';

export interface FailedSettlementView {
  readonly address: string;
  readonly commission: string;
  readonly earnings: number;
  readonly error: string;
}

/**
 * Accounts whose commission could not be settled, for an administrator.
 * @throws DatabaseError
 */
export async function listFailed(
  { failedSettlements }: FailedSettlementPorts,
  page: Page,
): Promise<PageOf<FailedSettlementView>> {
  const { items, total } = await failedSettlements.list(page);
  return {
    items: items.map(({ account, commission, earnings, error }) => ({
      address: account,
      commission: formatMicroUsdt(commission),
      earnings,
      error,
    })),
    total,
  };
}
