import type { Budget, World } from './world.ts';

/** One step that the world may take from where it stands. */
export interface Step {
  readonly name: string;
  readonly world: World;
}

/** The world with one occurrence of a thing fewer to come. */
export function spend(world: World, name: keyof Budget): World {
  const { budget } = world;
  return { ...world, budget: { ...budget, [name]: budget[name] - 1 } };
}
