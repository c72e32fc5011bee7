import { signal } from '@preact/signals';
import { limitedUntil, serverNow } from '../api/api.ts';

/** The server's time, updated once a second while the page is visible. */
export const now = signal(serverNow());

setInterval(() => {
  if (!document.hidden) now.value = serverNow();
}, 1_000);

/** How many seconds this page must wait before its next request; 0: none. */
export function secondsToWait(): number {
  const isCounting = limitedUntil.value > 0 && now.value > 0;
  return isCounting ? Math.max(0, Math.ceil((limitedUntil.value - Date.now()) / 1_000)) : 0;
}
