import fc from 'fast-check';
import { examples } from '../../mutants/examples.ts';
import { type Action, action, prologue } from '../actions.ts';
import { runAll, runAlone, schemes } from '../adversaries/run-all.ts';
import { type FuturesAction, futuresAction, stressAction } from '../futures/futures-actions.ts';
import { FuturesSimulation } from '../futures/futures-simulation.ts';
import { Simulation } from '../simulation.ts';
import { Draws } from './draws.ts';
import { Violation } from './history.ts';
import { type Attempt, removeParts } from './remove-parts.ts';

const roundActionsMax = 2_500;
const unit = 100_000_000n;

/**
 * A list of actions for one engine; of spot, of perpetuals, or of perpetuals with little money. Or
 * situations of which each has an engine of its own.
 */
export type EngineRound =
  | { readonly kind: 'situations'; readonly actions: readonly Situation[] }
  | { readonly kind: 'spot'; readonly actions: readonly Action[] }
  | { readonly kind: 'futures' | 'stress'; readonly actions: readonly FuturesAction[] };

/** A worked example, a scheme of adversaries, or all schemes at once among a crowd, by its seed. */
export interface Situation {
  readonly kind: 'example' | 'scheme' | 'crowd';
  readonly name: string;
}

export interface EngineOutcome {
  /** Commands that were applied. */
  readonly commands: number;
  readonly violation: Violation | null;
  /** The round with a violation. */
  readonly round: EngineRound | null;
}

/**
 * The engine alone: in situations with adversaries, then against its plain twins with every rule
 * audited, spot, perpetuals and liquidations by turns; up to the first violation.
 */
export function engineProfile(
  seed: number,
  commands: number,
  roundActions = roundActionsMax,
): EngineOutcome {
  let done = 0;
  for (let number = 0; done < commands; number += 1) {
    const options = {
      numRuns: Math.min(roundActions, commands - done),
      seed: (seed * 10_007 + number) | 0,
    };
    const round = drawRound(number, options);
    const outcome = runRound(round);
    done += outcome.commands;
    if (outcome.violation !== null) return { ...outcome, commands: done };
  }
  return { commands: done, violation: null, round: null };
}

function drawRound(number: number, options: fc.Parameters<unknown>): EngineRound {
  const sample = <T>(from: fc.Arbitrary<T>): readonly T[] => fc.sample(from, options as object);
  if (number === 0) return { kind: 'situations', actions: drawSituations(options.seed ?? 0) };
  if (number % 3 === 1) return { kind: 'spot', actions: sample(action) };
  if (number % 3 === 2) return { kind: 'futures', actions: sample(futuresAction) };
  return { kind: 'stress', actions: sample(stressAction) };
}

/** Each with probability one half, and a crowd. */
function drawSituations(seed: number): readonly Situation[] {
  const draws = new Draws(seed, 'situations');
  const all: readonly Situation[] = [
    ...examples.map(({ name }) => ({ kind: 'example', name }) as const),
    ...Object.keys(schemes).map((name) => ({ kind: 'scheme', name }) as const),
  ];
  const crowd: Situation = { kind: 'crowd', name: String(seed) };
  return [...all.filter(() => draws.chance(0.5)), crowd];
}

const crowdSteps = 600;
const crowdAccounts = 200;

/** @returns how many commands a crowd was worth. @throws Error if something is not as it should */
function runSituation({ kind, name }: Situation): number {
  if (kind === 'example') examples.find((each) => each.name === name)?.run();
  if (kind === 'scheme') runAlone(schemes[name]!);
  if (kind !== 'crowd') return 0;
  const world = runAll({ seed: Number(name), steps: crowdSteps, accounts: crowdAccounts });
  return world.engine.sequence;
}

function runSituations(round: EngineRound & { readonly kind: 'situations' }): EngineOutcome {
  let commands = 0;
  for (const situation of round.actions) {
    try {
      commands += runSituation(situation);
    } catch (error) {
      const oracle = situation.kind === 'example' ? 'O2' : 'O1';
      const text = `${situation.kind} "${situation.name}": ${String(error)}`;
      return { commands, violation: new Violation(oracle, text), round };
    }
  }
  return { commands, violation: null, round: null };
}

function runRound(round: EngineRound): EngineOutcome {
  if (round.kind === 'situations') return runSituations(round);
  const simulation =
    round.kind === 'spot'
      ? new Simulation({ auditEvery: 64 })
      : new FuturesSimulation({
          auditEvery: 64,
          funds: (round.kind === 'stress' ? 10n : 200n) * unit,
        });
  try {
    if (round.kind === 'spot') (simulation as Simulation).run([...prologue, ...round.actions]);
    else (simulation as FuturesSimulation).run(round.actions);
    return { commands: simulation.commands.length, violation: null, round: null };
  } catch (error) {
    const violation = error instanceof Violation ? error : new Violation('crash', String(error));
    return { commands: simulation.commands.length, violation, round };
  }
}

/** The shortest list of actions found that breaks the same rule. */
export async function shrinkRound(
  round: EngineRound,
  oracle: string,
  until: () => boolean,
): Promise<{ readonly round: EngineRound; readonly violation: Violation; readonly runs: number }> {
  let best = round;
  let { violation } = runRound(round);
  const attempt: Attempt<unknown> = async (actions) => {
    const candidate = { ...best, actions } as EngineRound;
    const found = runRound(candidate);
    if (found.violation?.oracle !== oracle) return false;
    best = candidate;
    violation = found.violation;
    return true;
  };
  const runs = await removeParts(() => best.actions, attempt, until);
  return { round: best, violation: violation!, runs };
}
