import type { ProjectorLead } from './projector.ts';

/** Whether this process projects, as set from outside. */
export class ProjectorTurn implements ProjectorLead {
  #isLeading: boolean;
  #change: () => void = () => undefined;
  #changed: Promise<void>;

  constructor(isLeading: boolean) {
    this.#isLeading = isLeading;
    this.#changed = this.#nextChange();
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  set isLeading(isLeading: boolean) {
    if (isLeading === this.#isLeading) return;
    this.#isLeading = isLeading;
    const change = this.#change;
    this.#changed = this.#nextChange();
    change();
  }

  changed(): Promise<void> {
    return this.#changed;
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#change = resolve;
    });
  }
}
