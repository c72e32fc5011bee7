import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractsFolder, readDependency } from '../compile-contracts.ts';
import { alternativesOf, exchangeableArguments, otherAnswer } from './operators.ts';
import {
  childrenOf,
  descend,
  isNode,
  nodeIn,
  nodesIn,
  type Span,
  type SyntaxNode,
  spanOf,
  typeOf,
} from './syntax.ts';

// All mutants of a source are planted in one text, and the block's PREVRANDAO, which no contract
// reads otherwise, selects the active one: `(block.prevrandao == 7 ? a <= b : a < b)`. So the
// sources are compiled once for all mutants.

export interface Mutant {
  /** The value of PREVRANDAO that activates it; none is 0. */
  readonly id: number;
  /** The file below contracts/src. */
  readonly file: string;
  readonly line: number;
  /** The contract and function, with a number if the same change occurs there twice. */
  readonly key: string;
  readonly change: string;
}

export interface PlantedSource {
  readonly file: string;
  readonly text: string;
  readonly mutants: readonly Mutant[];
}

const unread = new Set(['typeName', 'documentation', 'overrides', 'modifiers', 'returnParameters']);

/** Plants all mutants into the sources; a contract comes after those it inherits. */
export function plant(
  files: readonly string[],
  trees: ReadonlyMap<string, SyntaxNode>,
): readonly PlantedSource[] {
  const modifierBodies = new Map<unknown, string>();
  let firstId = 1;
  return files.map((file) => {
    const planter = new Planter({ file, firstId, trees, modifierBodies });
    const text = planter.text();
    firstId += planter.mutants.length;
    return { file, text, mutants: planter.mutants };
  });
}

interface PlantTerms {
  readonly file: string;
  readonly firstId: number;
  readonly trees: ReadonlyMap<string, SyntaxNode>;
  /** By the modifier's declaration: its body with its mutants. */
  readonly modifierBodies: Map<unknown, string>;
}

class Planter {
  readonly mutants: Mutant[] = [];
  readonly #file: string;
  readonly #firstId: number;
  readonly #source: Buffer;
  readonly #root: SyntaxNode;
  readonly #trees: ReadonlyMap<string, SyntaxNode>;
  readonly #modifierBodies: Map<unknown, string>;
  readonly #seen = new Map<string, number>();
  /** Text before and after single nodes that belongs to the node above them. */
  readonly #exchanged = new Map<SyntaxNode, (text: string) => string>();
  /** Statements outside of any condition. */
  readonly #ends = new Set<SyntaxNode>();
  #place = '';
  #contract = '';
  #modifiers: string[] = [];

  constructor({ file, firstId, trees, modifierBodies }: PlantTerms) {
    this.#file = file;
    this.#firstId = firstId;
    this.#source = readFileSync(join(contractsFolder, 'src', file));
    this.#trees = trees;
    this.#modifierBodies = modifierBodies;
    const root = trees.get(`src/${file}`);
    if (root === undefined) throw new Error(`no syntax tree of ${file}`);
    this.#root = root;
  }

  text(): string {
    return this.#render(this.#root);
  }

  #original = (node: SyntaxNode): string => this.#slice(spanOf(node));

