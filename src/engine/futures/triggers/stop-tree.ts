import type { LiveOrder } from '../orders/live-order.ts';

// Trailing stops in a balanced tree (AVL), cut apart and joined in steps of its height. All that
// stand in one tree can be given another best price at once: the uppermost one takes it, and hands
// it down when somebody passes by. Prices of buys are negative in here, so that all fire falling.

const bpsPerWhole = 10_000;

/** A tree by its uppermost node; null is the empty one. */
export type StopTree = StopNode | null;

/** A trailing stop where it stands, with what is to be known of those beneath it. */
export class StopNode {
  readonly order: LiveOrder;
  /** In ticks: from here on it follows the price; the least of all where it does so at once. */
  readonly activation: number;
  /** It fires at so many ten-thousandths of the best price. */
  readonly share: bigint;
  /** The best price since it follows. */
  extreme = 0n;
  /** All beneath have the same extreme, and have yet to be told. */
  isUntold = false;
  left: StopTree = null;
  right: StopTree = null;
  above: StopTree = null;
  height = 1;
  /** The first to fire of those beneath and itself if all had one extreme. */
  tightest: StopNode = this;
  /**
   * The first to fire as they are, and its extreme. What it fires at is multiplied again where it
   * is compared: fresh numbers that outlive a command are what garbage collection takes long over.
   */
  first: StopNode = this;
  firstExtreme = 0n;

  constructor(order: LiveOrder) {
    const isSell = order.side === 'sell';
    const { activationPrice } = order;
    const callback: number = order.callback ?? 0;
    this.order = order;
    this.share = BigInt(isSell ? bpsPerWhole - callback : bpsPerWhole + callback);
    if (activationPrice === null) this.activation = Number.NEGATIVE_INFINITY;
    else this.activation = isSell ? activationPrice : 0 - activationPrice;
  }
}

export interface CutTree {
  readonly before: StopTree;
  readonly after: StopTree;
}

/** Cuts where `isBefore` turns false, which it must do once at most from left to right. */
export function split(tree: StopTree, isBefore: (node: StopNode) => boolean): CutTree {
  const { before, after } = cut(tree, isBefore);
  return { before: asRoot(before), after: asRoot(after) };
}

/** One tree after the other. */
export function concat(left: StopTree, right: StopTree): StopTree {
  if (left === null || right === null) return left ?? right;
  const { rest, last } = takeLast(left);
  return asRoot(join(rest, last, right));
}

/** Puts a node in behind those that are before it. */
export function insert(
  tree: StopTree,
  node: StopNode,
  isBefore: (other: StopNode) => boolean,
): StopTree {
  const { before, after } = cut(tree, isBefore);
  return asRoot(join(before, node, after));
}

/** Takes a node out of the tree that it stands in. */
export function remove(node: StopNode): StopTree {
  const path: StopNode[] = [];
  for (let at: StopTree = node; at !== null; at = at.above) path.push(at);
  for (let at = path.length - 1; at >= 0; at -= 1) handDown(path[at] as StopNode);
  let tree = concat(node.left, node.right);
  let beneath = node;
  for (const above of path.slice(1)) {
    const isLeft = above.left === beneath;
    tree = isLeft ? join(tree, above, above.right) : join(above.left, above, tree);
    beneath = above;
  }
  return asRoot(tree);
}

/** Gives all of a tree the extreme. */
export function spread(tree: StopTree, extreme: bigint): void {
  if (tree === null) return;
  tree.extreme = extreme;
  tree.isUntold = true;
  tree.first = tree.tightest;
  tree.firstExtreme = extreme;
}

export function rootOf(node: StopNode): StopNode {
  let root = node;
  while (root.above !== null) root = root.above;
  return root;
}

export function extremeOf(node: StopNode): bigint {
  let { extreme } = node;
  // Who is further up has the later word.
  for (let at = node.above; at !== null; at = at.above) if (at.isUntold) extreme = at.extreme;
  return extreme;
}

/** The extreme of the last one of a tree. */
export function lastExtreme(tree: StopNode): bigint {
  let node = tree;
  while (!node.isUntold && node.right !== null) node = node.right;
  return node.extreme;
}

export function leftmost(tree: StopNode): StopNode {
  let node = tree;
  while (node.left !== null) node = node.left;
  return node;
}

