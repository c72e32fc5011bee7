/** The state of a part of the service. */
export interface PartState {
  /** In one word: ready, restarting, unreachable... */
  readonly state: string;
  readonly isReady: boolean;
  /** Why it is not ready, for the operator; never contains a secret. */
  readonly detail?: string;
  /** Seconds since its jobs last succeeded, by name; null before the first success. */
  readonly lastSuccessAges?: ReadonlyMap<string, number | null>;
}

/** A part's state, and when it was first seen in it. */
export interface CheckedPart extends PartState {
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Probes a part of the service; it answers within a second. */
export type PartProbe = () => PartState | Promise<PartState>;

export interface ServiceState {
  readonly isReady: boolean;
  readonly parts: ReadonlyMap<string, CheckedPart>;
}

/** The parts that trading needs; main adds them while it builds the service. */
export class Readiness {
  readonly #probes = new Map<string, PartProbe>();
  readonly #seen = new Map<string, { readonly state: string; readonly since: number }>();

  add(part: string, probe: PartProbe): void {
    this.#probes.set(part, probe);
  }

  remove(part: string): void {
    this.#probes.delete(part);
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
    return { isReady: states.every((state) => state.isReady), parts };
  }

  #sinceOf(part: string, { state }: PartState, now: number): number {
    const seen = this.#seen.get(part);
    if (seen?.state === state) return seen.since;
    this.#seen.set(part, { state, since: now });
    return now;
  }
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
