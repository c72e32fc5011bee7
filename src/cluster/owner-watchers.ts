type Watcher = (isOwner: boolean) => void;

/** Listeners for whether this process owns the exchange. */
export class OwnerWatchers {
  readonly #watchers = new Set<Watcher>();

  add(watcher: Watcher, isOwner: boolean): void {
    this.#watchers.add(watcher);
    watcher(isOwner);
  }

  tell(isOwner: boolean): void {
    for (const watcher of this.#watchers) watcher(isOwner);
  }
}
