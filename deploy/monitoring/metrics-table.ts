import { readFileSync } from 'node:fs';

/** A row of the table of metrics in docs/alarms.md. */
export interface DocumentedMetric {
  readonly name: string;
  readonly says: string;
  /** When to worry; `-` where never. */
  readonly alarm: string;
}

/** Every metric of the exchange, in the order of docs/alarms.md. */
export function readMetricsTable(): readonly DocumentedMetric[] {
  const text = readFileSync(new URL('../../docs/alarms.md', import.meta.url), 'utf8');
  const start = text.indexOf('\n## Metrics\n');
  const rows = text.slice(start, text.indexOf('\n## ', start + 1)).split('\n');
  return rows
    .filter((row) => row.startsWith('| `'))
    .flatMap((row) => {
      const [names = '', says = '', alarm = ''] = row.slice(1, -1).split(' | ');
      return [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => ({
        name,
        says: withoutMarkup(says),
        alarm: withoutMarkup(alarm),
      }));
    });
}

function withoutMarkup(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}
