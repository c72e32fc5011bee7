import { removeParts, runsMax } from './remove-parts.ts';
import { type Outcome, type Plan, simulate } from './simulate.ts';

export interface Shrunk {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly runs: number;
}

const ticksMin = 500;

/**
 * The smallest plan found that breaks the same rule: fewer ticks, then without one kind of fault
 * after the other, then without halves, quarters and so on of the faults that are left.
 */
export async function shrink(plan: Plan, outcome: Outcome, until: () => boolean): Promise<Shrunk> {
  const oracle = outcome.violation?.oracle;
  let best: Shrunk = { plan: { ...plan, faults: outcome.faults }, outcome, runs: 0 };
  const isOver = (): boolean => best.runs >= runsMax || until();
  const attempt = async (candidate: Plan): Promise<boolean> => {
    if (isOver()) return false;
    const found = await simulate(candidate);
    const isSame = found.violation?.oracle === oracle;
    const kept = isSame ? { plan: candidate, outcome: found } : best;
    best = { plan: kept.plan, outcome: kept.outcome, runs: best.runs + 1 };
    return isSame;
  };
  while (best.plan.ticks > ticksMin) {
    if (!(await attempt({ ...best.plan, ticks: Math.ceil(best.plan.ticks / 2) }))) break;
  }
  const faultsOf = (): Outcome['faults'] => best.plan.faults ?? [];
  for (const kind of new Set(faultsOf().map((fault) => fault.kind))) {
    await attempt({ ...best.plan, faults: faultsOf().filter((fault) => fault.kind !== kind) });
  }
  await removeParts(faultsOf, (faults) => attempt({ ...best.plan, faults }), isOver);
  return best;
}
