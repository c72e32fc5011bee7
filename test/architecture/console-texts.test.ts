import ts from 'typescript';
import { expect, test } from 'vitest';
import { listSourceFiles } from './source-files.ts';

// What the console shows is in console/src/text by key: no component has words of its own.

const shownAttributes = new Set([
  'label',
  'title',
  'empty',
  'caption',
  'action',
  'hint',
  'absent',
  'placeholder',
  'aria-label',
  'alt',
]);
const letters = /[A-Za-z]{2}/;
/** How titles and sentences begin. */
const wording = /^[^A-Za-z<[`]*[A-Z][a-z]+([ ,:.?…]|$)/;
const brand = 'openbourse';

const kinds = ts.SyntaxKind;
const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  kinds.EqualsEqualsEqualsToken,
  kinds.ExclamationEqualsEqualsToken,
]);

/** A name of a key, a type or a module, or what a value is compared with. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return comparisons.has(parent.operatorToken.kind);
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent))
    return parent.name === node;
  return ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isCaseClause(parent);
}

function isWording(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return letters.test(node.text) && node.text.trim() !== brand;
  if (ts.isTemplateExpression(node)) return wording.test(node.head.text);
  if (!ts.isStringLiteralLike(node) || isName(node)) return false;
  if (!ts.isJsxAttribute(node.parent)) return wording.test(node.text);
  return shownAttributes.has(node.parent.name.getText()) && letters.test(node.text);
}

function wordingsOf(path: string, text: string): readonly string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isWording(node)) found.push(`${path}: ${node.getText().trim()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('console texts: what is shown is recognized', () => {
  const source = `
    import { Enter } from 'Enter';
    const columns = [{ title: 'Last used' }, { 'Key of it': key === 'Enter' ? 'Sold' : '' }];
    say(\`Bought \${quantity}\`);
    const shown = <p class="Small text" title="price">All of <b>{'it'}</b></p>;`;
  expect(
    wordingsOf('example.tsx', source).map((each) => each.slice('example.tsx: '.length)),
  ).toEqual(["'Last used'", "'Sold'", '`Bought ${quantity}`', '"price"', 'All of']);
});

test('console texts: components have no words of their own', () => {
  const files = ['.ts', '.tsx']
    .flatMap((ending) => listSourceFiles('console/src', ending))
    .filter(({ path }) => !path.includes('.test.') && !path.startsWith('console/src/text/'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(({ path, text }) => wordingsOf(path, text))).toEqual([]);
});
