import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { Page, PageOf, ReferralLog, ReferralLogType } from './referral-ports.ts';
import { type ReferralReadPorts } from './referral-use-case.ts';

export interface ReferralLogView {
  readonly id: number;
  readonly type: ReferralLogType;
  readonly counterparty: string | null;
  readonly code: string | null;
  readonly amount: string | null;
  readonly reference: string | null;
  readonly created_at: string;
}

/**
 * The caller's events in the program, newest first; null: of every type.
 * @throws DatabaseError
 */
export async function listReferralLogs(
  ports: ReferralReadPorts,
  caller: Address,
  filter: Page & { readonly type: ReferralLogType | null },
): Promise<PageOf<ReferralLogView>> {
  await waitForDatabase(ports);
  const { items, total } = await ports.referralReader.listLogs(caller, filter.type, filter);
  return { items: items.map(viewLog), total };
}

function viewLog(log: ReferralLog): ReferralLogView {
  return {
    id: log.id,
    type: log.type,
    counterparty: log.counterparty,
    code: log.code,
    amount: log.amount === null ? null : formatMicroUsdt(log.amount),
    reference: log.reference,
    created_at: log.createdAt.toISOString(),
  };
}
