import type { AppliedCommand, EngineEvent } from '../../application/ports/exchange.ts';

export type EventOfType<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>;

/** An event with the command that caused it. */
export interface PlacedEvent<E extends EngineEvent> {
  readonly event: E;
  readonly outcome: AppliedCommand;
}

const noEvents: readonly never[] = [];

/** Consecutive outcomes, their events sorted by type once for all projections. */
export class OutcomeBatch {
  readonly outcomes: readonly AppliedCommand[];
  readonly #byType = new Map<EngineEvent['type'], PlacedEvent<EngineEvent>[]>();

  constructor(outcomes: readonly AppliedCommand[]) {
    this.outcomes = outcomes;
    for (const outcome of outcomes) {
      for (const event of outcome.events) {
        // Book levels are not stored, and they are most of the events.
        if (event.type === 'bookLevelChanged' || event.type === 'futuresBookLevelChanged') continue;
        const placed = this.#byType.get(event.type);
        if (placed === undefined) this.#byType.set(event.type, [{ event, outcome }]);
        else placed.push({ event, outcome });
      }
    }
  }

  /** In the order in which they happened. */
  eventsOf<T extends EngineEvent['type']>(type: T): readonly PlacedEvent<EventOfType<T>>[] {
    const events: readonly PlacedEvent<EngineEvent>[] = this.#byType.get(type) ?? noEvents;
    return events as readonly PlacedEvent<EventOfType<T>>[];
  }
}
