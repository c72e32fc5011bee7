import { signal } from '@preact/signals';
import { serverNow } from '../api/api.ts';

/** The server's time, once a second while the page is shown. */
export const now = signal(serverNow());

setInterval(() => {
  if (!document.hidden) now.value = serverNow();
}, 1_000);
