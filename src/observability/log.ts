import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

// Anything that could be used to impersonate its owner, at any depth of a logged object.
const secretNames = [
  'authorization',
  'cookie',
  'signature',
  'secret',
  'api_secret',
  'apiSecret',
  'apiKey',
  'api_key',
  'token',
  'listenKey',
  'privateKey',
  'secretAccessKey',
  'password',
  '["x-api-key"]',
  '["x-mbx-apikey"]',
];
const redactedPaths = secretNames.flatMap((name) => {
  const own = name.startsWith('[') ? name : `.${name}`;
  return [own.startsWith('.') ? name : own, `*${own}`, `*.*${own}`];
});

/** Structured log lines on standard output; secrets are redacted by name. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: redactedPaths, censor: '[secret]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export type LogFormat = 'json' | 'pretty';

/** Logs to standard output: JSON for machines, short coloured lines for people. */
export function createProcessLogger(level: string, format: LogFormat): Logger {
  if (format === 'json') return createLogger(level);
  // Synchronous, so that nothing is missing after a crash.
  return createLogger(
    level,
    pretty({ translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }),
  );
}

const secretParameter = /([?&](?:signature|listenKey|token|api_key|apiKey)=)[^&#]*/gi;

/** The URL with the values of secret parameters redacted. */
export function withoutSecrets(url: string): string {
  return url.replace(secretParameter, '$1[secret]');
}
