import { signal } from '@preact/signals';

// The engine refuses commands while it restarts; the page says so until the service is ready again.

/** True from the first ENGINE_RESTARTING until /readyz reports the engine as ready. */
export const isRestarting = signal(false);

const readMs = 2_000;

async function isReady(): Promise<boolean> {
  try {
    const reply = await fetch('/readyz');
    const body = (await reply.json()) as { readonly engine?: { readonly state?: string } };
    return body.engine?.state === 'ready';
  } catch {
    return false;
  }
}

/** Notes the code of a refusal. */
export async function noteRefusal(code: string): Promise<void> {
  if (code !== 'ENGINE_RESTARTING' || isRestarting.value) return;
  isRestarting.value = true;
  do await new Promise((resolve) => setTimeout(resolve, readMs));
  while (!(await isReady()));
  isRestarting.value = false;
}
