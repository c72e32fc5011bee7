import type { Sequence } from '../domain/identifiers.ts';

// A database that writes nothing for this long is unreachable: waiting would only delay the stop.
const standstillMs = 2_000;
const recheckMs = 50;

/**
 * Waits for the database to hold everything up to `end`, as long as it makes progress and until the
 * deadline (on the monotonic clock). Returns whether it does.
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
    await new Promise((resolve) => setTimeout(resolve, recheckMs));
  }
}
