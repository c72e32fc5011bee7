import { expect, test } from 'vitest';
import { readEnvironment } from './env.ts';
import { findSignerProblems, signerConfig } from './signer-config.ts';

const key = '0x5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e';
const other = key.replaceAll('5', '6');
const address = (digit: string) => `0x${digit.repeat(40)}`;
const remote = {
  SETTLER_SIGNER: `rpc:http://127.0.0.1:1#${address('1')}`,
  REWARD_SIGNER: `rpc:http://127.0.0.1:1#${address('2')}`,
  VAULT_SIGNER: `rpc:unix:/run/signer.sock#${address('3')}`,
};
const chain = { CHAIN_RPC_URL: 'http://127.0.0.1:1' };

const guardian = `rpc:http://127.0.0.1:1#${address('4')}`;

const problemsOn = (kind: 'main' | 'test', settings: Record<string, string>) =>
  findSignerProblems(readEnvironment(settings), kind);

test('signers: a main network requires three remote signers', () => {
  expect(problemsOn('main', { ...chain, ...remote })).toEqual([]);
  expect(problemsOn('main', { ...chain, SIGNER_PRIVATE_KEY: key })).toEqual([
    'SETTLER_SIGNER is required on a main network',
    'REWARD_SIGNER is required on a main network',
    'VAULT_SIGNER is required on a main network',
    'SIGNER_PRIVATE_KEY must not be set: one key for all roles',
  ]);
  const local = { ...chain, ...remote, VAULT_SIGNER: `local:${key}` };
  expect(problemsOn('main', local)).toEqual(['VAULT_SIGNER must not be local: on a main network']);
});

test('signers: all three or none, each with a different key', () => {
  expect(problemsOn('test', {})).toEqual([]);
  expect(problemsOn('test', { SIGNER_PRIVATE_KEY: key })).toEqual([]);
  expect(problemsOn('test', { SETTLER_SIGNER: remote.SETTLER_SIGNER })).toEqual([
    'REWARD_SIGNER is required with SETTLER_SIGNER',
    'VAULT_SIGNER is required with SETTLER_SIGNER',
  ]);
  const twice = { ...remote, SETTLER_SIGNER: remote.REWARD_SIGNER };
  expect(problemsOn('test', twice)).toEqual([
    'SETTLER_SIGNER, REWARD_SIGNER, VAULT_SIGNER must be different keys',
  ]);
  expect(problemsOn('test', { ...remote, SIGNER_PRIVATE_KEY: key })).toEqual([
    'SIGNER_PRIVATE_KEY must not be set: each role has its own signer',
  ]);
});

test('signers: a guardian signer is optional, beside the three, and another key', () => {
  const signers = { ...chain, ...remote, GUARDIAN_SIGNER: guardian };
  expect(problemsOn('main', signers)).toEqual([]);
  expect(signerConfig(readEnvironment(remote), '11')).toMatchObject({ guardian: null });
  const local = { ...signers, GUARDIAN_SIGNER: `local:${key}` };
  expect(problemsOn('main', local)).toEqual([
    'GUARDIAN_SIGNER must not be local: on a main network',
  ]);
  const twice = { ...signers, GUARDIAN_SIGNER: remote.VAULT_SIGNER };
  expect(problemsOn('main', twice)).toEqual([
    'SETTLER_SIGNER, REWARD_SIGNER, VAULT_SIGNER, GUARDIAN_SIGNER must be different keys',
  ]);
  expect(problemsOn('test', { GUARDIAN_SIGNER: guardian })).toEqual([
    'SETTLER_SIGNER is required with GUARDIAN_SIGNER',
    'REWARD_SIGNER is required with GUARDIAN_SIGNER',
    'VAULT_SIGNER is required with GUARDIAN_SIGNER',
  ]);
});

test('signers: an invalid signer setting is refused without being quoted', () => {
  for (const wrong of [key, 'local:0x12', `rpc:ftp://x#${address('1')}`, 'rpc:http://x']) {
    const reading = () => readEnvironment({ REWARD_SIGNER: wrong });
    expect(reading).toThrow('REWARD_SIGNER must be local:HEX or rpc:URL#ADDRESS');
    expect(reading).not.toThrow(key);
  }
});

test('signers: settings by role replace the single key', () => {
  const locals = {
    SETTLER_SIGNER: `local:${key}`,
    REWARD_SIGNER: `local:${other}`,
    VAULT_SIGNER: remote.VAULT_SIGNER,
    GUARDIAN_SIGNER: guardian,
    SIGNER_TOKEN: 't'.repeat(32),
  };
  expect(signerConfig(readEnvironment(locals), '11')).toEqual({
    settler: locals.SETTLER_SIGNER,
    reward: locals.REWARD_SIGNER,
    vault: locals.VAULT_SIGNER,
    guardian,
    token: locals.SIGNER_TOKEN,
  });
  expect(signerConfig(readEnvironment({}), '11')).toEqual({ privateKey: '0x11' });
});
