import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandArbitraries, commandArbitrary } from '../../test/support/command-arbitraries.ts';
import type { Command, OpenAccount } from '../engine/commands.ts';
import { commandTags, readCommand, writeCommand } from './command-codec.ts';
import { FieldReader } from './field-reader.ts';
import { FieldError, type FieldStream } from './field-stream.ts';
import { FieldWriter } from './field-writer.ts';

const roomBytes = 4_096;

function encode(command: Command): { readonly tag: number; readonly bytes: Buffer } {
  const writer = new FieldWriter();
  writer.bytes = Buffer.alloc(roomBytes);
  const tag = writeCommand(writer, command);
  return { tag, bytes: Buffer.from(writer.bytes.subarray(0, writer.offset)) };
}

function readerOf(bytes: Buffer, end = bytes.length): FieldReader {
  const reader = new FieldReader();
  reader.bytes = bytes;
  reader.end = end;
  return reader;
}

test.each(Object.entries(commandArbitraries))(
  'command codec: every %s reads back as written, to the last byte',
  (_type, arbitrary: fc.Arbitrary<Command>) => {
    fc.assert(
      fc.property(arbitrary, (command) => {
        const { tag, bytes } = encode(command);
        const reader = readerOf(bytes);
        expect(readCommand(reader, tag)).toStrictEqual(command);
        expect(reader.offset).toBe(bytes.length);
      }),
      { numRuns: 300 },
    );
  },
);

test('command codec: a record cut anywhere is refused, never read as something shorter', () => {
  fc.assert(
    fc.property(commandArbitrary, fc.nat(), (command, cut) => {
      const { tag, bytes } = encode(command);
      fc.pre(bytes.length > 0);
      const end = cut % bytes.length;
      expect(() => readCommand(readerOf(bytes, end), tag)).toThrow(FieldError);
    }),
  );
});

test('command codec: foreign bytes are refused or read, and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 0, max: 30 }), (bytes, tag) => {
      const reader = readerOf(Buffer.from(bytes));
      try {
        expect(readCommand(reader, tag)).toHaveProperty('type');
        expect(reader.offset).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(FieldError);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('command codec: unknown tags are refused', () => {
  for (const tag of [0, 9, 255]) {
    expect(() => readCommand(readerOf(Buffer.alloc(100)), tag)).toThrow(`unknown tag ${tag}`);
  }
});

test('command codec: tags never change', () => {
  expect(commandTags).toEqual({
    openAccount: 1,
    createSpotMarket: 2,
    setSpotMarketStatus: 3,
    creditBalance: 4,
    placeSpotOrder: 5,
    cancelSpotOrder: 6,
    cancelAllSpotOrders: 7,
    upgradeRules: 8,
    createFuturesMarket: 33,
    setFuturesMarketStatus: 35,
    setIndexPrice: 22,
    advanceTime: 23,
    transferFunds: 24,
    setLeverage: 25,
    setAccountFees: 26,
    placeFuturesOrder: 27,
    amendFuturesOrder: 36,
    cancelFuturesOrder: 29,
    cancelAllFuturesOrders: 30,
    setCountdownCancel: 37,
    reservePerpFunds: 32,
    moveHouseFunds: 34,
    holdWithdrawals: 38,
    creditDeposit: 10,
    reserveWithdrawal: 11,
    completeWithdrawal: 12,
    releaseWithdrawal: 13,
    reopenWithdrawal: 14,
  });
});

test('command codec: the bytes of an order are as recorded', () => {
  const { bytes } = encode({
    type: 'placeSpotOrder',
    accountId: 300,
    marketId: 0,
    side: 'sell',
    clientOrderId: 'a1',
    orderType: 'limit',
    timeInForce: 'post_only',
    price: 10_000,
    quantity: 7,
    quoteQuantity: null,
  } as Command);
  expect(bytes.toString('hex')).toBe('ac020002010401904e01070001046131');
});

test('command codec: a value that no field can hold is refused before anything is written', () => {
  const place = { type: 'cancelSpotOrder', accountId: 1.5, orderNumber: 1 } as Command;
  expect(() => encode(place)).toThrow('not a whole number');
  const open = { type: 'openAccount', address: '0xABC' } as unknown as Command;
  expect(() => encode(open)).toThrow('not an address');
});

// Held by the compiler: should one of these compile, check:types fails.
export function walkWithoutAddress(_stream: FieldStream): OpenAccount {
  // @ts-expect-error a field is missing
  return { type: 'openAccount' };
}
export function walkWithMore(stream: FieldStream, command?: OpenAccount): OpenAccount {
  // @ts-expect-error a field is unknown
  return { type: 'openAccount', address: stream.address(command?.address), more: 1 };
}
