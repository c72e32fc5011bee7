import { encodeFunctionData, type Hex, stringToHex } from 'viem';
import type { RegisterChange } from '../../application/ports/chain-ledger.ts';
import { assertNever } from '../../domain/assert.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { toHexAddress } from '../evm-values.ts';

const noCode: Hex = `0x${'00'.repeat(32)}`;

/** The data of one call to the register that makes all changes, in order. */
export function registerCall(changes: readonly RegisterChange[]): Hex {
  const data = changes.flatMap(callsOf);
  return encodeFunctionData({ abi: referralRebateAbi, functionName: 'multicall', args: [data] });
}

function callsOf(change: RegisterChange): readonly Hex[] {
  switch (change.kind) {
    case 'code':
      return [
        encodeFunctionData({
          abi: referralRebateAbi,
          functionName: 'registerCodes',
          args: [[codeToBytes(change.code)], [toHexAddress(change.owner)]],
        }),
      ];
    case 'binding': {
      const code = change.code === null ? noCode : codeToBytes(change.code);
      return [
        encodeFunctionData({
          abi: referralRebateAbi,
          functionName: 'bindTraders',
          args: [[toHexAddress(change.trader)], [code]],
        }),
      ];
    }
    case 'terms': {
      const account = toHexAddress(change.account);
      const own = { isSet: true, totalRebateBps: change.rebateBps, discountShareBps: 0 };
      return [
        encodeFunctionData({
          abi: referralRebateAbi,
          functionName: 'setTierLevels',
          args: [[account], [change.tierLevel]],
        }),
        encodeFunctionData({
          abi: referralRebateAbi,
          functionName: 'setRebateOverrides',
          args: [[account], [own]],
        }),
      ];
    }
    default:
      return assertNever(change);
  }
}

/** A code as the contract stores it: its letters, padded with zeros. */
function codeToBytes(code: string): Hex {
  return stringToHex(code, { size: 32 });
}

/** The letters up to the first zero; empty if they contain anything but visible ASCII. */
export function codeFromBytes(bytes: Hex): string {
  const text = Buffer.from(bytes.slice(2), 'hex').toString('latin1');
  const end = text.indexOf('\0');
  const code = end < 0 ? text : text.slice(0, end);
  return /^[\x21-\x7e]*$/.test(code) ? code : '';
}
