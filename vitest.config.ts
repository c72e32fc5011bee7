import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const serverSuites = [
  'test/http/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/clients/**/*.test.ts',
  'test/console/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/documents/**/*.test.ts',
];

// Limits for what hangs, with room for a machine that is several times slower or busy.
const limits = {
  setupFiles: ['test/support/wait-timeout.ts'],
  expect: { poll: { timeout: 25_000 } },
  hookTimeout: 300_000,
  // A worker loads each module once: no test changes one, and loading takes as long as the tests.
  isolate: false,
};

// Tests read the client as it stands, not as it was last compiled.
const alias = {
  '@openbourse/client': fileURLToPath(new URL('packages/client/src/client.ts', import.meta.url)),
};

export default defineConfig({
  test: {
    // Starts one database server for the run, on the first test that asks for it.
    globalSetup: ['test/support/database-server.ts'],
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/simulation/**/*.test.ts',
            'test/mutants/**/*.test.ts',
            'test/solidity/**/*.test.ts',
          ],
          testTimeout: 90_000,
          ...limits,
          maxWorkers: '100%',
          maxConcurrency: availableParallelism(),
        },
      },
      {
        // Each file starts the service with a database of its own, so few run at once.
        resolve: { alias },
        test: {
          name: 'service',
          include: serverSuites,
          testTimeout: 300_000,
          ...limits,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
