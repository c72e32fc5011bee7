import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../../test/architecture/source-files.ts';
import {
  createSoftHsm,
  missingForSoftHsm,
  type SoftHsm,
  softHsmModule,
} from '../../test/support/soft-hsm.ts';

// `npm run signer` as operators call it to prepare a signer: each command as a process of its own.

const digits = 'ab3'.repeat(21).padEnd(64, 'c');
const pin = '83019274';
const bearer = 'bearer-of-the-signer-in-a-file';
const keyAddress = privateKeyToAccount(`0x${digits}`).address.toLowerCase();
const contract = `0x${'a1'.repeat(20)}`;

let folder: string;
let policyPath: string;
const pathOf = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-signer-commands-'));
  policyPath = pathOf('signer.json');
  writePolicy({});
  writeSecret('reward.key', digits);
  writeSecret('token', bearer);
});
afterEach(() => rmSync(folder, { recursive: true }));

function writePolicy(change: object): void {
  const policy = {
    listen: `unix:${pathOf('signer.sock')}`,
    tokenFile: 'token',
    log: 'signer.log',
    chainId: 31_337,
    keys: [{ role: 'reward', address: keyAddress, file: 'reward.key' }],
    reward: { domain: { name: 'Router', contract }, perAccountAndHour: 3 },
    vault: { domain: { name: 'SpotVault', contract }, approvers: [], tokens: [] },
    transactions: { allowed: [], gasMax: '1', feePerGasMax: '1' },
    ...change,
  };
  writeFileSync(policyPath, JSON.stringify(policy));
}

function writeSecret(name: string, text: string, mode = 0o600): string {
  writeFileSync(pathOf(name), `${text}\n`, { mode });
  return pathOf(name);
}

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs one command to its end; it may print none of the secrets, whatever happens. */
async function signer(words: readonly string[], environment: object = {}): Promise<Ended> {
  const program = [join(projectRoot, 'tools/run.mjs'), 'signer/main', ...words];
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  for (const secret of [pin, bearer, digits.slice(0, 5)]) {
    expect(texts.output + texts.errors).not.toContain(secret);
  }
  return { code, ...texts };
}

const refused = (errors: string): Ended => ({ code: 1, output: '', errors: `${errors}\n` });

test('signer: create-log creates the log for its user only, once, and verify reads it', async () => {
  const log = pathOf('signer.log');
  expect(await signer(['start'])).toEqual(
    refused(`${log}: there is no log; nothing is signed without one`),
  );
  expect(await signer(['create-log', '--policy', policyPath])).toEqual({
    code: 0,
    output: `${log}\n`,
    errors: '',
  });
  expect(statSync(log).mode & 0o777).toBe(0o600);
  const text = readFileSync(log, 'utf8');
  expect(await signer(['create-log'])).toEqual(
    refused(`EEXIST: file already exists, open '${log}'`),
  );
  expect(readFileSync(log, 'utf8')).toBe(text);
  const { hash } = JSON.parse(text) as { readonly hash: string };
  expect(await signer(['verify'])).toEqual({
    code: 0,
    output: `0 signatures, head ${hash}\n`,
    errors: '',
  });
});

test('signer: arguments that it does not know are refused by name, and nothing is created', async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['--unknown'], "error: unknown option '--unknown'"],
    [['sign'], "error: too many arguments for 'start'. Expected 0 arguments but got 1."],
    [
      ['create-log', 'other.log'],
      "error: too many arguments for 'create-log'. Expected 0 arguments but got 1.",
    ],
    [
      ['create-key', '--module', 'm', '--token', 't', '--pin-file', 'p'],
      "error: required option '--label <label>' not specified",
    ],
  ];
  for (const [words, message] of cases) expect(await signer(words)).toEqual(refused(message));
  expect(() => statSync(pathOf('signer.log'))).toThrow('ENOENT');
});