  #slice({ start, end }: Span): string {
    return this.#source.subarray(start, end).toString('utf8');
  }

  #add(node: SyntaxNode, change: string): string {
    const line = this.#source.subarray(0, spanOf(node).start).toString('utf8').split('\n').length;
    const place = `${this.#place}: ${change.replace(/\s+/g, ' ')}`;
    const count = (this.#seen.get(place) ?? 0) + 1;
    this.#seen.set(place, count);
    const key = count === 1 ? place : `${place} (${count})`;
    const id = this.#firstId + this.mutants.length;
    this.mutants.push({ id, file: this.#file, line, key, change });
    return `block.prevrandao == ${id}`;
  }

  #render(node: SyntaxNode): string {
    const exchange = this.#exchanged.get(node);
    const text = this.#renderPlain(node);
    return exchange === undefined ? text : exchange(text);
  }

  #renderPlain(node: SyntaxNode): string {
    switch (node.nodeType) {
      case 'PragmaDirective':
      case 'ImportDirective':
      case 'UsingForDirective':
      case 'EventDefinition':
      case 'ErrorDefinition':
      case 'StructDefinition':
      case 'ElementaryTypeNameExpression':
        return this.#original(node);
      case 'ContractDefinition':
        return this.#renderContract(node);
      case 'FunctionDefinition':
      case 'ModifierDefinition':
        return this.#renderFunction(node);
      case 'VariableDeclaration':
        return node['constant'] === true ? this.#original(node) : this.#renderInside(node);
      case 'IfStatement':
      case 'ForStatement':
      case 'Return':
        return this.#renderBranch(node);
      case 'ExpressionStatement':
      case 'EmitStatement':
        return this.#renderStatement(node);
      case 'RevertStatement':
        return this.#renderRevert(node);
      case 'FunctionCall':
        return this.#renderCall(node);
      default:
        return this.#renderExpression(node);
    }
  }

  /** The node's text with the mutants below it, but none at the node itself. */
  #renderInside(node: SyntaxNode, skipped: ReadonlySet<string> = unread): string {
    const below = new Set(
      Object.entries(node)
        .filter(([field]) => !skipped.has(field))
        .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
        .filter(isNode),
    );
    const { start, end } = spanOf(node);
    let [text, position] = ['', start];
    for (const child of childrenOf(node).filter((each) => below.has(each))) {
      const span = spanOf(child);
      text += this.#slice({ start: position, end: span.start }) + this.#render(child);
      position = span.end;
    }
    return text + this.#slice({ start: position, end });
  }

  #renderExpression(node: SyntaxNode): string {
    // Nothing but a literal zero is compared with bytes.
    const isOfBytes =
      isNode(node['leftExpression']) && /^bytes/.test(typeOf(node['leftExpression']));
    let text = isOfBytes ? this.#original(node) : this.#renderInside(node);
    for (const { text: other } of alternativesOf(node, this.#original)) {
      const change = `${this.#original(node)} → ${other}`;
      text = `(${this.#add(node, change)} ? ${other} : ${text})`;
    }
    return text;
  }

  #renderCall(node: SyntaxNode): string {
    // The number in a conversion like address(0) belongs to the name of a value.
    if (
      node['kind'] === 'typeConversion' &&
      nodesIn(node, 'arguments')[0]?.nodeType === 'Literal'
    ) {
      return this.#original(node);
    }
    for (const [first, second] of exchangeableArguments(node)) {
      const [left, right] = [this.#original(first), this.#original(second)];
      const awake = this.#add(node, `${left}, ${right} → ${right}, ${left}`);
      this.#wrap(first, (text) => `(${awake} ? ${right} : ${text})`);
      this.#wrap(second, (text) => `(${awake} ? ${left} : ${text})`);
    }
    return this.#renderInside(node);
  }

  #wrap(node: SyntaxNode, exchange: (text: string) => string): void {
    const before = this.#exchanged.get(node);
    this.#exchanged.set(node, (text) => exchange(before === undefined ? text : before(text)));
  }

  #renderBranch(node: SyntaxNode): string {
    if (node.nodeType === 'ForStatement') {
      // A loop that does not count would run until its gas is used up.
      return this.#renderInside(node, new Set([...unread, 'loopExpression']));
    }
    if (node.nodeType === 'Return') return this.#renderReturn(node);
    const condition = nodeIn(node, 'condition');
    const always = this.#add(condition, `if (${this.#original(condition)}) → if (true)`);
    const never = this.#add(condition, `if (${this.#original(condition)}) → if (false)`);
    this.#wrap(condition, (text) => `${always} || (!(${never}) && (${text}))`);
    return this.#renderInside(node);
  }

  #renderReturn(node: SyntaxNode): string {
    const { expression } = node;
    if (!isNode(expression)) return this.#original(node);
    const other = otherAnswer(expression, this.#original);
    if (other === null) return this.#renderInside(node);
    const awake = this.#add(node, `return ${this.#original(expression)} → return ${other}`);
    this.#wrap(expression, (text) => `${awake} ? ${other} : ${text}`);
    return this.#renderInside(node);
  }

  #renderStatement(node: SyntaxNode): string {
    const { expression } = node;
    const isAssignment = isNode(expression) && expression.nodeType === 'Assignment';
    let text = this.#renderInside(node);
    const other = isAssignment
      ? { '+=': '-=', '-=': '+=' }[String(expression['operator'])]
      : undefined;
    if (isAssignment && other !== undefined) {
      const [left, right] = [
        nodeIn(expression, 'leftHandSide'),
        nodeIn(expression, 'rightHandSide'),
      ];
      const changed = `${this.#original(left)} ${other} ${this.#original(right)}`;
      const awake = this.#add(node, `${this.#original(expression)} → ${changed}`);
      text = `if (${awake}) ${changed}; else ${text}`;
    }
    const awake = this.#add(node, `deleted: ${this.#original(node)}`);
    return `if (!(${awake})) ${text}`;
  }

  /** Below a condition it is deleted by the condition that is never true. */
  #renderRevert(node: SyntaxNode): string {
    const text = this.#renderInside(node);
    if (!this.#ends.has(node)) return text;
    return `if (!(${this.#add(node, `deleted: ${this.#original(node)}`)})) ${text}`;
  }

  #renderFunction(node: SyntaxNode): string {
    const name = String(node['name'] === '' ? node['kind'] : node['name']);
    this.#place = `${this.#contract}.${name}`;
    const { body } = node;
    if (!isNode(body)) return this.#original(node);
    for (const statement of nodesIn(body, 'statements')) this.#ends.add(statement);
    const [whole, inner] = [spanOf(node), spanOf(body)];
    const pieces = nodesIn(node, 'modifiers')
      .filter((invocation) => invocation['kind'] === 'modifierInvocation')
      .map((invocation) => ({ span: spanOf(invocation), text: this.#optional(invocation) }));
    let [header, position] = ['', whole.start];
    for (const { span, text } of pieces) {
      header += this.#slice({ start: position, end: span.start }) + text;
      position = span.end;
    }
    header += this.#slice({ start: position, end: inner.start });
    // The active mutant is read from the block.
    const text = this.#render(body);
    if (node.nodeType === 'ModifierDefinition') this.#modifierBodies.set(node.id, text);
    return header.replace(/\bpure\b/, 'view') + text;
  }

  /** The invocation of a modifier that does nothing while its mutant is active. */
  #optional(invocation: SyntaxNode): string {
    const name = this.#original(invocation);
    const awake = this.#add(invocation, `deleted: modifier ${name}`);
    const id = awake.replace(/.*== /, '');
    const optional = `${name}Unless${id}`;
    const [before = '', after = ''] = this.#bodyOfModifier(invocation).slice(1, -1).split('_;');
    const guard = (text: string) => (text.trim() === '' ? '' : `if (!(${awake})) { ${text} }`);
    this.#modifiers.push(`modifier ${optional}() { ${guard(before)} _; ${guard(after)} }`);
    return optional;
  }

  #bodyOfModifier(invocation: SyntaxNode): string {
    const wanted = nodeIn(invocation, 'modifierName')['referencedDeclaration'];
    const planted = this.#modifierBodies.get(wanted);
    if (planted !== undefined) return planted;
    for (const [path, tree] of this.#trees) {
      for (const node of descend(tree)) {
        if (node.nodeType !== 'ModifierDefinition' || node.id !== wanted) continue;
        const { start, end } = spanOf(nodeIn(node, 'body'));
        return readSource(path).subarray(start, end).toString('utf8');
      }
    }
    throw new Error(`no modifier ${this.#original(invocation)}`);
  }

  #renderContract(node: SyntaxNode): string {
    if (node['contractKind'] === 'interface') return this.#original(node);
    this.#contract = String(node['name']);
    this.#place = this.#contract;
    const text = this.#renderInside(node, new Set([...unread, 'baseContracts']));
    return `${text.slice(0, -1)}\n${this.#modifiers.join('\n')}\n}`;
  }
}

function readSource(path: string): Buffer {
  if (path.startsWith('src/')) return readFileSync(join(contractsFolder, path));
  const answer = readDependency(path);
  if ('error' in answer) throw new Error(answer.error);
  return Buffer.from(answer.contents);
}
