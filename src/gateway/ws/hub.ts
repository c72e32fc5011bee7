import type { Connection } from './connection.ts';
import { snapshotCharge } from './snapshot-charge.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import type { Topic, TopicGroup } from './topic.ts';

export interface HubParts {
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly metrics: StreamMetrics;
}

interface Listener {
  readonly connection: Connection;
  readonly topics: Set<Topic>;
  /** Null while the client is behind, and while it has no topics. */
  group: TopicGroup | null;
  behindSince: number | null;
}

export interface TopicChange {
  readonly left: readonly Topic[];
  readonly joined: readonly Topic[];
  /**
   * The client is already subscribed and gets what happened since. For streams without snapshots.
   */
  readonly isLate?: boolean;
}

/**
 * Broadcasts public updates. Changes are collected and sent in rounds; a round frames each message
 * once and writes one buffer to each socket. A client that does not keep up is detected by its
 * socket's unsent bytes: it misses updates, gets `resync`, and starts over from a snapshot once it
 * has read what was on its way.
 */
export class Hub {
  readonly #clock: StreamClock;
  readonly #limits: StreamLimits;
  readonly #metrics: StreamMetrics;
  readonly #listeners = new Map<Connection, Listener>();
  readonly #groups = new Map<string, TopicGroup>();
  readonly #dirty = new Set<Topic>();
  readonly #topicNumbers = new Map<Topic, number>();
  #nextFlushAt = 0;
  #scheduledAt = Number.POSITIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  #isClosed = false;

  constructor({ clock, limits, metrics }: HubParts) {
    this.#clock = clock;
    this.#limits = limits;
    this.#metrics = metrics;
  }

  /** Sends a snapshot, then every update that follows it. */
  join(connection: Connection, topic: Topic): void {
    this.change(connection, { left: [], joined: [topic] });
  }

  leave(connection: Connection, topic: Topic): void {
    this.change(connection, { left: [topic], joined: [] });
  }

