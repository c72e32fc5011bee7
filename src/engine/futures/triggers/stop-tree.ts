import { bpsPerWhole } from '../../../domain/fee.ts';
import type { LiveOrder } from '../orders/live-order.ts';

// Trailing stops in a balanced tree (AVL), split and joined in steps proportional to its height.
// All stops of a tree can be given another best price at once: the root stores it, and passes it
// down when a node is next visited. Prices of buys are negated in the tree, so that all stops fire
// on a fall.

/** A tree by its root; null is the empty one. */
export type StopTree = StopNode | null;

/** A trailing stop as a node, with aggregates of its subtree. */
export class StopNode {
  readonly order: LiveOrder;
  /** In ticks: the price from which it follows; negative infinity if it follows from the start. */
  readonly activation: number;
  /** It fires at this many ten-thousandths of its best price. */
  readonly share: bigint;
  /** The best price since it became active. */
  extreme = 0n;
  /** Whether all nodes of its subtree have this extreme and it has not been passed down yet. */
  isPending = false;
  left: StopTree = null;
  right: StopTree = null;
  above: StopTree = null;
  height = 1;
  /** The first to fire in its subtree if all had the same extreme. */
  tightest: StopNode = this;
  /**
   * The first to fire in its subtree, and that node's extreme. The trigger price is multiplied
   * again for each comparison: new bigints that outlive a command make garbage collection slow.
   */
  first: StopNode = this;
  firstExtreme = 0n;

  constructor(order: LiveOrder) {
    const isSell = order.side === 'sell';
    const { activationPrice } = order;
    const callback: number = order.callback ?? 0;
    this.order = order;
    this.share = bpsPerWhole + BigInt(isSell ? -callback : callback);
    if (activationPrice === null) this.activation = Number.NEGATIVE_INFINITY;
    else this.activation = isSell ? activationPrice : 0 - activationPrice;
  }
}

/** The two trees that `split` returns. */
export interface CutTree {
  readonly before: StopTree;
  readonly after: StopTree;
}

/** Splits where `isBefore` turns false, which it must do at most once from left to right. */
export function split(tree: StopTree, isBefore: (node: StopNode) => boolean): CutTree {
  const { before, after } = cut(tree, isBefore);
  return { before: asRoot(before), after: asRoot(after) };
}

/** Concatenates two trees. */
export function concat(left: StopTree, right: StopTree): StopTree {
  if (left === null || right === null) return left ?? right;
  const { rest, last } = takeLast(left);
  return asRoot(join(rest, last, right));
}

/** Inserts a node after all those for which `isBefore` is true. */
export function insert(
  tree: StopTree,
  node: StopNode,
  isBefore: (other: StopNode) => boolean,
): StopTree {
  const { before, after } = cut(tree, isBefore);
  return asRoot(join(before, node, after));
}

/** Removes a node from its tree. @returns the rest. */
export function remove(node: StopNode): StopTree {
  const path: StopNode[] = [];
  for (let at: StopTree = node; at !== null; at = at.above) path.push(at);
  for (let at = path.length - 1; at >= 0; at -= 1) pushDown(path[at] as StopNode);
  let tree = concat(node.left, node.right);
  let below = node;
  for (const above of path.slice(1)) {
    const isLeft = above.left === below;
    tree = isLeft ? join(tree, above, above.right) : join(above.left, above, tree);
    below = above;
  }
  return asRoot(tree);
}

/** Gives all nodes of a tree the extreme. */
export function spread(tree: StopTree, extreme: bigint): void {
  if (tree === null) return;
  tree.extreme = extreme;
  tree.isPending = true;
  tree.first = tree.tightest;
  tree.firstExtreme = extreme;
}

/** The root of the tree that contains the node. */
export function rootOf(node: StopNode): StopNode {
  let root = node;
  while (root.above !== null) root = root.above;
  return root;
}

/** The best price since the stop became active. */
export function extremeOf(node: StopNode): bigint {
  let { extreme } = node;
  // The node furthest up that has not passed its extreme down is the most recent.
  for (let at = node.above; at !== null; at = at.above) if (at.isPending) extreme = at.extreme;
  return extreme;
}

/** The extreme of the last node of a tree. */
export function lastExtreme(tree: StopNode): bigint {
  let node = tree;
  while (!node.isPending && node.right !== null) node = node.right;
  return node.extreme;
}

/** The first node of a tree. */
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
  pushDown(tree);
  if (isBefore(tree)) {
    const { before, after } = cut(tree.right, isBefore);
    return { before: join(tree.left, tree, before), after };
  }
  const { before, after } = cut(tree.left, isBefore);
  return { before, after: join(after, tree, tree.right) };
}

function takeLast(tree: StopNode): { readonly rest: StopTree; readonly last: StopNode } {
  pushDown(tree);
  if (tree.right === null) return { rest: tree.left, last: tree };
  const { rest, last } = takeLast(tree.right);
  return { rest: join(tree.left, tree, rest), last };
}

function pushDown(node: StopNode): void {
  if (!node.isPending) return;
  spread(node.left, node.extreme);
  spread(node.right, node.extreme);
  node.isPending = false;
}

/**
 * Joins both trees with the node between them, in as many steps as the difference of their heights.
 */
function join(left: StopTree, middle: StopNode, right: StopTree): StopNode {
  if (left !== null && left.height > heightOf(right) + 1) {
    pushDown(left);
    return balance(left.left, left, join(left.right, middle, right));
  }
  if (right !== null && right.height > heightOf(left) + 1) {
    pushDown(right);
    return balance(join(left, middle, right.left), right, right.right);
  }
  return attach(left, middle, right);
}

/** Attaches trees whose heights differ by at most two, and rotates them if they do. */
function balance(left: StopTree, middle: StopNode, right: StopTree): StopNode {
  if (left !== null && left.height > heightOf(right) + 1) {
    pushDown(left);
    const inner = left.right;
    if (inner === null || inner.height <= heightOf(left.left)) {
      return attach(left.left, left, attach(inner, middle, right));
    }
    pushDown(inner);
    const { left: innerLeft, right: innerRight } = inner;
    return attach(attach(left.left, left, innerLeft), inner, attach(innerRight, middle, right));
  }
  if (right !== null && right.height > heightOf(left) + 1) {
    pushDown(right);
    const inner = right.left;
    if (inner === null || inner.height <= heightOf(right.right)) {
      return attach(attach(left, middle, inner), right, right.right);
    }
    pushDown(inner);
    const { left: innerLeft, right: innerRight } = inner;
    return attach(attach(left, middle, innerLeft), inner, attach(innerRight, right, right.right));
  }
  return attach(left, middle, right);
}

/** Puts two trees under a node that has passed everything down. */
function attach(left: StopTree, node: StopNode, right: StopTree): StopNode {
  node.left = left;
  node.right = right;
  node.height = 1 + Math.max(heightOf(left), heightOf(right));
  node.tightest = node;
  node.first = node;
  node.firstExtreme = node.extreme;
  searchBelow(node, left);
  searchBelow(node, right);
  return node;
}

function searchBelow(node: StopNode, beneath: StopTree): void {
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
