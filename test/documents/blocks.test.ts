import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSourceFiles, projectRoot } from '../architecture/source-files.ts';
import { readBlocks } from '../support/document-blocks.ts';

// What a reader may paste is run by a test: each block of shell or code has a name, and a test that
// asks for it by that name.

const runnable = new Set(['sh', 'bash', 'ts', 'js']);
/** Documents whose blocks are all run without being named, by the test that reads them whole. */
const readWhole = new Map([
  ['docs/tour.md', 'test/e2e/tour.test.ts'],
  ['docs/clients.md', 'test/clients/documented-clients.test.ts'],
]);
/** Commands whose own parts are tested: they start servers, or need data of the reader's. */
const testedByParts = new Map([
  ['README.md install', 'a clean clone'],
  ['README.md demo-claim', 'test/e2e/claim-story.test.ts'],
  ['README.md replay', 'test/e2e/replay-flow.test.ts'],
  ['CONTRIBUTING.md install', 'a clean clone'],
  ['docs/api.md sign-order', 'test/http/api-document.test.ts'],
  ['docs/cluster.md try', 'test/e2e/cluster-trial.test.ts'],
]);

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'packages/client/README.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const tests = listSourceFiles('test').map(({ text }) => text);

test('documents: every block of shell or code has a name that a test runs it by', () => {
  const missing = documents
    .filter((document) => !readWhole.has(document))
    .flatMap((document) =>
      readBlocks(document)
        .filter(({ language }) => runnable.has(language))
        .filter(({ name }) => !testedByParts.has(`${document} ${name}`))
        .filter(({ name }) => !tests.some((text) => isRunBy(text, document, name)))
        .map(({ name, text }) => `${document} ${name ?? text.slice(0, 40)}`),
    );
  expect(missing).toEqual([]);
});

test('documents: a page read as a whole is read by its test', () => {
  for (const [document, path] of readWhole) {
    const reader = listSourceFiles('test').find((file) => file.path === path);
    expect(reader?.text).toContain(document);
  }
});

function isRunBy(text: string, document: string, name: string | null): boolean {
  return name !== null && text.includes(`'${document}'`) && text.includes(`'${name}'`);
}
