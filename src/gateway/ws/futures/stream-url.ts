/** What the URL of a connection in Binance's manner asks for. */
export interface StreamUrl {
  /** Whether messages come in a wrapper that names their stream. */
  readonly isCombined: boolean;
  readonly streamNames: readonly string[];
  readonly listenKeys: readonly string[];
}

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
  };
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape is part of a name that no stream has.
    return text;
  }
}
