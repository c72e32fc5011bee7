import type { Answer } from '@openbourse/client';
import { effect, signal } from '@preact/signals';
import { api, link } from '../api/api.ts';

export type Site = Answer<'GET /api/v1/site'>;

/** What this exchange offers; null until it is loaded. */
export const site = signal<Site | null>(null);

/** The service has a different build of this page than the open one. */
export const isOutdated = signal(false);

const againMs = 3_000;
const everyMs = 30_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export async function loadSite(): Promise<void> {
  clearTimeout(timer);
  let nextMs = everyMs;
  try {
    site.value = await api.call('GET /api/v1/site');
  } catch {
    nextMs = againMs;
  }
  clearTimeout(timer);
  // Withdrawals can be paused under an open page.
  timer = setTimeout(() => void loadSite(), nextMs);
}

// A service that comes back can be a different build.
effect(() => {
  if (link.value.kind === 'open') void loadSite();
});
