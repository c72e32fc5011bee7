import { signal } from '@preact/signals';
import { sayError } from '../../feed/notices.ts';
import { WalletError } from '../../wallet/wallet.ts';

export const isBusy = signal('');

/** Runs one thing at a time and says what goes wrong. */
export async function run(name: string, work: () => Promise<void>): Promise<void> {
  isBusy.value = name;
  try {
    await work();
  } catch (error) {
    if (error instanceof WalletError) sayError({ ...error, message: error.message });
    else sayError(error);
  } finally {
    isBusy.value = '';
  }
}
