import { createRequire } from 'node:module';
import { compilerInput, readDependency } from '../compile-contracts.ts';

/** A node of the compiler's syntax tree; offsets in its `src` are bytes. */
export interface SyntaxNode {
  readonly id: number;
  readonly nodeType: string;
  readonly src: string;
  readonly [field: string]: unknown;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface AstOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources?: Readonly<Record<string, { readonly ast: SyntaxNode }>>;
}

/**
 * The syntax trees of all sources, those of the libraries included, by path.
 * @throws Error with the compiler's own text if a source does not compile
 */
export function readSyntax(): ReadonlyMap<string, SyntaxNode> {
  const compiler = createRequire(import.meta.url)('solc') as {
    compile(input: string, callbacks: { import: typeof readDependency }): string;
  };
  const input = JSON.stringify(compilerInput({ '': ['ast'] }));
  const output = JSON.parse(compiler.compile(input, { import: readDependency })) as AstOutput;
  const fault = output.errors?.find(({ severity }) => severity === 'error');
  if (fault !== undefined) throw new Error(fault.formattedMessage);
  return new Map(Object.entries(output.sources ?? {}).map(([path, { ast }]) => [path, ast]));
}

export function spanOf({ src }: SyntaxNode): Span {
  const [start = 0, length = 0] = src.split(':').map(Number);
  return { start, end: start + length };
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value;
}

/** The node in a field that the compiler always sets. */
export function nodeIn(node: SyntaxNode, field: string): SyntaxNode {
  const value = node[field];
  if (!isNode(value)) throw new Error(`${node.nodeType} has no ${field}`);
  return value;
}

export function nodesIn(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The compiler's name of an expression's type. */
export function typeOf(node: SyntaxNode): string {
  const types = node['typeDescriptions'] as { readonly typeString?: string } | undefined;
  return types?.typeString ?? '';
}

/** The children of a node, in the order of the source. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value);
    else if (Array.isArray(value)) children.push(...value.filter(isNode));
  }
  return children.sort((a, b) => spanOf(a).start - spanOf(b).start);
}

/** All nodes at and below this one. */
export function* descend(node: SyntaxNode): Iterable<SyntaxNode> {
  yield node;
  for (const child of childrenOf(node)) yield* descend(child);
}
