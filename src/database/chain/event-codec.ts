import type { ChainEvent } from '../../application/ports/chain-ledger.ts';

// Events in a JSON column; whole numbers of any size are texts that end in n.

export function encodeEvent(event: ChainEvent): string {
  return JSON.stringify(event, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** Decodes what `encodeEvent` wrote, as the driver returns it. */
export function decodeEvent(stored: unknown): ChainEvent {
  return JSON.parse(JSON.stringify(stored), (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as ChainEvent;
}
