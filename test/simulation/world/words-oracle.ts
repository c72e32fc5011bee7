import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../architecture/source-files.ts';
import { Violation } from './history.ts';

// These say only where to look, so they do not explain why a process ended.
const explainsNothing = ['could not start', 'could not stop cleanly', 'an unexpected error'];

let known: readonly RegExp[] | null = null;

/** O14: a table of the documents explains why a process ended. @throws Violation */
export function requireExplained(error: unknown, lastWords: readonly string[]): void {
  known ??= readRows();
  const said = [String(error), ...lastWords];
  if (said.some((text) => known!.some((row) => row.test(text)))) return;
  throw new Violation(
    'O14',
    `no table of the documents explains why this process ended: ${said.join('; ')}`,
  );
}

/** Each text in the first cell of a row; placeholders in it match anything. */
function readRows(): readonly RegExp[] {
  const folder = join(projectRoot, 'docs');
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return pages.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^\|([^|]+)\|/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
      .map(([, text = '']) => text)
      .filter((text) => text.includes(' ') && !explainsNothing.includes(text))
      .map(
        (text) =>
          new RegExp(
            text
              .split(/\b(?:[A-Z]|FILE)\b|\.\.\.|…/)
              .map(escape)
              .join('.*'),
          ),
      ),
  );
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