/** Ten thousand times the price at which the first of a tree fires. */
export function firstTrigger({ first, firstExtreme }: StopNode): bigint {
  return firstExtreme * first.share;
}

function heightOf(tree: StopTree): number {
  return tree === null ? 0 : tree.height;
}

function asRoot(tree: StopTree): StopTree {
  if (tree !== null) tree.above = null;
  return tree;
}

function cut(tree: StopTree, isBefore: (node: StopNode) => boolean): CutTree {
  if (tree === null) return { before: null, after: null };
  handDown(tree);
  if (isBefore(tree)) {
    const { before, after } = cut(tree.right, isBefore);
    return { before: join(tree.left, tree, before), after };
  }
  const { before, after } = cut(tree.left, isBefore);
  return { before, after: join(after, tree, tree.right) };
}

function takeLast(tree: StopNode): { readonly rest: StopTree; readonly last: StopNode } {
  handDown(tree);
  if (tree.right === null) return { rest: tree.left, last: tree };
  const { rest, last } = takeLast(tree.right);
  return { rest: join(tree.left, tree, rest), last };
}

function handDown(node: StopNode): void {
  if (!node.isUntold) return;
  spread(node.left, node.extreme);
  spread(node.right, node.extreme);
  node.isUntold = false;
}

/** Both trees with the node between them, in as many steps as their heights differ by. */
function join(left: StopTree, middle: StopNode, right: StopTree): StopNode {
  if (left !== null && left.height > heightOf(right) + 1) {
    handDown(left);
    return balance(left.left, left, join(left.right, middle, right));
  }
  if (right !== null && right.height > heightOf(left) + 1) {
    handDown(right);
    return balance(join(left, middle, right.left), right, right.right);
  }
  return attach(left, middle, right);
}

/** Attaches trees whose heights differ by two at most, turned where they do. */
function balance(left: StopTree, middle: StopNode, right: StopTree): StopNode {
  if (left !== null && left.height > heightOf(right) + 1) {
    handDown(left);
    const inner = left.right;
    if (inner === null || inner.height <= heightOf(left.left)) {
      return attach(left.left, left, attach(inner, middle, right));
    }
    handDown(inner);
    const { left: innerLeft, right: innerRight } = inner;
    return attach(attach(left.left, left, innerLeft), inner, attach(innerRight, middle, right));
  }
  if (right !== null && right.height > heightOf(left) + 1) {
    handDown(right);
    const inner = right.left;
    if (inner === null || inner.height <= heightOf(right.right)) {
      return attach(attach(left, middle, inner), right, right.right);
    }
    handDown(inner);
    const { left: innerLeft, right: innerRight } = inner;
    return attach(attach(left, middle, innerLeft), inner, attach(innerRight, right, right.right));
  }
  return attach(left, middle, right);
}

/** Puts two trees under a node that has told its own all that it knew. */
function attach(left: StopTree, node: StopNode, right: StopTree): StopNode {
  node.left = left;
  node.right = right;
  node.height = 1 + Math.max(heightOf(left), heightOf(right));
  node.tightest = node;
  node.first = node;
  node.firstExtreme = node.extreme;
  lookBeneath(node, left);
  lookBeneath(node, right);
  return node;
}

function lookBeneath(node: StopNode, beneath: StopTree): void {
  if (beneath === null) return;
  beneath.above = node;
  if (isTighter(beneath.tightest, node.tightest)) node.tightest = beneath.tightest;
  if (!isSooner(beneath, node)) return;
  node.first = beneath.first;
  node.firstExtreme = beneath.firstExtreme;
}

/** Whether the first to fire of one tree fires before that of the other. */
function isSooner(one: StopNode, other: StopNode): boolean {
  if (one.firstExtreme === other.firstExtreme) return isTighter(one.first, other.first);
  const difference = firstTrigger(one) - firstTrigger(other);
  return difference === 0n ? isOlder(one.first, other.first) : difference > 0n;
}

function isTighter(one: StopNode, other: StopNode): boolean {
  const byCallback = (one.order.callback ?? 0) - (other.order.callback ?? 0);
  return byCallback === 0 ? isOlder(one, other) : byCallback < 0;
}

function isOlder(one: StopNode, other: StopNode): boolean {
  return one.order.orderNumber < other.order.orderNumber;
}
