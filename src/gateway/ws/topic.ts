import type { Connection } from './connection.ts';
import { encodeMessage } from './frame.ts';
import type { StreamTarget } from './protocol/stream-target.ts';

/** Frames of one or more messages, concatenated. */
export interface FramedMessages {
  readonly bytes: Buffer;
  readonly count: number;
}

/** One public stream of messages, the same for all subscribers. */
export abstract class Topic {
  /** The subscribers, grouped by the set of topics they are subscribed to; managed by the hub. */
  readonly groups = new Set<TopicGroup>();
  /** When the next update can go out; managed by the hub. */
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

  /** Null if a snapshot can be made immediately; otherwise resolves when it can. */
  prepare(): Promise<void> | null {
    return null;
  }

  /** How many items its snapshot holds, if that is more than a client pays for with its message. */
  get snapshotItems(): number {
    return 0;
  }

  /** Whether its snapshot may lack what happened after it was made, which the next update has. */
  get isSnapshotKept(): boolean {
    return false;
  }

  /** Forgets what happened before the first subscriber: its snapshot includes that. */
  discardUpdates(): void {
    this.takeUpdates();
  }

  /** The state that the next update applies to, as one frame; empty if a stream has none. */
  abstract snapshot(): Buffer;

  /** Notifies a slow client that updates are left out until it has read; null: it is closed. */
  resync(): Buffer | null {
    return encodeMessage({ type: 'resync', ...this.target });
  }

  /** What happened since the last call; null if nothing did. */
  abstract takeUpdates(): FramedMessages | null;
}

/** Connections with exactly the same topics, so that one buffer serves them all. */
export interface TopicGroup {
  readonly key: string;
  readonly topics: readonly Topic[];
  readonly members: Set<Connection>;
  /** What the current flush sends to the members. */
  parts: Buffer[];
  messageCount: number;
}
