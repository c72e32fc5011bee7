/** What the URL of a Binance-style connection asks for. */
export interface StreamUrl {
  /** True if messages are wrapped in an object that names their stream. */
  readonly isCombined: boolean;
  readonly streamNames: readonly string[];
  readonly listenKeys: readonly string[];
  /** The user events requested for a listen key; a key that is absent gets all of them. */
  readonly eventsByKey: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the bare `/ws` asks for: nothing. */
export const noStreams: StreamUrl = {
  isCombined: false,
  streamNames: [],
  listenKeys: [],
  eventsByKey: new Map(),
};

const routePattern = /^(?:\/(?:public|market|private))?\/(ws|stream)(?:\/(.*))?$/;
/** Some clients append a number to the path to tell their connections apart. */
const connectionNumber = /^\d+$/;

/** Null if the path is not one of Binance's; the bare `/ws` is, as Binance clients use it too. */
export function parseStreamUrl(url: string): StreamUrl | null {
  const [path = '', ...queries] = url.split('?');
  const match = routePattern.exec(path.endsWith('/') ? path.slice(0, -1) : path);
  if (match === null) return null;
  const [, kind, tail = ''] = match;
  const isCombined = kind === 'stream';
  if (isCombined && tail !== '') return null;
  const query = new URLSearchParams(queries.join('?'));
  const names = [
    ...tail.split('/').map(decodeName),
    ...query.getAll('streams').flatMap((all) => all.split('/')),
  ].filter((name) => name !== '' && !connectionNumber.test(name));
  const isStream = (name: string): boolean => name.includes('@') || name.startsWith('!');
  return {
    isCombined,
    streamNames: names.filter(isStream),
    listenKeys: [...query.getAll('listenKey'), ...names.filter((name) => !isStream(name))],
    eventsByKey: readEvents(query),
  };
}

/** `events=A/B` after each `listenKey=`. */
function readEvents(query: URLSearchParams): ReadonlyMap<string, ReadonlySet<string>> {
  const eventsByKey = new Map<string, ReadonlySet<string>>();
  let listenKey: string | null = null;
  for (const [name, value] of query) {
    if (name === 'listenKey') listenKey = value;
    else if (name === 'events' && value !== '' && listenKey !== null) {
      eventsByKey.set(listenKey, new Set(value.split('/')));
    }
  }
  return eventsByKey;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape is kept as part of a name that no stream has.
    return text;
  }
}
