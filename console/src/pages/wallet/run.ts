import { signal } from '@preact/signals';
import { sayError } from '../../feed/notices.ts';

export const isBusy = signal('');

/** Runs one action at a time and reports its errors. */
export async function run(name: string, work: () => Promise<void>): Promise<void> {
  isBusy.value = name;
  try {
    await work();
  } catch (error) {
    sayError(error);
  } finally {
    isBusy.value = '';
  }
}
