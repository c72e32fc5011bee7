import { expect, test } from 'vitest';
import { createLogger, withoutSecrets } from './log.ts';

function linesOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  let written = '';
  write(createLogger('info', { write: (line: string) => (written += line) }));
  return written;
}

test('log: lines are JSON with a level, a time and the fields', () => {
  const line = JSON.parse(
    linesOf((log) => log.info({ requestId: 'a' }, 'request done')),
  ) as unknown;
  expect(line).toMatchObject({ level: 'info', requestId: 'a', msg: 'request done' });
});

test.each([
  { authorization: 'canary' },
  { headers: { authorization: 'canary', 'x-api-key': 'canary', 'x-mbx-apikey': 'canary' } },
  { request: { headers: { cookie: 'canary' } } },
  { body: { api_secret: 'canary', signature: 'canary', token: 'canary', listenKey: 'canary' } },
])('log: %j shows no secret', (fields) => {
  const written = linesOf((log) => log.info(fields, 'x'));
  expect(written).toContain('[secret]');
  expect(written).not.toContain('canary');
});

test('withoutSecrets: signatures and keys in a URL are redacted, the rest stays', () => {
  expect(withoutSecrets('/a?symbol=B&timestamp=1&signature=abc&x=1')).toBe(
    '/a?symbol=B&timestamp=1&signature=[secret]&x=1',
  );
  expect(withoutSecrets('/ws?listenKey=abc')).toBe('/ws?listenKey=[secret]');
});
