import type { ErrorCatalog } from '../../src/gateway/errors/error-row.ts';
import { controlErrorMeanings } from '../../src/gateway/ws/futures/control-message.ts';
import {
  closeCodeMeanings,
  streamErrorMeanings,
} from '../../src/gateway/ws/protocol/stream-error.ts';
import { errorCatalogs } from './error-catalogs.ts';

/** A catalog as the table in docs/api.md. */
function renderErrorTable(catalog: ErrorCatalog): string {
  const rows = Object.values(catalog).map(({ status, code, text, page }) => {
    const bare = page === undefined ? '(empty body)' : '(html body)';
    const shown = code === '' ? bare : `\`${code}\``;
    return `| ${status} | ${shown} | ${escaped(text)} |`;
  });
  return ['| HTTP | code | meaning |', '|---|---|---|', ...rows].join('\n');
}

function renderMeanings(meanings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(meanings).map(([code, text]) => `| \`${code}\` | ${escaped(text)} |`);
  return ['| code | meaning |', '|---|---|', ...rows].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The tables of each document, by the name in the comment above them. */
export const documentedTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/api.md': Object.fromEntries(
    Object.entries(errorCatalogs).map(([name, catalog]) => [name, renderErrorTable(catalog)]),
  ),
  'docs/streams.md': {
    streams: renderMeanings(streamErrorMeanings),
    close_codes: renderMeanings(closeCodeMeanings),
    stream_requests: renderMeanings(controlErrorMeanings),
  },
};

/** A table below the comment that names it. */
export const errorTablePattern = /<!-- errors: (\w+) -->\n\n((?:\|.*\n)+)/g;

/** The tables of a document by the name in the comment above each. */
export function readErrorTables(text: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (const match of text.matchAll(errorTablePattern)) {
    tables.set(match[1] ?? '', (match[2] ?? '').trimEnd());
  }
  return tables;
}
