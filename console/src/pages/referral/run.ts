import { signal } from '@preact/signals';
import { refresh } from '../../api/query.ts';
import { sayError } from '../../feed/notices.ts';

export const isBusy = signal(false);

const refreshAll = (): void =>
  refresh(
    'GET /api/v1/referral/status',
    'GET /api/v1/referral/dashboard',
    'GET /api/v1/referral/traders',
    'GET /api/v1/referral/affiliates',
    'GET /api/v1/referral/claims',
    'GET /api/v1/referral/claims/preview',
    'GET /api/v1/referral/logs',
  );

export async function run(work: () => Promise<void>): Promise<void> {
  isBusy.value = true;
  try {
    await work();
  } catch (error) {
    sayError(error);
  } finally {
    isBusy.value = false;
    refreshAll();
  }
}
