import type { BlockReference } from '../../application/ports/chain-ledger.ts';
import type { BlockHeader } from '../node/chain-node.ts';

// Follows the confirmed chain block by block: a plain state machine that returns its next request
// and receives the answers, so that every order of answers and faults can be tested.
//
// A block counts only if its parent is the block that counted before it, so a node that is on
// another fork or behind the head can cause a delay, but never a skipped block. If the chain has
// left a counted block, everything down to the last common block is rolled back first.

/** A block with the events found in it. */
export interface FollowedBlock<Event> {
  readonly header: BlockHeader;
  readonly events: readonly Event[];
}

export interface FollowerOptions {
  /** A block counts once this many blocks follow it. */
  readonly confirmations: number;
  /** The maximum number of blocks counted in one step. */
  readonly blocksPerStepMax: number;
}

/**
 * The state of one scan of the chain. Counted blocks are listed with the latest, the cursor, last.
 */
export interface FollowerState<Event> {
  readonly options: FollowerOptions;
  readonly counted: readonly BlockReference[];
  readonly phase:
    | { readonly name: 'head' }
    | { readonly name: 'header'; readonly target: number }
    | { readonly name: 'events'; readonly target: number; readonly header: BlockHeader }
    | { readonly name: 'ancestor'; readonly number: number; readonly isFork: boolean }
    | { readonly name: 'finished'; readonly result: FollowerResult<Event> };
  readonly collected: readonly FollowedBlock<Event>[];
}

export type FollowerResult<Event> =
  /** Nothing new on the chain, or the node is behind. */
  | { readonly kind: 'idle' }
  /** These blocks follow the cursor. */
  | { readonly kind: 'advance'; readonly blocks: readonly FollowedBlock<Event>[] }
  /** Blocks after this one are no longer on the chain. */
  | { readonly kind: 'rollBack'; readonly to: BlockReference }
  /** The chain shares none of the remembered blocks. */
  | { readonly kind: 'lost' };

export type FollowerRequest =
  | { readonly kind: 'head' }
  | { readonly kind: 'header'; readonly number: number }
  | { readonly kind: 'events'; readonly header: BlockHeader };

export type FollowerAnswer<Event> =
  | { readonly kind: 'head'; readonly number: number }
  | { readonly kind: 'header'; readonly header: BlockHeader | null }
  | { readonly kind: 'events'; readonly events: readonly Event[] };

/** Begins a scan. Counted blocks must not be empty; the last one is the cursor. */
export function startFollowing<Event>(
  counted: readonly BlockReference[],
  options: FollowerOptions,
): FollowerState<Event> {
  return { options, counted, phase: { name: 'head' }, collected: [] };
}

/** What is needed next; null once the scan is finished. */
export function nextRequest<Event>(state: FollowerState<Event>): FollowerRequest | null {
  const { phase } = state;
  switch (phase.name) {
    case 'head':
      return { kind: 'head' };
    case 'header':
      return { kind: 'header', number: nextNumber(state) };
    case 'events':
      return { kind: 'events', header: phase.header };
    case 'ancestor':
      return { kind: 'header', number: phase.number };
    case 'finished':
      return null;
  }
}

export function resultOf<Event>(state: FollowerState<Event>): FollowerResult<Event> | null {
  return state.phase.name === 'finished' ? state.phase.result : null;
}

export function receiveAnswer<Event>(
  state: FollowerState<Event>,
  answer: FollowerAnswer<Event>,
): FollowerState<Event> {
  const { phase } = state;
  if (phase.name === 'head' && answer.kind === 'head') return receiveHead(state, answer.number);
  if (phase.name === 'header' && answer.kind === 'header') {
    return receiveHeader(state, phase.target, answer.header);
  }
  if (phase.name === 'events' && answer.kind === 'events') {
    return receiveEvents(state, phase, answer.events);
  }
  if (phase.name === 'ancestor' && answer.kind === 'header') {
    return receiveAncestor(state, phase, answer.header);
  }
  throw new Error(`an answer of kind ${answer.kind} arrived in the phase ${phase.name}`);
}

function receiveHead<Event>(state: FollowerState<Event>, head: number): FollowerState<Event> {
  const cursor = cursorOf(state);
  const target = head - state.options.confirmations;
  if (target > cursor.number) return { ...state, phase: { name: 'header', target } };
  // Nothing to count. The highest block that both have shows whether the chain has left ours; a
  // shorter chain that agrees with it comes from a node behind the head.
  const number = Math.min(cursor.number, target);
  if (number < oldestNumber(state)) return finish(state, { kind: 'idle' });
  return { ...state, phase: { name: 'ancestor', number, isFork: false } };
}

function receiveHeader<Event>(
  state: FollowerState<Event>,
  target: number,
  header: BlockHeader | null,
): FollowerState<Event> {
  if (header === null || header.number !== nextNumber(state)) return finishWithCollected(state);
  const last = state.collected.at(-1)?.header ?? cursorOf(state);
  if (header.parentHash === last.hash) {
    return { ...state, phase: { name: 'events', target, header } };
  }
  // A fork within this scan: the blocks collected before it are examined again next time.
  if (state.collected.length > 0) return finish(state, { kind: 'idle' });
  return { ...state, phase: { name: 'ancestor', number: last.number, isFork: true } };
}

function receiveEvents<Event>(
  state: FollowerState<Event>,
  { target, header }: { readonly target: number; readonly header: BlockHeader },
  events: readonly Event[],
): FollowerState<Event> {
  const collected = [...state.collected, { header, events }];
  const isDone = header.number >= target || collected.length >= state.options.blocksPerStepMax;
  const next = { ...state, collected };
  return isDone ? finishWithCollected(next) : { ...next, phase: { name: 'header', target } };
}

function receiveAncestor<Event>(
  state: FollowerState<Event>,
  { number, isFork }: { readonly number: number; readonly isFork: boolean },
  header: BlockHeader | null,
): FollowerState<Event> {
  // A node without even the parent of our block is behind, or its chain was truncated.
  if (header === null || header.number !== number) return finish(state, { kind: 'idle' });
  const known = state.counted.find((block) => block.number === number);
  if (known === undefined) return finish(state, { kind: 'lost' });
  if (header.hash === known.hash) {
    const isCursor = number === cursorOf(state).number;
    const isLeft = isFork && !isCursor;
    return finish(state, isLeft ? { kind: 'rollBack', to: known } : { kind: 'idle' });
  }
  if (number - 1 < oldestNumber(state)) return finish(state, { kind: 'lost' });
  return { ...state, phase: { name: 'ancestor', number: number - 1, isFork: true } };
}

function finishWithCollected<Event>(state: FollowerState<Event>): FollowerState<Event> {
  const { collected } = state;
  if (collected.length === 0) return finish(state, { kind: 'idle' });
  return finish(state, { kind: 'advance', blocks: collected });
}

function finish<Event>(
  state: FollowerState<Event>,
  result: FollowerResult<Event>,
): FollowerState<Event> {
  return { ...state, phase: { name: 'finished', result } };
}

function cursorOf<Event>({ counted }: FollowerState<Event>): BlockReference {
  const cursor = counted.at(-1);
  if (cursor === undefined) throw new Error('the follower has no block to start from');
  return cursor;
}

function oldestNumber<Event>({ counted }: FollowerState<Event>): number {
  return counted[0]?.number ?? 0;
}

function nextNumber<Event>(state: FollowerState<Event>): number {
  return cursorOf(state).number + state.collected.length + 1;
}
