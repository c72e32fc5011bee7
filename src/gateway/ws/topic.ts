import type { Connection } from './connection.ts';
import { encodeMessage } from './frame.ts';
import type { StreamTarget } from './protocol/stream-target.ts';

/** Frames of one or more messages, one after the other. */
export interface FramedMessages {
  readonly bytes: Buffer;
  readonly count: number;
}

/** One public stream of messages, the same for all who listen. */
export abstract class Topic {
  /** Those who get the updates, by what else they listen to; kept by the hub. */
  readonly groups = new Set<TopicGroup>();
  /** When the next update may go out; kept by the hub. */
  dueAt = 0;

  readonly target: StreamTarget;
  /** The shortest time between two rounds of updates. */
  readonly intervalMs: number;

  constructor(target: StreamTarget, intervalMs: number) {
    this.target = target;
    this.intervalMs = intervalMs;
  }

  get hasAudience(): boolean {
    return this.groups.size > 0;
  }

  /** Null where a snapshot can be made at once; else resolves when it can. */
  prepare(): Promise<void> | null {
    return null;
  }

  /** The state that the next update follows, as one frame; empty where a stream has none. */
  abstract snapshot(): Buffer;

  /** Tells a slow client that updates are left out until it has read; null: it is closed. */
  resync(): Buffer | null {
    return encodeMessage({ type: 'resync', ...this.target });
  }

  /** What happened since the last call; null where nothing did. */
  abstract takeUpdates(): FramedMessages | null;
}

/** Connections that listen to the very same topics, so that one buffer serves them all. */
export interface TopicGroup {
  readonly key: string;
  readonly topics: readonly Topic[];
  readonly members: Set<Connection>;
  /** What the running flush has for the members. */
  parts: Buffer[];
  messageCount: number;
}
