import { readFile } from 'node:fs/promises';
import type { Workload, WorkloadExpectation } from './generate-workload.ts';

// A record is 16 bytes, little endian: u8 type, u8 side, two of padding, u32 price, u32 quantity,
// u32 order number. Beside the file, <file>.json says what a right book makes of it.

const recordSize = 16;

interface WorkloadMeta extends WorkloadExpectation {
  readonly nPrefill: number;
}

export async function loadWorkload(path: string): Promise<Workload> {
  const bytes = await readFile(path);
  const meta = JSON.parse(await readFile(`${path}.json`, 'utf8')) as WorkloadMeta;
  const total = bytes.length / recordSize;
  const workload: Workload = {
    prefillCount: meta.nPrefill,
    types: new Uint8Array(total),
    sides: new Uint8Array(total),
    prices: new Uint32Array(total),
    quantities: new Uint32Array(total),
    orderNumbers: new Uint32Array(total),
    expected: { trades: meta.trades, tradedQty: meta.tradedQty, hash: meta.hash },
  };
  for (let index = 0; index < total; index += 1) {
    const at = index * recordSize;
    workload.types[index] = bytes.readUInt8(at);
    workload.sides[index] = bytes.readUInt8(at + 1);
    workload.prices[index] = bytes.readUInt32LE(at + 4);
    workload.quantities[index] = bytes.readUInt32LE(at + 8);
    workload.orderNumbers[index] = bytes.readUInt32LE(at + 12);
  }
  return workload;
}
