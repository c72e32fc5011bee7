import { nodeIn, nodesIn, type SyntaxNode, typeOf } from './syntax.ts';

// The replacements that can be planted at a node. `text` returns the source of a node.

/** A replacement for an expression, with the name of the change. */
export interface Alternative {
  readonly kind: 'operator' | 'bound' | 'constant' | 'arguments' | 'condition' | 'answer';
  readonly text: string;
}

type TextOf = (node: SyntaxNode) => string;

const exchanged: Readonly<Record<string, readonly string[]>> = {
  ...{ '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '&&': ['||'], '||': ['&&'] },
  ...{ '==': ['!='], '!=': ['=='] },
};
/** Each with its bound moved, and negated. */
const comparisons: Readonly<Record<string, readonly [string, string]>> = {
  ...{ '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'] },
};

/** The replacements of an expression. */
export function alternativesOf(node: SyntaxNode, text: TextOf): readonly Alternative[] {
  switch (node.nodeType) {
    case 'BinaryOperation':
      return alternativesOfBinary(node, text);
    case 'UnaryOperation':
      return alternativesOfUnary(node, text);
    case 'Literal':
      return alternativesOfLiteral(node);
    case 'Identifier':
      return alternativesOfConstant(node);
    default:
      return [];
  }
}

function alternativesOfBinary(node: SyntaxNode, text: TextOf): readonly Alternative[] {
  const [left, right] = ['leftExpression', 'rightExpression'].map((field) => {
    const operand = nodeIn(node, field);
    return operand.nodeType === 'BinaryOperation' ? `(${text(operand)})` : text(operand);
  });
  const operator = String(node['operator']);
  const join = (other: string) => `(${left} ${other} ${right})`;
  const [moved, turned] = comparisons[operator] ?? [];
  if (moved !== undefined && turned !== undefined) {
    return [
      { kind: 'bound', text: join(moved) },
      { kind: 'operator', text: join(turned) },
    ];
  }
  return (exchanged[operator] ?? []).map((other) => ({ kind: 'operator', text: join(other) }));
}

function alternativesOfUnary(node: SyntaxNode, text: TextOf): readonly Alternative[] {
  const operand = text(nodeIn(node, 'subExpression'));
  const operator = String(node['operator']);
  if (operator === '!') return [{ kind: 'operator', text: `(${operand})` }];
  const other = { '++': '--', '--': '++' }[operator];
  if (other === undefined) return [];
  return [
    {
      kind: 'operator',
      text: node['prefix'] === true ? `${other}${operand}` : `${operand}${other}`,
    },
  ];
}

function alternativesOfLiteral(node: SyntaxNode): readonly Alternative[] {
  const value = String(node['value']);
  if (node['kind'] === 'bool') {
    return [{ kind: 'constant', text: value === 'true' ? 'false' : 'true' }];
  }
  if (!typeOf(node).startsWith('int_const') || typeof node['subdenomination'] === 'string')
    return [];
  return [{ kind: 'constant', text: String(BigInt(value.replaceAll('_', '')) + 1n) }];
}

function alternativesOfConstant(node: SyntaxNode): readonly Alternative[] {
  const name = String(node['name']);
  if (!/^[A-Z][A-Z_]+$/.test(name) || !typeOf(node).startsWith('uint')) return [];
  return [{ kind: 'constant', text: `(${name} + 1)` }];
}

/** For each argument that could be swapped with the next one of the same type: both places. */
export function exchangeableArguments(
  call: SyntaxNode,
): readonly (readonly [SyntaxNode, SyntaxNode])[] {
  const given = nodesIn(call, 'arguments');
  return given.slice(1).flatMap((second, index) => {
    const first = given[index];
    if (first === undefined || typeOf(first) !== typeOf(second)) return [];
    return typeOf(first).startsWith('int_const') ? [] : [[first, second] as const];
  });
}

/** Another value of the same type. */
export function otherAnswer(expression: SyntaxNode, text: TextOf): string | null {
  const type = typeOf(expression);
  if (type === 'bool') return `!(${text(expression)})`;
  return /^uint\d*$/.test(type) ? `(${text(expression)}) + 1` : null;
}
