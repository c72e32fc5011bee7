import { vi } from 'vitest';

// Every test file's set-up: `vi.waitFor` and `vi.waitUntil` wait for as long as a busy machine may
// need, where they would give up after a second on their own. What holds is seen as soon as it
// does.

const patienceMs = 25_000;
type Waiting = typeof vi.waitFor & typeof vi.waitUntil;

function patient(wait: Waiting): Waiting {
  return ((condition: () => unknown, options: object | number = {}) =>
    wait(
      condition,
      typeof options === 'number' ? options : { timeout: patienceMs, ...options },
    )) as Waiting;
}

vi.waitFor = patient(vi.waitFor as Waiting);
vi.waitUntil = patient(vi.waitUntil);
