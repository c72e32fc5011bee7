import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { Address } from '../domain/identifiers.ts';
import { createLogger } from '../observability/log.ts';
import type { ChainConnection } from './chain-connection.ts';
import { ChainContractSignatures } from './contract-signatures.ts';

anvilSuite('contract-signatures', () => {
  let chain: TestChain;
  let lines: string;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(() => {
    lines = '';
    chain.proxy.setRule(null);
  });
  afterAll(() => chain.close());

  const log = createLogger('info', { write: (line: string) => (lines += line) });
  const wallet = '0x00000000000000000000000000000000000c0de1' as Address;

  const verify = (isConnected = true): Promise<boolean> => {
    const connection = { node: chain.node } as unknown as ChainConnection;
    const access = {
      connection: isConnected ? connection : null,
      signingFault: null,
      vaultFault: null,
      loadHaltFault: async () => null,
    };
    const claim = { address: wallet, message: 'sign in', signature: '0x1234' } as const;
    return new ChainContractSignatures(access, log).verify(claim);
  };

  /** A contract that answers one word, or nothing, or reverts. */
  const answering = async (word: string): Promise<void> => {
    const bytecode: Hex = `0x7f${word.padEnd(64, '0')}5f5260205ff3`;
    await chain.client.setCode({ address: wallet as Hex, bytecode });
  };

  test('contract signatures: the magic value means yes, any other value no', async () => {
    await answering('1626ba7e');
    expect(await verify()).toBe(true);
    await answering('ffffffff');
    expect(await verify()).toBe(false);
    await answering('');
    expect(await verify()).toBe(false);
  });

  test('contract signatures: an address without code, a revert and a short answer mean no', async () => {
    await chain.client.setCode({ address: wallet as Hex, bytecode: '0x' });
    expect(await verify()).toBe(false);
    await chain.client.setCode({ address: wallet as Hex, bytecode: '0x5f5ffd' });
    expect(await verify()).toBe(false);
    await chain.client.setCode({ address: wallet as Hex, bytecode: '0x60045ff3' });
    expect(await verify()).toBe(false);
    expect(lines).toBe('');
  });

  test('contract signatures: without an answer nothing is accepted, and the log says so', async () => {
    await answering('1626ba7e');
    chain.proxy.setRule(() => ({ kind: 'status', status: 500 }));
    expect(await verify()).toBe(false);
    expect(lines).toContain("a contract's signature could not be checked");
    expect(await verify(false)).toBe(false);
    expect(lines).toContain('no chain');
  });
});
