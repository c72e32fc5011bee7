import { type Hex, parseEventLogs } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import {
  newWallet,
  startTestChain,
  type TestChain,
} from '../../../test/support/chain/test-chain.ts';
import { ChainError } from '../../application/ports/chain.ts';
import type { VaultDepositedEvent } from '../../application/ports/chain-ledger.ts';
import type { WaitingEvent } from '../../application/ports/waiting-events.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import type { ChainAccess, ChainConnection } from '../chain-connection.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { fromHexAddress } from '../evm-values.ts';
import { ChainEvidenceReader } from './evidence-reader.ts';

anvilSuite('evidence-reader', () => {
  let chain: TestChain;
  let account: Address;
  let deposited: WaitingEvent;

  beforeAll(async () => {
    chain = await startTestChain();
    const wallet = await newWallet(chain);
    account = wallet.address;
    const { df, spotVault } = chain.contracts;
    const send = async (to: Address, abi: typeof tokenAbi | typeof spotVaultAbi, call: object) => {
      const sent = { account: wallet.account, chain: null, address: to as Hex, abi, ...call };
      return minedReceipt(chain.client, await chain.client.writeContract(sent as never));
    };
    await send(df, tokenAbi, { functionName: 'mint', args: [account, 9n] });
    await send(df, tokenAbi, { functionName: 'approve', args: [spotVault, 9n] });
    const { logs } = await send(spotVault, spotVaultAbi, {
      functionName: 'deposit',
      args: [df, 9n],
    });
    const [log] = parseEventLogs({ abi: spotVaultAbi, eventName: 'Deposited', logs });
    if (log === undefined) throw new Error('nothing was deposited');
    const event: VaultDepositedEvent = {
      type: 'vaultDeposited',
      account,
      token: fromHexAddress(log.args.token),
      rawAmount: log.args.amount,
      number: Number(log.args.number),
      transactionHash: log.transactionHash,
      // A deposit that waits to be credited has lost its place in the block.
      logIndex: 0,
    };
    const block = Number(log.blockNumber);
    deposited = {
      id: 'deposit-1',
      contract: 'spotVault',
      account,
      block,
      blockHash: log.blockHash,
      event,
      error: 'unknown_token',
    };
  });
  afterAll(() => chain.close());

  function read(change: Partial<WaitingEvent> = {}, contracts = chain.contracts) {
    const connection = { node: chain.node, contracts, version: 2, tokens: [] };
    const access = { connection: connection as unknown as ChainConnection };
    return new ChainEvidenceReader(access as ChainAccess).load({ ...deposited, ...change });
  }
  const changed = (change: object) =>
    read({ event: { ...deposited.event, ...change } as VaultDepositedEvent });

  test('evidence: shows an event that its block contains, what follows it, and its token', async () => {
    expect(await read()).toEqual({
      head: (await chain.node.loadHead()).number,
      blockHash: deposited.blockHash,
      isIncluded: true,
      nextNumber: 1,
      token: { symbol: 'DF', decimals: 18 },
    });
  });

  test.each([
    ['amount', { rawAmount: 10n }],
    ['number', { number: 1 }],
    ['transaction', { transactionHash: `0x${'11'.repeat(32)}` }],
    ['contract', { formerContract: `0x${'99'.repeat(20)}` }],
  ])('evidence: an event with another %s is not in the block', async (_, change) => {
    expect((await changed(change)).isIncluded).toBe(false);
  });

  test('evidence: an event of a replaced contract is searched for in the logs of that contract', async () => {
    const formerContract = chain.contracts.spotVault;
    const spotVault = `0x${'5c'.repeat(20)}` as Address;
    const event = { ...deposited.event, formerContract } as VaultDepositedEvent;
    const reader = () => read({ event }, { ...chain.contracts, spotVault });
    // The successor, which is not deployed here, would be asked for the next number.
    await expect(reader()).rejects.toThrow(ChainError);
    const { code = '0x' } = {
      code: await chain.client.getCode({ address: formerContract as Hex }),
    };
    await chain.client.setCode({ address: spotVault as Hex, bytecode: code });
    expect(await reader()).toMatchObject({ isIncluded: true, nextNumber: 0 });
  });

  test('evidence: shows an event in another block, in none, or in one that does not exist yet', async () => {
    const { number } = await chain.node.loadHead();
    await chain.client.mine({ blocks: 1 });
    expect(await read({ block: number + 1 })).toMatchObject({ isIncluded: false });
    expect(await read({ block: null })).toMatchObject({ isIncluded: false, blockHash: null });
    expect(await read({ block: number + 50 })).toMatchObject({ isIncluded: false });
  });

  test('evidence: releases and redemptions are shown beside the next nonce of the account', async () => {
    const place = { transactionHash: `0x${'11'.repeat(32)}`, logIndex: 0, account } as const;
    const token = chain.contracts.df;
    const released = { ...place, type: 'vaultReleased', token, rawAmount: 1n, nonce: 4 } as const;
    expect(await read({ event: released })).toMatchObject({ isIncluded: false, nextNumber: 0 });
    const amount = toMicroUsdt(1n);
    const redeemed = { ...place, type: 'rewardRedeemed', amount, nonce: 4 } as const;
    const shown = await read({ event: redeemed });
    expect(shown).toMatchObject({ isIncluded: false, nextNumber: 0, token: null });
  });

  test('evidence: a node that does not answer is an error, not a missing event', async () => {
    chain.proxy.setRule(() => ({ kind: 'status', status: 502 }));
    await expect(read()).rejects.toThrow(ChainError);
    chain.proxy.setRule(null);
  });
});