  /** Leaves and joins many topics with a single regrouping. */
  change(connection: Connection, { left, joined, isLate = false }: TopicChange): void {
    if (joined.length === 0 && !this.#listeners.has(connection)) return;
    const listener = this.#listenerOf(connection);
    const { topics } = listener;
    const isBehind = listener.behindSince !== null;
    const lagging = joined.filter(
      (topic) => isLate || (topic.isSnapshotKept && !topic.hasAudience),
    );
    let isOther = false;
    for (const topic of left) isOther = topics.delete(topic) || isOther;
    for (const topic of joined) {
      connection.charge(snapshotCharge(topic.snapshotItems));
      if (!isBehind && !isLate) this.#writeSnapshot(connection, topic);
      isOther ||= !topics.has(topic);
      topics.add(topic);
    }
    if (isOther && !isBehind) this.#regroup(listener);
    // What has happened since the snapshot was made has marked no topic without subscribers.
    for (const topic of lagging) this.markDirty(topic);
  }

  /** Removes a connection that has closed. */
  forget(connection: Connection): void {
    const listener = this.#listeners.get(connection);
    if (listener === undefined) return;
    this.#listeners.delete(connection);
    this.#ungroup(listener);
  }

  /** Marks the topic as changed; its update goes out with the next round. */
  markDirty(topic: Topic): void {
    if (!topic.hasAudience || this.#dirty.has(topic)) return;
    this.#dirty.add(topic);
    this.#schedule(topic.dueAt);
  }

  /** Closes the clients that have been behind for too long. */
  closeStragglers(): void {
    const deadline = this.#clock.elapsed() - this.#limits.behindMaxMs;
    for (const { connection, behindSince } of this.#listeners.values()) {
      if (behindSince !== null && behindSince <= deadline) connection.closeAsTooSlow();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  #listenerOf(connection: Connection): Listener {
    const known = this.#listeners.get(connection);
    if (known !== undefined) return known;
    const listener: Listener = { connection, topics: new Set(), group: null, behindSince: null };
    this.#listeners.set(connection, listener);
    connection.onDrained(() => this.#catchUp(listener));
    return listener;
  }

  #writeSnapshot(connection: Connection, topic: Topic): void {
    if (!topic.hasAudience) topic.discardUpdates();
    const snapshot = topic.snapshot();
    if (snapshot.length > 0) connection.write(snapshot);
  }

  #regroup(listener: Listener): void {
    this.#ungroup(listener);
    if (listener.topics.size === 0) return;
    const numbers = Int32Array.from(listener.topics, (topic) => this.#numberOf(topic));
    const key = numbers.sort().join(' ');
    let group = this.#groups.get(key);
    if (group === undefined) {
      const topics = [...listener.topics];
      group = { key, topics, members: new Set(), parts: [], messageCount: 0 };
      this.#groups.set(key, group);
      for (const topic of topics) topic.groups.add(group);
    }
    group.members.add(listener.connection);
    listener.group = group;
  }

  #ungroup(listener: Listener): void {
    const { group } = listener;
    if (group === null) return;
    listener.group = null;
    group.members.delete(listener.connection);
    if (group.members.size > 0) return;
    this.#groups.delete(group.key);
    for (const topic of group.topics) topic.groups.delete(group);
  }

  #numberOf(topic: Topic): number {
    const known = this.#topicNumbers.get(topic);
    if (known !== undefined) return known;
    const number = this.#topicNumbers.size;
    this.#topicNumbers.set(topic, number);
    return number;
  }

  #schedule(dueAt: number): void {
    const at = Math.max(dueAt, this.#nextFlushAt);
    if (this.#isClosed || at >= this.#scheduledAt) return;
    this.#scheduledAt = at;
    this.#cancelTimer?.();
    const delay = at - this.#clock.elapsed();
    if (delay <= 0) this.#clock.afterTurn(() => this.#flush());
    else this.#cancelTimer = this.#clock.after(delay, () => this.#flush());
  }

  #flush(): void {
    this.#scheduledAt = Number.POSITIVE_INFINITY;
    if (this.#isClosed) return;
    const startedAt = this.#clock.elapsed();
    const behind = this.#deliver(this.#gather(startedAt));
    for (const connection of behind) this.#fallBehind(connection);
    const endedAt = this.#clock.elapsed();
    const pauseMs = (endedAt - startedAt) * this.#limits.flushPauseRatio;
    this.#nextFlushAt = endedAt + Math.max(this.#limits.flushIntervalMs, pauseMs);
    let dueAt = Number.POSITIVE_INFINITY;
    for (const topic of this.#dirty) dueAt = Math.min(dueAt, topic.dueAt);
    if (this.#dirty.size > 0) this.#schedule(dueAt);
  }

  #gather(now: number): ReadonlySet<TopicGroup> {
    const touched = new Set<TopicGroup>();
    for (const topic of this.#dirty) {
      if (topic.hasAudience && topic.dueAt > now) continue;
      this.#dirty.delete(topic);
      const updates = topic.hasAudience ? topic.takeUpdates() : null;
      if (updates === null) continue;
      topic.dueAt = now + topic.intervalMs;
      for (const group of topic.groups) {
        group.parts.push(updates.bytes);
        group.messageCount += updates.count;
        touched.add(group);
      }
    }
    return touched;
  }

  #deliver(groups: ReadonlySet<TopicGroup>): readonly Connection[] {
    const behind: Connection[] = [];
    for (const group of groups) {
      const [first] = group.parts;
      const bytes =
        group.parts.length === 1 && first !== undefined ? first : Buffer.concat(group.parts);
      let written = 0;
      for (const connection of group.members) {
        if (connection.backlogBytes > this.#limits.backlogResyncBytes) behind.push(connection);
        else if (connection.write(bytes)) written += 1;
      }
      this.#metrics.messagesSent(written * group.messageCount);
      group.parts = [];
      group.messageCount = 0;
    }
    return behind;
  }

  #fallBehind(connection: Connection): void {
    const listener = this.#listeners.get(connection);
    if (listener === undefined || listener.behindSince !== null) return;
    listener.behindSince = this.#clock.elapsed();
    this.#ungroup(listener);
    this.#metrics.clientFellBehind();
    for (const topic of listener.topics) {
      const resync = topic.resync();
      if (resync === null) return connection.closeAsTooSlow();
      connection.write(resync);
    }
  }

  #catchUp(listener: Listener): void {
    if (listener.behindSince === null || !listener.connection.isOpen) return;
    listener.behindSince = null;
    for (const topic of listener.topics) this.#writeSnapshot(listener.connection, topic);
    this.#regroup(listener);
  }
}
