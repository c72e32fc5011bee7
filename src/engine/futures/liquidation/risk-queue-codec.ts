import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { hasNear } from './risk-queue.ts';

/**
 * Encodes the accounts to be judged and their watches; the internal order of the heaps is not
 * saved.
 */
export function encodeRiskQueue(writer: ByteWriter, state: FuturesState): void {
  const { riskQueue, markets } = state;
  const { current, next } = riskQueue.list();
  writer.writeNumber(riskQueue.scans);
  writer.writeByte(riskQueue.isScanning ? 1 : 0);
  writer.writeUint32(riskQueue.cursor);
  for (const accountIds of [current, next]) {
    writer.writeUint32(accountIds.length);
    for (const accountId of accountIds) writer.writeUint32(accountId);
  }
  for (const { watches } of markets) {
    writer.writeNumber(watches.longShift);
    writer.writeNumber(watches.shortShift);
    for (const heap of [watches.longs, watches.shorts]) {
      writer.writeUint32(heap.count);
      for (const { accountId, key } of heap.list()) {
        writer.writeUint32(accountId);
        writer.writeNumber(key);
      }
    }
  }
}

/** Decodes what `encodeRiskQueue` wrote; before version 8 all accounts are to be judged. */
export function decodeRiskQueue(reader: ByteReader, state: FuturesState): void {
  const { riskQueue, markets } = state;
  if (reader.version < 8) return judgeAllAgain(reader, state);
  const scans = reader.readNumber();
  const isScanning = reader.readByte() === 1;
  const cursor = reader.readUint32();
  const current = readNumbers(reader);
  riskQueue.restore({ scans, isScanning, cursor, current, next: readNumbers(reader) });
  for (const { watches } of markets) {
    watches.longShift = reader.readNumber();
    watches.shortShift = reader.readNumber();
    for (const heap of [watches.longs, watches.shorts]) {
      const count = reader.readUint32();
      for (let at = 0; at < count; at += 1) heap.set(reader.readUint32(), reader.readNumber());
    }
  }
  if (!hasNear[state.rules]) return;
  for (const account of state.accounts) {
    if (account !== undefined && isNear(state, account)) riskQueue.near.add(account.accountId);
  }
}

/** Versions below 8 check all accounts in turn, and contain the number of the next one. */
function judgeAllAgain(reader: ByteReader, { riskQueue, accounts }: FuturesState): void {
  reader.readNumber();
  for (const account of accounts) if (account !== undefined) riskQueue.touch(account.accountId);
}

function isNear({ closeOuts }: FuturesState, account: FuturesAccount): boolean {
  const isOpen = account.positions.some((position) => (position?.quantity ?? 0) !== 0);
  const isClosing = closeOuts.get(account.accountId)?.stage === 'book';
  return isOpen && (isClosing || account.isWarned);
}

function readNumbers(reader: ByteReader): readonly number[] {
  const count = reader.readUint32();
  return Array.from({ length: count }, () => reader.readUint32());
}
