/** The target of a subscription, as replies and envelopes name it. */
export interface StreamTarget {
  readonly channel: string;
  readonly symbol?: string;
  readonly market?: 'spot' | 'futures';
  readonly interval?: string;
  /** Of an order book with grouped levels: the step of its prices, as decimal text. */
  readonly group?: string;
}

/** One text per target, for looking up a connection's subscriptions. */
export function targetKey({ channel, market, symbol, interval, group }: StreamTarget): string {
  return [channel, market, symbol, interval, group].filter((part) => part !== undefined).join(' ');
}
