import { beforeEach, describe, expect, it } from 'vitest';
import { type ChangeMessage, ConfirmedChanges } from './confirmed-changes.ts';

/** Timers of all processes, which fire as the test lets time pass. */
class TestTime {
  nowMs = 0;
  readonly #timers = new Set<{ dueMs: number; periodMs: number | null; call: () => void }>();

  monotonicMs = (): number => this.nowMs;
  after = (delayMs: number, call: () => void): (() => void) => this.#add(delayMs, null, call);
  every = (periodMs: number, call: () => void): (() => void) => this.#add(periodMs, periodMs, call);

  #add(delayMs: number, periodMs: number | null, call: () => void): () => void {
    const timer = { dueMs: this.nowMs + delayMs, periodMs, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async pass(ms: number): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs += 100;
      for (const timer of [...this.#timers]) {
        if (timer.dueMs > this.nowMs) continue;
        if (timer.periodMs === null) this.#timers.delete(timer);
        else timer.dueMs += timer.periodMs;
        timer.call();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

class TestProcess {
  readonly changes: ConfirmedChanges;
  readonly applied: string[] = [];
  /** Whether nothing reaches it and nothing leaves it. */
  isCutOff = false;
  canRead = true;
  listener: (message: ChangeMessage) => void = () => undefined;

  constructor(time: TestTime) {
    this.changes = new ConfirmedChanges(time);
    this.changes.use(async (key) => {
      if (!this.canRead) throw new Error('the database does not answer');
      this.applied.push(key);
    });
  }
}

let time: TestTime;
let processes: [TestProcess, TestProcess, TestProcess];

beforeEach(() => {
  time = new TestTime();
  processes = [new TestProcess(time), new TestProcess(time), new TestProcess(time)];
  for (const [index, own] of processes.entries()) {
    const link = {
      tell: (message: ChangeMessage) => {
        if (own.isCutOff) return;
        for (const other of processes) if (!other.isCutOff) other.listener(message);
      },
      onTold: (listener: (message: ChangeMessage) => void) => {
        own.listener = listener;
      },
    };
    own.changes.attach(link, `process ${index}`);
  }
});

/** Whether the change is confirmed; says so as it becomes so. */
function confirm(key: string): { isDone: boolean } {
  const state = { isDone: false };
  void processes[0].changes.confirm(key).then(() => {
    state.isDone = true;
  });
  return state;
}

describe('ConfirmedChanges', () => {
  it('a change is confirmed once every other process has applied it', async () => {
    await time.pass(1_000);
    const state = confirm('key');
    expect(state.isDone).toBe(false);
    await time.pass(100);
    expect(state.isDone).toBe(true);
    expect(processes.map(({ applied }) => applied)).toEqual([[], ['key'], ['key']]);
  });

  it('one that does not answer is waited for, for 5 s', async () => {
    await time.pass(1_000);
    processes[1].canRead = false;
    const state = confirm('key');
    await time.pass(4_900);
    expect(state.isDone).toBe(false);
    await time.pass(200);
    expect(state.isDone).toBe(true);
  });

  it('one that has been silent for 5 s is not waited for', async () => {
    await time.pass(1_000);
    processes[1].isCutOff = true;
    await time.pass(5_000);
    const state = confirm('key');
    await time.pass(100);
    expect(state.isDone).toBe(true);
    expect(processes[2].applied).toEqual(['key']);
  });

  it('a process that is alone, or stops, waits for nobody', async () => {
    for (const other of [processes[1], processes[2]]) other.isCutOff = true;
    await time.pass(6_000);
    const alone = confirm('key');
    await time.pass(100);
    expect(alone.isDone).toBe(true);
    processes[1].isCutOff = false;
    processes[1].canRead = false;
    await time.pass(1_000);
    const waiting = confirm('other');
    await time.pass(100);
    expect(waiting.isDone).toBe(false);
    processes[0].changes.stop();
    await time.pass(100);
    expect(waiting.isDone).toBe(true);
  });
});
