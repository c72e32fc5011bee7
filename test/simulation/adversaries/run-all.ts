import { type Rules, rulesVersion } from '../../../src/engine/rules.ts';
import { childSchemes } from './child-schemes.ts';
import { Crowd } from './crowd.ts';
import { gapSchemes } from './gap-schemes.ts';
import { limitSchemes } from './limit-schemes.ts';
import type { Scheme } from './scheme.ts';
import { tradeSchemes } from './trade-schemes.ts';
import { World } from './world.ts';

/** Schemes whose figures are the same by both versions of the rules. */
const schemesOfBoth: Readonly<Record<string, Scheme>> = {
  ...gapSchemes,
  ...tradeSchemes,
  ...limitSchemes,
};

export const schemes: Readonly<Record<string, Scheme>> = {
  ...gapSchemes,
  ...tradeSchemes,
  ...childSchemes,
  ...limitSchemes,
};

const underWay = 6;

/** Everyone acts at the same time: a crowd, prices, and schemes that begin as others end. */
export function runAll({
  seed,
  steps,
  accounts = 2_000,
  rules = rulesVersion,
  upgradeAt = null,
}: {
  readonly seed: number;
  readonly steps: number;
  readonly accounts?: number;
  readonly rules?: Rules;
  /** The step before which the newest rules begin. */
  readonly upgradeAt?: number | null;
}): World {
  const world = new World({ seed, accounts, fund: 20_000, rules });
  const crowd = new Crowd(world, accounts);
  const all = Object.entries(rules === rulesVersion ? schemes : schemesOfBoth);
  const waiting = [...all];
  const running: { name: string; steps: Generator<void, void, void> }[] = [];
  for (let step = 0; step < steps; step += 1) {
    if (step === upgradeAt) world.do({ type: 'upgradeRules', rules: rulesVersion });
    while (running.length < underWay) {
      const at = world.draw(waiting.length);
      const [next] = waiting.splice(at, 1);
      if (next === undefined) waiting.push(...all);
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
