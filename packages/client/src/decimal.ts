// Amounts and prices are whole numbers of 10^-8, as the service counts them.

const decimals = 8;
const unit = 10n ** 8n;
const plain = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Parses decimal text into a whole number of 10^-8; further digits are truncated.
 * @throws RangeError
 */
export function toUnits(text: string): bigint {
  const match = plain.exec(text);
  if (match === null) throw new RangeError(`"${text}" is no plain decimal number`);
  const [, sign = '', whole = '0', fraction = ''] = match;
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return sign === '-' ? -value : value;
}

/** The shortest decimal text of a whole number of 10^-8. */
export function fromUnits(value: bigint): string {
  const magnitude = value < 0n ? -value : value;
  const fraction = (magnitude % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const whole = (magnitude / unit).toString();
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
