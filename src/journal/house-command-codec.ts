import type { HoldWithdrawals, MoveHouseFunds } from '../engine/futures-commands.ts';
import { codeTable, type FieldStream } from './field-stream.ts';

// Commands about the exchange's own money, encoded as the others are in futures-command-codec.ts.

const houseSourceCodes = codeTable<MoveHouseFunds['source']>({ fees: 1, treasury: 2 });
const holdCodes = codeTable<'held' | 'free'>({ free: 0, held: 1 });

export function moveHouseFunds(stream: FieldStream, command?: MoveHouseFunds): MoveHouseFunds {
  return {
    type: 'moveHouseFunds',
    amount: stream.bigint(command?.amount),
    source: stream.code(houseSourceCodes, command?.source),
    reason: stream.nullableText(command?.reason),
    reference: stream.nullableText(command?.reference),
  };
}

export function holdWithdrawals(stream: FieldStream, command?: HoldWithdrawals): HoldWithdrawals {
  return {
    type: 'holdWithdrawals',
    isHeld: stream.code(holdCodes, holdOf(command)) === 'held',
    reason: stream.nullableText(command?.reason),
  };
}

function holdOf(command?: HoldWithdrawals): 'held' | 'free' | undefined {
  if (command === undefined) return undefined;
  return command.isHeld ? 'held' : 'free';
}
