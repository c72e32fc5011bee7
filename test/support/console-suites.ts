import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { type FakeConsole, startFakeConsole } from './console-fake-pages.ts';
import {
  browserOrReason,
  type ConsoleRig,
  type RigOptions,
  startConsole,
} from './console-pages.ts';

// Groups of tests that share one service and one browser; skipped if no browser is installed.

/** Tests against the service of fixed data, which each test finds as it was at the start. */
export function describeFakeConsole(title: string, tests: (rig: FakeConsole) => void): void {
  describeRig(title, startFakeConsole, (rig) => {
    afterEach(() => {
      rig.fake.answers.clear();
      rig.fake.heard.length = 0;
      rig.fake.isDown = false;
    });
    tests(rig);
  });
}

/** Tests against the real service, which runs for all of them. */
export function describeConsole(
  title: string,
  options: RigOptions,
  tests: (rig: ConsoleRig) => void,
): void {
  describeRig(title, (program) => startConsole(program, options), tests);
}

/** The rig has its parts when the first test runs, and not while tests are declared. */
function describeRig<Rig extends { readonly close: () => Promise<void> }>(
  title: string,
  start: (program: string) => Promise<Rig>,
  tests: (rig: Rig) => void,
): void {
  const program = browserOrReason();
  describe.skipIf(program === null)(title, () => {
    const rig = {} as Rig;
    beforeAll(async () => {
      Object.assign(rig, await start(program ?? ''));
    });
    afterAll(() => rig.close());
    tests(rig);
  });
}
