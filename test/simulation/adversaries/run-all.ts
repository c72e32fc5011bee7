import { childSchemes } from './child-schemes.ts';
import { Crowd } from './crowd.ts';
import { gapSchemes } from './gap-schemes.ts';
import { limitSchemes } from './limit-schemes.ts';
import type { Scheme } from './scheme.ts';
import { tradeSchemes } from './trade-schemes.ts';
import { World } from './world.ts';

export const schemes: Readonly<Record<string, Scheme>> = {
  ...gapSchemes,
  ...tradeSchemes,
  ...childSchemes,
  ...limitSchemes,
};

const underWay = 6;

/** Everybody goes on at once: a crowd, prices, and schemes that begin as others end. */
export function runAll({
  seed,
  steps,
  accounts = 2_000,
}: {
  readonly seed: number;
  readonly steps: number;
  readonly accounts?: number;
}): World {
  const world = new World({ seed, accounts, fund: 20_000 });
  const crowd = new Crowd(world, accounts);
  const waiting = Object.entries(schemes);
  const running: { name: string; steps: Generator<void, void, void> }[] = [];
  for (let step = 0; step < steps; step += 1) {
    while (running.length < underWay) {
      const at = world.draw(waiting.length);
      const [next] = waiting.splice(at, 1);
      if (next === undefined) waiting.push(...Object.entries(schemes));
      else running.push({ name: next[0], steps: next[1](world) });
    }
    const what = world.draw(100);
    if (what < 80) crowd.act();
    else if (what < 84) crowd.movePrices();
    else if (what < 88) world.tick(world.draw(1_500));
    else if (what < 89) world.pass(world.draw(20_000));
    else if (what === 89 && world.draw(10) === 0) world.restore();
    else {
      const at = world.draw(running.length);
      const scheme = running[at];
      if (scheme === undefined) continue;
      world.note(scheme.name);
      if (scheme.steps.next().done === true) running.splice(at, 1);
    }
  }
  world.pass(1_000);
  const broken = [...world.audit(), ...world.payers.judgeAll(world.engine.futures)];
  if (broken.length > 0) throw new Error(broken.join('; '));
  return world;
}

/** One scheme with nobody else; all rules stand at its end. */
export function runAlone(scheme: Scheme): void {
  const world = new World({ seed: 1, accounts: 4, fund: 20_000, isAlone: true });
  const steps = scheme(world);
  while (steps.next().done !== true) world.tick(100);
  world.pass(1_000);
  const broken = [...world.audit(), ...world.payers.judgeAll(world.engine.futures)];
  if (broken.length > 0) throw new Error(broken.join('; '));
}
