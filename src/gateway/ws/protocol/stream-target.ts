/** The target of a subscription, as replies and envelopes name it. */
export interface StreamTarget {
  readonly channel: string;
  readonly symbol?: string;
  readonly market?: 'spot' | 'futures';
  readonly interval?: string;
}

/** One text per target, for looking up a connection's subscriptions. */
export function targetKey({ channel, market, symbol, interval }: StreamTarget): string {
  return [channel, market, symbol, interval].filter((part) => part !== undefined).join(' ');
}
