/** What the streams count; the gateway's metrics implement it. */
export interface StreamMetrics {
  connectionOpened(): void;
  connectionClosed(code: number): void;
  connectionRefused(reason: string): void;
  messagesSent(count: number): void;
  clientFellBehind(): void;
}

/** For those who do not count. */
export const noStreamMetrics: StreamMetrics = {
  connectionOpened: () => {},
  connectionClosed: () => {},
  connectionRefused: () => {},
  messagesSent: () => {},
  clientFellBehind: () => {},
};
