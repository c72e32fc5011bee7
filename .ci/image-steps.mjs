// node .ci/image-steps.mjs <empty folder>: the steps of the Dockerfile without a container engine.
// The build stage's RUN in a copy of the project, then CMD as an ordinary user with the image's
// environment, HEALTHCHECK until it says healthy, and SIGTERM, after which the exit code is 0.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [folder] = process.argv.slice(2);
const nobody = 65_534;
const healthyWithinMs = 120_000;

const image = readFileSync('Dockerfile', 'utf8').replaceAll(/\\\n\s*/g, ' ');
const lineOf = (pattern) => {
  const [, text] = pattern.exec(image) ?? [];
  if (text === undefined) throw new Error(`the Dockerfile has no line ${pattern}`);
  return text;
};
const build = lineOf(/^RUN (npm ci .*)$/m);
const environment = lineOf(/^ENV (.*)$/m).split(' ');
const [healthCommand, ...healthWords] = JSON.parse(lineOf(/^HEALTHCHECK .*?CMD (\[.*\])$/m));
const [command, ...words] = JSON.parse(lineOf(/^CMD (\[.*\])$/m));

const app = join(folder, 'app');
const data = join(folder, 'data');
mkdirSync(data, { recursive: true });
chmodSync(folder, 0o755);
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
for (const file of files) cpSync(file, join(app, file));
console.log(`RUN ${build}`);
execFileSync('sh', ['-euc', build], { cwd: app, stdio: 'inherit' });

const isRoot = process.getuid() === 0;
if (isRoot) chownSync(data, nobody, nobody);
const own = Object.fromEntries(environment.map((each) => each.split('=')));
const options = {
  cwd: app,
  env: { PATH: process.env.PATH, ...own, DATA_DIR: data, PORT: '18080' },
  ...(isRoot ? { uid: nobody, gid: nobody } : {}),
};
console.log(`CMD ${[command, ...words].join(' ')}`);
const service = spawn(command, words, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
const ended = once(service, 'exit');
const giveUpAt = Date.now() + healthyWithinMs;
while (spawnSync(healthCommand, healthWords, options).status !== 0) {
  if (service.exitCode !== null) throw new Error(`the program ended with ${service.exitCode}`);
  if (Date.now() > giveUpAt) throw new Error('not healthy');
  await pause(200);
}
console.log('HEALTHCHECK: healthy');
service.kill('SIGTERM');
const [code] = await ended;
console.log(`SIGTERM: exit code ${code}`);
process.exitCode = code;
