import type { Fault } from './faults.ts';
import { type Outcome, type Plan, simulate } from './simulate.ts';

export interface Shrunk {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly runs: number;
}

const runsMax = 200;
const ticksMin = 500;

/**
 * The smallest plan found that breaks the same rule: fewer ticks, then without one kind of fault
 * after the other, then without halves, quarters and so on of the faults that are left.
 */
export async function shrink(plan: Plan, outcome: Outcome, until: () => boolean): Promise<Shrunk> {
  const oracle = outcome.violation?.oracle;
  let best: Shrunk = { plan: { ...plan, faults: outcome.faults }, outcome, runs: 0 };
  const attempt = async (candidate: Plan): Promise<boolean> => {
    if (best.runs >= runsMax || until()) return false;
    const found = await simulate(candidate);
    const isSame = found.violation?.oracle === oracle;
    const kept = isSame ? { plan: candidate, outcome: found } : best;
    best = { plan: kept.plan, outcome: kept.outcome, runs: best.runs + 1 };
    return isSame;
  };
  while (best.plan.ticks > ticksMin) {
    if (!(await attempt({ ...best.plan, ticks: Math.ceil(best.plan.ticks / 2) }))) break;
  }
  const faultsOf = (): readonly Fault[] => best.plan.faults ?? [];
  for (const kind of new Set(faultsOf().map((fault) => fault.kind))) {
    await attempt({ ...best.plan, faults: faultsOf().filter((fault) => fault.kind !== kind) });
  }
  for (let size = Math.ceil(faultsOf().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < faultsOf().length; ) {
      const faults = faultsOf().filter((_, index) => index < from || index >= from + size);
      if (!(await attempt({ ...best.plan, faults }))) from += size;
    }
  }
  return best;
}
