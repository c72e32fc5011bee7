import type { ErrorCatalog } from '../../src/gateway/errors/error-row.ts';

/** A catalog as the table that stands in docs/api.md. */
export function renderErrorTable(catalog: ErrorCatalog): string {
  const rows = Object.values(catalog).map(({ status, code, text, page }) => {
    const bare = page === undefined ? '(empty body)' : '(html body)';
    const shown = code === '' ? bare : `\`${code}\``;
    return `| ${status} | ${shown} | ${text.replaceAll('|', '\\|')} |`;
  });
  return ['| HTTP | code | meaning |', '|---|---|---|', ...rows].join('\n');
}

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
