import type { Sequence } from '../domain/identifiers.ts';

// A database that writes nothing for so long is away: waiting on would only delay the stop.
const standstillMs = 2_000;
const lookAgainMs = 50;

/**
 * Whether the database holds everything up to `end`: waits for it as long as it goes on, until the
 * deadline (by the monotonic clock).
 */
export async function waitForProjection(
  database: { readonly position: Sequence },
  end: Sequence,
  deadline: number,
): Promise<boolean> {
  let held = database.position;
  let since = performance.now();
  for (;;) {
    const { position } = database;
    if (position >= end) return true;
    const now = performance.now();
    if (position > held) since = now;
    held = position;
    if (now >= deadline || now - since >= standstillMs) return false;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
