import { type Profile, simulate } from '../world/simulate.ts';

// Ends with an error if the simulator finds the mutant in what is around the engine.

/** Profiles, seeds and events. */
const worlds: readonly (readonly [Profile, number, number])[] = [
  ['alone', 6, 4_000],
  ['cluster', 8, 5_000],
];

for (const [profile, seeds, ticks] of worlds) {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const drawn = { seed, profile, processes: 3, ticks, faults: null, kinds: null };
    const { violation } = await simulate(drawn);
    if (violation !== null) throw violation;
  }
}
