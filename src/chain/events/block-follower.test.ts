import { expect, test } from 'vitest';
import type { BlockReference } from '../../application/ports/chain-ledger.ts';
import type { BlockHeader } from '../node/chain-node.ts';
import {
  type FollowerAnswer,
  type FollowerRequest,
  nextRequest,
  receiveAnswer,
  resultOf,
  startFollowing,
} from './block-follower.ts';

/** A chain written as a word: a letter names a block, its place is the number. */
function headersOf(word: string): readonly BlockHeader[] {
  return [...word].map((letter, number) => ({
    number,
    hash: `0x${letter}`,
    parentHash: `0x${word[number - 1] ?? ''}`,
    timestamp: number,
    logsBloom: '0x',
  }));
}

function referencesOf(word: string, from = 0): readonly BlockReference[] {
  return headersOf(word)
    .map(({ number, hash }) => ({ number, hash }))
    .slice(from);
}

function nodeOf(word: string) {
  const headers = headersOf(word);
  return (request: FollowerRequest): FollowerAnswer<string> => {
    switch (request.kind) {
      case 'head':
        return { kind: 'head', number: headers.length - 1 };
      case 'header':
        return { kind: 'header', header: headers[request.number] ?? null };
      case 'events':
        return { kind: 'events', events: [`in ${request.header.hash}`] };
    }
  };
}

type Node = ReturnType<typeof nodeOf>;

/** One scan; each request goes to the next node, the last one answers the rest. */
function scan(
  counted: readonly BlockReference[],
  nodes: readonly Node[],
  options: { readonly confirmations?: number; readonly blocksPerStepMax?: number } = {},
) {
  let state = startFollowing<string>(counted, {
    confirmations: 0,
    blocksPerStepMax: 100,
    ...options,
  });
  for (let count = 0; ; count += 1) {
    const request = nextRequest(state);
    if (request === null) break;
    const node = nodes[Math.min(count, nodes.length - 1)];
    if (node === undefined) throw new Error('no node');
    state = receiveAnswer(state, node(request));
  }
  const result = resultOf(state);
  if (result?.kind !== 'advance') return result;
  return { kind: result.kind, blocks: result.blocks.map(({ header }) => header.hash) };
}

test('follower: blocks after the cursor are counted with their events', () => {
  expect(scan(referencesOf('abc'), [nodeOf('abcde')])).toEqual({
    kind: 'advance',
    blocks: ['0xd', '0xe'],
  });
});

test('follower: only blocks with enough confirmations count', () => {
  const counted = referencesOf('abc');
  expect(scan(counted, [nodeOf('abcdef')], { confirmations: 2 })).toEqual({
    kind: 'advance',
    blocks: ['0xd'],
  });
  expect(scan(counted, [nodeOf('abcde')], { confirmations: 2 })).toEqual({ kind: 'idle' });
});

test('follower: a step counts no more blocks than it may', () => {
  expect(scan(referencesOf('a'), [nodeOf('abcdef')], { blocksPerStepMax: 2 })).toEqual({
    kind: 'advance',
    blocks: ['0xb', '0xc'],
  });
});

test('follower: a reorganization rolls back to the last common block', () => {
  expect(scan(referencesOf('abcd'), [nodeOf('abXYZ')])).toEqual({
    kind: 'rollBack',
    to: { number: 1, hash: '0xb' },
  });
});

test('follower: a fork of the same height is detected', () => {
  expect(scan(referencesOf('abcd'), [nodeOf('abcX')])).toEqual({
    kind: 'rollBack',
    to: { number: 2, hash: '0xc' },
  });
});

test('follower: a shorter fork is detected', () => {
  expect(scan(referencesOf('abcd'), [nodeOf('aX')])).toEqual({
    kind: 'rollBack',
    to: { number: 0, hash: '0xa' },
  });
});

test('follower: a node behind the cursor that agrees with it is waited for', () => {
  expect(scan(referencesOf('abcd'), [nodeOf('ab')])).toEqual({ kind: 'idle' });
});

test('follower: without new blocks there is nothing to do', () => {
  expect(scan(referencesOf('abc'), [nodeOf('abc')])).toEqual({ kind: 'idle' });
});

test('follower: a reorganization deeper than the known blocks is reported as lost', () => {
  expect(scan(referencesOf('abcdef', 3), [nodeOf('abXYZUV')])).toEqual({ kind: 'lost' });
  expect(scan(referencesOf('abc'), [nodeOf('XYZUVW')])).toEqual({ kind: 'lost' });
});

test('follower: confirmed blocks survive a reorganization above them', () => {
  const counted = referencesOf('abc');
  expect(scan(counted, [nodeOf('abcXYZ')], { confirmations: 2 })).toEqual({
    kind: 'advance',
    blocks: ['0xX'],
  });
});

test('follower: a block of a different fork from the previous one is not counted', () => {
  // The head and the first block come from one node, the next block from one on a fork.
  const nodes = [nodeOf('abcdef'), nodeOf('abcdef'), nodeOf('abcdef'), nodeOf('abcXYZ')];
  expect(scan(referencesOf('abc'), nodes)).toEqual({ kind: 'idle' });
});

test('follower: two nodes that disagree about the cursor cause no rollback', () => {
  const nodes = [nodeOf('abXYZ'), nodeOf('abXYZ'), nodeOf('abc')];
  expect(scan(referencesOf('abc'), nodes)).toEqual({ kind: 'idle' });
});

test('follower: a node that does not have the block yet ends the poll with what it has', () => {
  const nodes = [nodeOf('abcdef'), nodeOf('abcd')];
  expect(scan(referencesOf('abc'), nodes)).toEqual({ kind: 'advance', blocks: ['0xd'] });
  expect(scan(referencesOf('abc'), [nodeOf('abcdef'), nodeOf('abc')])).toEqual({ kind: 'idle' });
});

test('follower: an unexpected answer is a bug', () => {
  const state = startFollowing<string>(referencesOf('a'), {
    confirmations: 0,
    blocksPerStepMax: 1,
  });
  expect(() => receiveAnswer(state, { kind: 'events', events: [] })).toThrow(/phase head/);
});
