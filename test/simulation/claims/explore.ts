import { type ClaimBook, newEarning } from '../../support/claims/claim-book.ts';
import { Contradiction } from './database.ts';
import { findViolation } from './invariants.ts';
import { possibleSteps } from './possible-steps.ts';
import { type ModelTransaction, type Scenario, startWorld, type World } from './world.ts';

export interface Exploration {
  readonly states: number;
  /** Null: every state that can be reached keeps every rule. */
  readonly violation: Violation | null;
  readonly isComplete: boolean;
  /** How often each kind of step was taken; a kind that never happens proves nothing. */
  readonly stepCounts: ReadonlyMap<string, number>;
  /** States from which the calm run below was tried. */
  readonly finals: readonly World[];
}

interface Violation {
  readonly rule: string;
  /** The shortest way there. */
  readonly path: readonly string[];
}

interface Node {
  readonly world: World;
  readonly name: string;
  readonly parent: Node | null;
}

/**
 * Walks through every state that can be reached, nearest first, and checks each of them. With rules
 * given, only the breaking of these ends the search.
 */
export function explore(scenario: Scenario, statesMax: number, rules = /./): Exploration {
  const first: Node = { world: startWorld(scenario, startBook(scenario)), name: '', parent: null };
  const seen = new Set([keyOf(first.world)]);
  const stepCounts = new Map<string, number>();
  const finals: World[] = [];
  let layer: Node[] = [first];
  while (layer.length > 0) {
    const next: Node[] = [];
    for (const node of layer) {
      const taken = takeSteps(node, scenario);
      if ('rule' in taken) {
        if (!rules.test(taken.rule)) continue;
        return { ...report(), violation: taken, isComplete: true };
      }
      if (taken.length === 0) finals.push(node.world);
      for (const child of taken) {
        const kind = child.name.replace(/\d+/g, '#');
        stepCounts.set(kind, (stepCounts.get(kind) ?? 0) + 1);
        const key = keyOf(child.world);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(child);
        const rule = findViolation(child.world, scenario);
        if (rule !== null && rules.test(rule)) {
          return { ...report(), violation: { rule, path: pathOf(child) }, isComplete: true };
        }
      }
      if (seen.size > statesMax) return { ...report(), violation: null, isComplete: false };
    }
    layer = next;
  }
  return { ...report(), violation: null, isComplete: true };

  function report() {
    return { states: seen.size, stepCounts, finals };
  }
}

function takeSteps(node: Node, scenario: Scenario): readonly Node[] | Violation {
  try {
    return possibleSteps(node.world, scenario).map(({ name, world }) => ({
      name,
      world,
      parent: node,
    }));
  } catch (error) {
    if (!(error instanceof Contradiction)) throw error;
    return { rule: `contradiction: ${error.message}`, path: pathOf(node) };
  }
}

function startBook({ earnings }: Scenario): ClaimBook {
  return {
    earnings: earnings.map(({ commission, isSettled, attempts }) => ({
      ...newEarning(commission, attempts),
      ...(isSettled ? ({ syncStatus: 'synced', syncedBlock: 0 } as const) : {}),
    })),
    claims: [],
    redemptions: [],
  };
}

function pathOf(node: Node): readonly string[] {
  const names: string[] = [];
  for (let at: Node | null = node; at !== null && at.parent !== null; at = at.parent) {
    names.unshift(at.name);
  }
  return names;
}

// Written out by hand: this is what the search spends its time on.
function keyOf(world: World): string {
  const { chain, pool, vouchers, book, batches, transactions, counted, scan, budget } = world;
  return [
    chain.map(
      ({ id, time, transactions: entries }) => `${id}@${time}${entries.map(entryKey).join()}`,
    ),
    pool.map(({ nonce, version }) => `${nonce}.${version}`),
    vouchers.map(({ amount, nonce, deadline }) => `${amount}.${nonce}.${deadline}`),
    book.earnings.map((earning) => Object.values(earning).join('.')),
    book.claims.map((claim) => Object.values(claim).join('.')),
    book.redemptions.map((redemption) => Object.values(redemption).join('.')),
    batches.map((batch) => Object.values(batch).join('.')),
    transactions.map((entry) => [
      Object.values({ ...entry, versions: null }).join('.'),
      entry.versions.map(({ kind, isSent }) => `${kind}${isSent}`),
    ]),
    counted.map(({ hash }) => hash),
    scan === null ? '' : scanKey(scan),
    world.claimNonceRead,
    Object.values(budget).join('.'),
  ].join('|');
}

function entryKey(entry: ModelTransaction): string {
  return Object.values(entry).join('.');
}

function scanKey({ phase, collected, counted }: NonNullable<World['scan']>): string {
  const header = phase.name === 'events' ? phase.header.hash : '';
  const number = phase.name === 'ancestor' ? `${phase.number}${phase.isFork}` : '';
  const target = 'target' in phase ? phase.target : '';
  return [
    phase.name,
    header,
    number,
    target,
    collected.map(({ header }) => header.hash),
    counted.length,
  ].join('/');
}
