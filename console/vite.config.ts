import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:8080';

// The socket compares Origin with Host, so the proxy leaves both as they are.
const proxied = { target: service, changeOrigin: false };

const neededByMostPages = [
  'feed/all-markets.ts',
  'parts/amount.tsx',
  'parts/faucet.tsx',
  'parts/list-end.tsx',
  'parts/number-field.tsx',
  'parts/panel.tsx',
  'parts/table.tsx',
  'parts/tabs.tsx',
  'text/en/desk.ts',
];

const isNeededByMostPages = (id: string): boolean =>
  neededByMostPages.some((file) => id.endsWith(`/console/src/${file}`));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Each text ends where it is shown, so that no page loads the texts of another.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // The first page loads the names of all chunks; this many letters tell builds of one apart.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        // Small modules that nearly every page needs compress better in one file than each alone.
        codeSplitting: { groups: [{ name: 'page', test: isNeededByMostPages }] },
      },
    },
  },
  server: {
    proxy: {
      '/api': proxied,
      '/fapi': proxied,
      '/readyz': proxied,
      '/healthz': proxied,
      '/ws': { ...proxied, ws: true },
    },
  },
});
