/** What the URL of a connection in Binance's manner asks for. */
export interface StreamUrl {
  /** Whether messages come in a wrapper that names their stream. */
  readonly isCombined: boolean;
  readonly streamNames: readonly string[];
  readonly listenKeys: readonly string[];
  /** The user events that a listen key is asked for; a key that is absent gets all of them. */
  readonly eventsByKey: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the bare `/ws` asks for. */
export const nothingAsked: StreamUrl = {
  isCombined: false,
  streamNames: [],
  listenKeys: [],
  eventsByKey: new Map(),
};

const routePattern = /^(?:\/(?:public|market|private))?\/(ws|stream)(?:\/(.*))?$/;
/** Some clients end the path with a number to tell their connections apart. */
const connectionNumber = /^\d+$/;

/** Null where the path is none of Binance's; the bare `/ws` is, as its clients use it too. */
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

/** `events=A/B` behind each `listenKey=`. */
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
    // A broken escape is part of a name that no stream has.
    return text;
  }
}
