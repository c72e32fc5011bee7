import { noStreams, parseStreamUrl, type StreamUrl } from './futures/stream-url.ts';

/** The protocol that a URL selects, and the markets it covers. */
export type StreamRoute =
  /** The bare path: the client's first message selects the protocol. */
  | { readonly kind: 'first_message' }
  | { readonly kind: 'events'; readonly market: StreamMarkets; readonly asked: StreamUrl }
  | { readonly kind: 'order_entry'; readonly market: StreamMarkets };

export type StreamMarkets = 'futures' | 'spot';

// Binance distinguishes spot from futures by the host. Here they share one, so spot has its own
// path. It contains `/stream`, by which ccxt recognizes spot events.
const spotPrefix = '/streams/spot';
const spotEvents = /^\/(ws|stream)(\/|\?|$)/;
const futuresOrderEntry = /^\/ws-fapi\/v1\/?(\?|$)/;
const spotOrderEntry = /^(\/streams\/spot)?\/ws-api\/v3\/?(\?|$)/;

/** Null if nothing is served at the URL. */
export function parseStreamRoute(url: string): StreamRoute | null {
  if (futuresOrderEntry.test(url)) return { kind: 'order_entry', market: 'futures' };
  if (spotOrderEntry.test(url)) return { kind: 'order_entry', market: 'spot' };
  const isSpot = url.startsWith(`${spotPrefix}/`);
  const path = isSpot ? url.slice(spotPrefix.length) : url;
  if (isSpot && !spotEvents.test(path)) return null;
  const asked = parseStreamUrl(path);
  if (asked === null) return null;
  if (isSpot) return { kind: 'events', market: 'spot', asked };
  const isBare = asked.streamNames.length === 0 && asked.listenKeys.length === 0;
  if (isBare && path.split('?', 1)[0] === '/ws') return { kind: 'first_message' };
  return { kind: 'events', market: 'futures', asked };
}

/** What the URL asks for before any message. */
export function requestedStreams(route: StreamRoute | null): StreamUrl {
  return route?.kind === 'events' ? route.asked : noStreams;
}
