import { vi } from 'vitest';

// Every test file's set-up: `vi.waitFor` and `vi.waitUntil` wait for as long as a busy machine may
// need, not only a second, which is their default. A test that passes takes no longer for it.

const timeoutMs = 25_000;
type Waiting = typeof vi.waitFor & typeof vi.waitUntil;

function withTimeout(wait: Waiting): Waiting {
  return ((condition: () => unknown, options: object | number = {}) =>
    wait(
      condition,
      typeof options === 'number' ? options : { timeout: timeoutMs, ...options },
    )) as Waiting;
}

vi.waitFor = withTimeout(vi.waitFor as Waiting);
vi.waitUntil = withTimeout(vi.waitUntil);
