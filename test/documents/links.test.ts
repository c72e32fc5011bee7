import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';

// Whatever README.md and docs/ name must exist: links and their headings, pictures, files and
// folders, npm commands, tables.

const documents = [
  'README.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function read(document: string): string {
  return readFileSync(join(projectRoot, document), 'utf8');
}

/** A heading as the part of a link behind the hash. */
function anchorsOf(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const words = heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const before = seen.get(words) ?? 0;
    seen.set(words, before + 1);
    return before === 0 ? words : `${words}-${before}`;
  });
}

describe.each(documents)('%s', (document) => {
  const text = read(document);

  test('every link leads somewhere', () => {
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? document : join(dirname(document), path);
        if (!existsSync(join(projectRoot, file))) return true;
        return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('every file and folder that it names exists', () => {
    const roots = /^(src|test|docs|bench|contracts)\//;
    const missing = [...text.matchAll(/`([^`\n]+)`/g)]
      .map(([, named = '']) => named)
      .filter((named) => roots.test(named) && !/[<>*\s]/.test(named))
      .filter((named) => !existsSync(join(projectRoot, named)));
    expect(missing).toEqual([]);
  });

  test('every npm command that it shows exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('docs: every page is linked from another, every picture is shown in one', () => {
  const everything = documents.map((document) => [document, read(document)] as const);
  const pages = documents.filter((document) => document.startsWith('docs/'));
  const pictures = readdirSync(join(projectRoot, 'docs/images')).map((name) => `images/${name}`);
  const isNamed = (name: string, own: string): boolean =>
    everything.some(([document, text]) => document !== own && text.includes(`${name}`));
  const unseen = pages.filter((page) => !isNamed(page.replace('docs/', ''), page));
  expect([...unseen, ...pictures.filter((picture) => !isNamed(picture, ''))]).toEqual([]);
});

test('docs/database.md: the table lists every table of the migrations, and no other', () => {
  const folder = join(projectRoot, 'src/database/migrations');
  const made = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/CREATE TABLE (\w+)/g)].map(
      ([, table = '']) => table,
    ),
  );
  const [, section = ''] = read('docs/database.md').split('\n## Tables\n');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| `/.test(line));
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, table = '']) => table),
  );
  const own = new Set(['kysely_migration', 'kysely_migration_lock']);
  expect(listed.filter((table) => !own.has(table)).sort()).toEqual([...new Set(made)].sort());
});
