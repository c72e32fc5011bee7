/** Limits on what one client, and all together, can ask of the streams. */
export interface StreamLimits {
  readonly connectionsMax: number;
  readonly connectionsPerClientMax: number;
  readonly connectionsPerAccountMax: number;
  readonly subscriptionsMax: number;
  readonly messageBytesMax: number;
  /** Messages and pings of a client that are served in a burst, and the sustained rate. */
  readonly messagesBurst: number;
  readonly messagesPerSecond: number;
  /** Binance-style streams that a client can join or leave in a burst, and the sustained rate. */
  readonly streamChangesBurst: number;
  readonly streamChangesPerSecond: number;
  readonly pingIntervalMs: number;
  readonly silenceMaxMs: number;
  /** Time between two rounds of updates; changes in between are sent together. */
  readonly flushIntervalMs: number;
  /** A long round is followed by a pause of this many times its length. */
  readonly flushPauseRatio: number;
  /** Unsent bytes at which a client's public updates stop until it has read them. */
  readonly backlogResyncBytes: number;
  /** Unsent bytes at which a client is closed. */
  readonly backlogCloseBytes: number;
  /** How long a client can stay behind before it is closed. */
  readonly behindMaxMs: number;
}

/** Many traders share one address in offices and data centers, hence its high limit. */
export const defaultStreamLimits: StreamLimits = {
  connectionsMax: 20_000,
  connectionsPerClientMax: 2_000,
  connectionsPerAccountMax: 50,
  subscriptionsMax: 50,
  messageBytesMax: 8 * 1024,
  messagesBurst: 100,
  messagesPerSecond: 10,
  streamChangesBurst: 4_096,
  streamChangesPerSecond: 100,
  pingIntervalMs: 20_000,
  silenceMaxMs: 60_000,
  flushIntervalMs: 20,
  flushPauseRatio: 1,
  backlogResyncBytes: 256 * 1024,
  backlogCloseBytes: 1024 * 1024,
  behindMaxMs: 10_000,
};
