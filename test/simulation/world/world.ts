import { mix } from './draws.ts';

/** The owner of events: they are dropped when it is killed and wait while it is paused. */
export interface Actor {
  readonly number: number;
  isAlive: boolean;
  /** The events that came due during a pause; null while it runs. */
  held: (() => void)[] | null;
  /** Ends it in place of one of its next events; null if nothing does. */
  ending: Ending | null;
}

interface Ending {
  /** Including the one that the end replaces. */
  eventsLeft: number;
  readonly end: () => void;
}

interface ScheduledEvent {
  readonly at: number;
  readonly rank: number;
  readonly order: number;
  readonly actor: Actor;
  run: (() => void) | null;
}

/**
 * Virtual time and everything that happens in it. Each event runs in its own turn of the event
 * loop, so the promises and ticks that it causes are done before the next event begins. If several
 * are due at the same instant, the seed decides which actor comes first; events of one actor keep
 * their order.
 */
export class World {
  readonly seed: number;
  /** Milliseconds since the start of the simulation. */
  now = 0;
  /** The number of events that have run. */
  ticks = 0;
  /** Covers every event that has run, in order: two runs with the same hash are identical. */
  hash = 0;
  readonly notes: string[] = [];
  trace: ((line: string) => void) | null = null;
  readonly outside: Actor = { number: 0, isAlive: true, held: null, ending: null };
  readonly #heap: ScheduledEvent[] = [];
  readonly #held: Promise<unknown>[] = [];
  #order = 0;
  #actors = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  createActor(): Actor {
    this.#actors += 1;
    return { number: this.#actors, isAlive: true, held: null, ending: null };
  }

  /** Runs the callback for the actor after the delay; returns a function that cancels it. */
  schedule(delayMs: number, actor: Actor, run: () => void): () => void {
    const at = this.now + Math.max(0, delayMs);
    this.#order += 1;
    const rank = mix(this.seed, at * 1_000, actor.number);
    const event: ScheduledEvent = { at, rank, order: this.#order, actor, run };
    push(this.#heap, event);
    return () => {
      event.run = null;
    };
  }

  /** Resolves after the delay, unless the actor has been killed by then. */
  wait(delayMs: number, actor: Actor): Promise<void> {
    return new Promise((resolve) => this.schedule(delayMs, actor, resolve));
  }

  /** No event runs before the work is done: for what takes real turns of the event loop. */
  hold(work: Promise<unknown>): void {
    this.#held.push(work);
  }

  pause(actor: Actor): void {
    actor.held ??= [];
  }

  /** Everything that came due during the pause runs now, in order. */
  resume(actor: Actor): void {
    const held = actor.held ?? [];
    actor.held = null;
    for (const run of held) this.schedule(0, actor, run);
  }

  /** Mixes the value into the hash. */
  record(value: number): void {
    this.hash = mix(this.hash, value);
  }

  note(text: string): void {
    const line = `${(this.now / 1_000).toFixed(4).padStart(10)} s  ${text}`;
    this.notes.push(line);
    if (this.notes.length > 400) this.notes.splice(0, 200);
    this.trace?.(line);
  }

  /** Runs events until the condition holds; false if no events are left. */
  async run(isOver: () => boolean): Promise<boolean> {
    while (!isOver()) {
      const event = pop(this.#heap);
      if (event === undefined) return false;
      const { run, actor } = event;
      if (run === null || !actor.isAlive) continue;
      this.now = event.at;
      if (actor.held !== null) {
        actor.held.push(run);
        continue;
      }
      this.ticks += 1;
      this.record(mix(event.at * 1_000, actor.number));
      if (!isEnding(actor)) run();
      await turn();
      while (this.#held.length > 0) await this.#held.pop();
    }
    return true;
  }
}

// Everything that a process awaits is a separate event, so this counts the places where it awaits.
function isEnding({ ending }: Actor): boolean {
  if (ending === null) return false;
  ending.eventsLeft -= 1;
  if (ending.eventsLeft > 0) return false;
  ending.end();
  return true;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(left: ScheduledEvent, right: ScheduledEvent): boolean {
  if (left.at !== right.at) return left.at < right.at;
  if (left.rank !== right.rank) return left.rank < right.rank;
  return left.order < right.order;
}

function push(heap: ScheduledEvent[], event: ScheduledEvent): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(event, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: ScheduledEvent[]): ScheduledEvent | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return first;
}
