import ts from 'typescript';
import { listSourceFiles } from '../architecture/source-files.ts';

export interface LogLine {
  readonly level: string;
  /** The message; what is filled in stands as `<name>`. */
  readonly message: string;
  readonly path: string;
}

const levels = new Set(['warn', 'error', 'fatal']);

/** Every line of the log in src that may want a person, as it is in the code. */
export function listLogLines(): readonly LogLine[] {
  return listSourceFiles('src')
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => {
      const found: LogLine[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node)) found.push(...readCall(node, path));
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
      return found;
    });
}

function readCall({ expression, arguments: given }: ts.CallExpression, path: string): LogLine[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const level = expression.name.text;
  const receiver = expression.expression.getText();
  if (!levels.has(level) || !/log(ger)?$/i.test(receiver)) return [];
  const last = given.at(-1);
  return last === undefined ? [] : textsOf(last).map((message) => ({ level, message, path }));
}

/** The texts that an argument may be. */
function textsOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [`? ${node.getText()}`];
  const parts = node.templateSpans.map(
    ({ expression, literal }) => `<${expression.getText().split('.').at(-1)}>${literal.text}`,
  );
  return [node.head.text + parts.join('')];
}
