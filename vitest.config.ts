import { defineConfig } from 'vitest/config';

const serverSuites = [
  'test/http/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/e2e/**/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/simulation/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        // Each file starts the service with a database of its own, so few run at once.
        test: {
          name: 'service',
          include: serverSuites,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
