import { signal } from '@preact/signals';
import { refresh } from '../../api/query.ts';
import { referralEndpoints } from '../../feed/account-events.ts';
import { sayError } from '../../feed/notices.ts';

export const isBusy = signal(false);

export async function run(work: () => Promise<void>): Promise<void> {
  isBusy.value = true;
  try {
    await work();
  } catch (error) {
    sayError(error);
  } finally {
    isBusy.value = false;
    refresh(...referralEndpoints);
  }
}
