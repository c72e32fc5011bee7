/** The state of a part of the service. */
export interface PartState {
  /** In one word: ready, restarting, unreachable... */
  readonly state: string;
  readonly isReady: boolean;
  /** Whether reads succeed; if absent, the same as `isReady`. */
  readonly canRead?: boolean;
  /** Why it is not ready, for the operator; never contains a secret. */
  readonly detail?: string;
  /** More of what the part shows to operators. */
  readonly facts?: Readonly<Record<string, string | number | null>>;
  /** Seconds since its jobs last succeeded, by name; null before the first success. */
  readonly lastSuccessAges?: ReadonlyMap<string, number | null>;
}

/** A part's state, and when it was first seen in it. */
interface CheckedPart extends PartState {
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Probes a part of the service; it answers within a second. */
export type PartProbe = () => PartState | Promise<PartState>;

/** Probes a part that answers from memory. */
export type InstantProbe = () => PartState;

export interface ServiceState {
  readonly isReady: boolean;
  /** Whether reads succeed. */
  readonly canRead: boolean;
  readonly parts: ReadonlyMap<string, CheckedPart>;
}

/** The parts that trading needs; main adds them while it builds the service. */
export class Readiness {
  readonly #probes = new Map<string, PartProbe>();
  readonly #instant = new Map<string, InstantProbe>();
  readonly #seen = new Map<string, { readonly state: string; readonly since: number }>();

  add(part: string, probe: PartProbe): void {
    this.#probes.set(part, probe);
  }

  /** Adds a part whose state is never kept: it is probed again for each answer. */
  addInstant(part: string, probe: InstantProbe): void {
    this.#probes.set(part, probe);
    this.#instant.set(part, probe);
  }

  remove(part: string): void {
    this.#probes.delete(part);
    this.#instant.delete(part);
    this.#seen.delete(part);
  }

  /** @param now Milliseconds since 1970. */
  async check(now: number): Promise<ServiceState> {
    const names = [...this.#probes.keys()];
    const states = await Promise.all([...this.#probes.values()].map(ask));
    const parts = new Map(
      names.map((name, index) => {
        const state = states[index] ?? unknown;
        return [name, { ...state, since: this.#sinceOf(name, state, now) }] as const;
      }),
    );
    return summarize(parts);
  }

  /** The same state with the parts that answer from memory as they are now. */
  refresh({ parts }: ServiceState, now: number): ServiceState {
    const fresh = new Map(parts);
    for (const [part, probe] of this.#instant) {
      const state = probe();
      fresh.set(part, { ...state, since: this.#sinceOf(part, state, now) });
    }
    return summarize(fresh);
  }

  #sinceOf(part: string, { state }: PartState, now: number): number {
    const seen = this.#seen.get(part);
    if (seen?.state === state) return seen.since;
    this.#seen.set(part, { state, since: now });
    return now;
  }
}

function summarize(parts: ReadonlyMap<string, CheckedPart>): ServiceState {
  const states = [...parts.values()];
  return {
    isReady: states.every(({ isReady }) => isReady),
    canRead: states.every(({ isReady, canRead }) => canRead ?? isReady),
    parts,
  };
}

const unknown: PartState = { state: 'unknown', isReady: false };

async function ask(probe: PartProbe): Promise<PartState> {
  try {
    return await probe();
  } catch (error) {
    // A part that cannot be probed is not ready; the cause is in the part's own log.
    const detail = error instanceof Error ? error.name : 'unknown error';
    return { state: 'failed', isReady: false, detail };
  }
}
