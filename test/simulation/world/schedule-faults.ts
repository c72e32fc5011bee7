import { Draws } from './draws.ts';
import { drawKinds } from './fault-kinds.ts';
import { drawFaults, type Fault, type Faulty, inject } from './faults.ts';
import type { Plan } from './simulate.ts';

const faultsUntilMs = 3_600_000;

/** Begins the faults of the plan one after the other, and adds each that has begun to the list. */
export function scheduleFaults(plan: Plan, faulty: Faulty, injected: Fault[]): void {
  const { machines, world } = faulty;
  const draws = new Draws(plan.seed, 'faults');
  const kinds = plan.kinds ?? drawKinds(plan, draws, faulty);
  const faults = plan.faults ?? drawFaults(draws, kinds, machines.length, faultsUntilMs);
  for (const machine of machines) {
    if (kinds.includes('clock-drift')) machine.clock.driftPpm = draws.between(-1_000, 1_000);
  }
  const begun = world.now;
  const next = (index: number): void => {
    const fault = faults[index];
    if (fault === undefined) return;
    world.schedule(begun + fault.atMs - world.now, world.outside, () => {
      if (faulty.isHealed()) return;
      inject(faulty, fault);
      injected.push(fault);
      next(index + 1);
    });
  };
  next(0);
}