test('signer: a policy that is missing, not JSON or incomplete is refused, and shows no key', async () => {
  const at = (name: string) => ['create-log', '--policy', pathOf(name)];
  expect(await signer(at('none.json'))).toEqual(
    refused(`ENOENT: no such file or directory, open '${pathOf('none.json')}'`),
  );
  expect(await signer(at('reward.key'))).toEqual(refused(`${pathOf('reward.key')} is not JSON`));
  writePolicy({ log: undefined, more: 1 });
  expect(await signer(['create-log'])).toEqual(
    refused(
      'signer.json: / must have required properties log; /more schema is false; / must not have additional properties',
    ),
  );
});

test('signer: it does not start with a key, a token or a PIN that is wrong or open to others', async () => {
  await signer(['create-log']);
  writePolicy({ keys: [{ role: 'reward', address: contract, file: 'reward.key' }] });
  expect(await signer(['start'])).toEqual(
    refused(`the reward key has the address ${keyAddress}, the policy says ${contract}`),
  );
  writePolicy({});
  writeSecret('reward.key', digits.slice(1));
  expect(await signer(['start'])).toEqual(
    refused(`${pathOf('reward.key')} does not contain a key`),
  );
  writeSecret('reward.key', digits);
  rmSync(pathOf('token'));
  writeSecret('token', bearer, 0o644);
  expect(await signer(['start'])).toEqual(
    refused(`${pathOf('token')} is open to other users: chmod 600`),
  );
  const words = ['create-key', '--module', softHsmModule, '--token', 't', '--label', 'l'];
  expect(await signer([...words, '--pin-file', writeSecret('open-pin', pin, 0o640)])).toEqual(
    refused(`${pathOf('open-pin')} is open to other users: chmod 600`),
  );
});

const absent = missingForSoftHsm();

describe.skipIf(absent !== null)(
  absent === null ? 'signer in SoftHSM' : `signer in SoftHSM (skipped without: ${absent})`,
  () => {
    let hsm: SoftHsm;
    beforeAll(() => {
      hsm = createSoftHsm('exchange', pin);
    });
    afterAll(() => hsm.remove());

    function createKey(change: Readonly<Record<string, string>> = {}): Promise<Ended> {
      const given = {
        module: softHsmModule,
        token: 'exchange',
        label: 'vault',
        'pin-file': writeSecret('pin', pin),
        ...change,
      };
      const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
      return signer(['create-key', ...words], { SOFTHSM2_CONF: hsm.configPath });
    }

    test('signer: create-key prints the address of a key with which the signer starts', async () => {
      const made = await createKey();
      expect(made).toEqual({
        code: 0,
        output: expect.stringMatching(/^0x[0-9a-f]{40}\n$/) as string,
        errors: '',
      });
      expect(await createKey()).toEqual(refused('the token already has a key vault'));
      expect(await createKey({ token: 'other' })).toEqual(refused('there is not one token other'));
      const noModule = '/none.so: cannot open shared object file: No such file or directory';
      expect(await createKey({ module: '/none.so' })).toEqual(refused(noModule));
      const wrong = await createKey({ label: 'second', 'pin-file': writeSecret('pin2', '9999') });
      expect(wrong).toEqual(refused('CKR_PIN_INCORRECT'));

      const address = made.output.trim();
      const pkcs11 = { module: softHsmModule, token: 'exchange', label: 'vault', pinFile: 'pin' };
      writePolicy({ keys: [{ role: 'vault', address, pkcs11 }] });
      await signer(['create-log']);
      const program = [join(projectRoot, 'tools/run.mjs'), 'signer/main', 'start'];
      const env = { ...process.env, SOFTHSM2_CONF: hsm.configPath };
      const child = spawn(process.execPath, program, { cwd: folder, env });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(JSON.parse(line.toString())).toMatchObject({ addresses: [address], signatures: 0 });
      const isOver = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await isOver).toEqual([0, null]);
    });
  },
);
