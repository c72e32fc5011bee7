import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './source-files.ts';

// What the service offers to operators, the operator's page has a place for.

/** Endpoints without a place, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'PUT /api/v1/admin/points/earn-level-config/:level': 'the page saves all levels at once',
  'GET /api/v1/admin/withdrawals/pause': 'GET /api/v1/site reports it to every page',
};

test('console: every endpoint of the administration has a place on the operator’s page', () => {
  const typed = readFileSync(join(projectRoot, 'packages/client/src/endpoints.ts'), 'utf8');
  const names = [...typed.matchAll(/^ {2}'([A-Z]+ \/api\/v1\/admin\/[^']+)'/gm)].map(
    ([, name = '']) => name,
  );
  const folder = join(projectRoot, 'console/src');
  const page = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  expect(names.length).toBeGreaterThan(40);
  const missing = names.filter((name) => !page.includes(`'${name}'`));
  expect(missing.toSorted()).toEqual(Object.keys(elsewhere).toSorted());
});
