import ts from 'typescript';
import { expect, test } from 'vitest';
import { listSourceFiles, type SourceFile } from './source-files.ts';

const fileLinesMax = 400;
const functionLinesMax = 70;
const columnsMax = 100;

const files = [...listSourceFiles('src'), ...listSourceFiles('test'), ...listSourceFiles('bench')];
const browserFiles = [
  ...listSourceFiles('console/src'),
  ...listSourceFiles('console/src', '.tsx'),
  ...listSourceFiles('packages/client/src').filter(({ path }) => !path.endsWith('/endpoints.ts')),
];
const isMigration = (file: SourceFile): boolean => file.path.includes('/migrations/');
const isTest = (file: SourceFile): boolean => /\.test\.ts$/.test(file.path);

test('tidy: no file is longer than 400 lines', () => {
  const long = [...files, ...browserFiles]
    .filter((file) => !isMigration(file) && file.text.split('\n').length - 1 > fileLinesMax)
    .map((file) => `${file.path}: ${file.text.split('\n').length - 1} lines`);
  expect(long).toEqual([]);
});

test('tidy: no function is longer than 70 lines', () => {
  const long = [...files, ...browserFiles]
    .filter((file) => !isMigration(file) && !isTest(file))
    .flatMap(longFunctions);
  expect(long).toEqual([]);
});

test('tidy: product code stays within 100 columns', () => {
  const wide = files
    .filter((file) => file.path.startsWith('src/') && !isTest(file))
    .flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, index) =>
          line.length > columnsMax && !isLongText(line) ? [`${file.path}:${index + 1}`] : [],
        ),
    );
  expect(wide).toEqual([]);
});

test('tidy: no file has a catch-all name', () => {
  const homeless = /\/(utils?|helpers?|misc|common|index)\.ts$/;
  expect(files.map((file) => file.path).filter((path) => homeless.test(path))).toEqual([]);
});

test('tidy: file names are kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|prop\.test))?\.ts$/;
  const names = files.filter((file) => !isMigration(file)).map((file) => file.path);
  expect(names.filter((path) => !kebab.test(path.split('/').at(-1) ?? ''))).toEqual([]);
});

test('tidy: no default export, enum, any, or leftover marker', () => {
  const banned = [
    /^export default /m,
    /^(export )?(const )?enum /m,
    /: any\b|<any>|as any\b/,
    /\b(TODO|FIXME|XXX)\b/,
  ];
  const found = files
    .filter((file) => file.path !== 'test/architecture/tidy.test.ts')
    .flatMap((file) =>
      banned
        .filter((pattern) => pattern.test(file.text))
        .map((pattern) => `${file.path}: ${String(pattern)}`),
    );
  expect(found).toEqual([]);
});

test('tidy: a literal is written out, not spread into another one', () => {
  const spread = [...files, ...browserFiles]
    .filter((file) => !isMigration(file))
    .flatMap((file) => {
      const found: string[] = [];
      visitNodes(file, (node, line) => {
        const isSpread =
          ts.isSpreadAssignment(node) ||
          ts.isJsxSpreadAttribute(node) ||
          (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent));
        if (isSpread && isLiteral(node.expression)) found.push(`${file.path}:${line}`);
      });
      return found;
    });
  expect(spread).toEqual([]);
});

test('tidy: what the core and the ports export says what it is', () => {
  const isCore = /^src\/(domain|engine|programs)\/|^src\/application\/(.+-)?ports[^/]*$/;
  const documented = files.filter((file) => isCore.test(file.path) && !isTest(file));
  expect(documented.length).toBeGreaterThan(200);
  expect(documented.flatMap(undocumentedExports)).toEqual([]);
});

// A long literal (an address, a hash, a sentence in a schema) is not made clearer by breaking it.
function isLongText(line: string): boolean {
  return /['"`][^'"`]{60,}['"`]/.test(line) || /https?:\/\//.test(line);
}

function longFunctions(file: SourceFile): readonly string[] {
  const long: string[] = [];
  visitNodes(file, (node, line, lastLine) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const lines = lastLine - line + 1;
    if (lines > functionLinesMax) long.push(`${file.path}:${line}: ${lines} lines`);
  });
  return long;
}

/** An object or array that is written out, also in parentheses or as a constant. */
function isLiteral(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression)) {
    return isLiteral(expression.expression);
  }
  return ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression);
}

/** Functions and types without a docstring, and methods of an interface without one. */
function undocumentedExports(file: SourceFile): readonly string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  return source.statements.filter(isExported).flatMap((statement) => {
    const methods = ts.isInterfaceDeclaration(statement) ? statement.members : [];
    return [statement, ...methods.filter(ts.isMethodSignature)]
      .filter((node) => ts.getJSDocCommentsAndTags(node).length === 0)
      .map((node) => `${file.path}: ${node.getText(source).split('\n')[0]}`);
  });
}

/** Whether a statement exports a function or a type. */
function isExported(statement: ts.Statement): boolean {
  const isDeclaration =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return (
    isDeclaration &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** Shows each node of a file with its first and last line, counted from one. */
function visitNodes(
  file: SourceFile,
  see: (node: ts.Node, line: number, lastLine: number) => void,
): void {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  const lineOf = (position: number): number =>
    source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    see(node, lineOf(node.getStart(source)), lineOf(node.end));
    ts.forEachChild(node, visit);
  };
  visit(source);
}
