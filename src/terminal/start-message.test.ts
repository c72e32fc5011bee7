import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { formatStartMessage } from './start-message.ts';

function messageOf(variables: Record<string, string>, isDemo = false): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'openbourse-terminal-'));
  const config = buildConfig(readEnvironment({ DATA_DIR: dataDir, ...variables }));
  const url = `http://127.0.0.1:${config.port}`;
  return formatStartMessage(config, { url, version: '0.1.0', isDemo, startedInMs: 4_240 });
}

test('the start message has address, page, docs, data folder and next steps', () => {
  const message = messageOf({ PORT: '8090' });
  expect(message).toContain('openbourse 0.1.0 is ready for orders after 4.2 s.');
  expect(message).toContain('Page     http://127.0.0.1:8090\n');
  expect(message).toContain('API      http://127.0.0.1:8090/docs');
  expect(message).toMatch(/Data {5}\/.*openbourse-terminal-/);
  expect(message).toContain('development chain 31337');
  expect(message).toContain('PORT=8090 npm run sign-in');
  expect(message).toContain('TESTNET_ONLY=true npm start -- --demo');
});

test('with test money and demo traders there is nothing left to enable', () => {
  const message = messageOf({ TESTNET_ONLY: 'true' }, true);
  expect(message).toContain('test money by faucet');
  expect(message).not.toContain('--demo');
});
