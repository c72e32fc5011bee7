import {
  type FollowerAnswer,
  nextRequest,
  receiveAnswer,
  resultOf,
  startFollowing,
} from '../../../src/chain/events/block-follower.ts';
import type { BlockHeader } from '../../../src/chain/node/chain-node.ts';
import { countBlocks, rollBack } from './database.ts';
import type { Step } from './step.ts';
import {
  contractAt,
  cursorOf,
  execute,
  hashOf,
  isCursorOnChain,
  type ModelEvent,
  type Scenario,
  voucherOf,
  type World,
} from './world.ts';

// The listener: each answer of the node is its own step, so the chain can change in between.

export function scanSteps(world: World, scenario: Scenario): readonly Step[] {
  const { confirmations } = scenario;
  if (world.scan === null) {
    const scan = startFollowing<ModelEvent>(world.counted, {
      confirmations,
      blocksPerStepMax: 2,
    });
    // A scan that cannot find anything is not worth a step.
    const isNews =
      world.chain.length - 1 - confirmations > cursorOf(world).number || !isCursorOnChain(world);
    return isNews ? [{ name: 'scan', world: { ...world, scan } }] : [];
  }
  const steps = [answerScan(world, scenario, world.chain.length - 1)];
  if (scenario.isStaleNodePossible && world.chain.length > 1) {
    steps.push(answerScan(world, scenario, world.chain.length - 2));
  }
  return steps;
}

// The node answers as of some block; one that lags behind does not know the later ones.
function answerScan(world: World, scenario: Scenario, nodeHead: number): Step {
  const scan = world.scan;
  const request = scan === null ? null : nextRequest(scan);
  if (scan === null || request === null) throw new Error('nothing was asked');
  const kind = `${request.kind}${nodeHead < world.chain.length - 1 ? ' (stale)' : ''}`;
  const answer = answerTo(world, request, { nodeHead, scenario });
  // An error of the node ends the scan.
  if (answer === null) return { name: `${kind}: error`, world: { ...world, scan: null } };
  const next = receiveAnswer(scan, answer);
  const result = resultOf(next);
  if (result === null) return { name: kind, world: { ...world, scan: next } };
  const done = { ...world, scan: null };
  switch (result.kind) {
    case 'advance': {
      const counted = countBlocks(done, result.blocks, scenario);
      return { name: `${kind}: count blocks`, world: counted };
    }
    case 'rollBack':
      return { name: `${kind}: roll back`, world: rollBack(done, result.to) };
    case 'idle':
    case 'lost':
      return { name: `${kind}: ${result.kind}`, world: done };
  }
}

interface NodeView {
  readonly nodeHead: number;
  readonly scenario: Scenario;
}

function answerTo(
  world: World,
  request: NonNullable<ReturnType<typeof nextRequest>>,
  { nodeHead, scenario }: NodeView,
): FollowerAnswer<ModelEvent> | null {
  switch (request.kind) {
    case 'head':
      return { kind: 'head', number: nodeHead };
    case 'header': {
      const header = request.number > nodeHead ? null : headerOf(world, request.number);
      if (header === null || !scenario.planted.has('parents_not_checked')) {
        return { kind: 'header', header };
      }
      const parentHash = cursorOf(world).hash;
      return { kind: 'header', header: { ...header, parentHash } };
    }
    case 'events': {
      const number = world.chain.findIndex((block) => hashOf(block) === request.header.hash);
      if (number < 0 || number > nodeHead) return null;
      return { kind: 'events', events: eventsOf(world, scenario, number) };
    }
  }
}

export function headerOf(world: World, number: number): BlockHeader | null {
  const block = world.chain[number];
  const parent = world.chain[number - 1];
  if (block === undefined) return null;
  return {
    number,
    hash: hashOf(block),
    parentHash: parent === undefined ? '0x' : hashOf(parent),
    timestamp: block.time,
    logsBloom: '0x',
  };
}

function eventsOf(world: World, scenario: Scenario, number: number): readonly ModelEvent[] {
  let state = contractAt(world, scenario, number - 1);
  const events: ModelEvent[] = [];
  for (const transaction of world.chain[number]?.transactions ?? []) {
    const { nonce } = state;
    state = execute(state, transaction, world, scenario);
    if (transaction.kind === 'settle') events.push({ kind: 'settled', total: state.settled });
    if (transaction.kind === 'redeem') {
      const { amount } = voucherOf(world.vouchers, transaction.voucher);
      events.push({ kind: 'redeemed', nonce, amount });
    }
  }
  return events;
}
