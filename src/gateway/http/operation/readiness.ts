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

/** Probes a part of the service; it answers within a second. */
export type PartProbe = () => PartState | Promise<PartState>;

export interface ServiceState {
  readonly isReady: boolean;
  readonly parts: ReadonlyMap<string, PartState>;
}

/** The parts that trading needs; main adds them while it builds the service. */
export class Readiness {
  readonly #probes = new Map<string, PartProbe>();

  add(part: string, probe: PartProbe): void {
    this.#probes.set(part, probe);
  }

  remove(part: string): void {
    this.#probes.delete(part);
  }

  async check(): Promise<ServiceState> {
    const names = [...this.#probes.keys()];
    const states = await Promise.all([...this.#probes.values()].map(ask));
    const parts = new Map(names.map((name, index) => [name, states[index] ?? unknown]));
    return { isReady: states.every((state) => state.isReady), parts };
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
