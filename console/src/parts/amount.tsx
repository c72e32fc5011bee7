import { formatAmount, formatDecimal, formatSigned } from '../number/format.ts';

export interface AmountProps {
  readonly value: string | null | undefined;
  readonly token: string | null;
  /** With the token's name behind it. */
  readonly isNamed?: boolean;
}

/** An amount of a token; of USDT two decimals are shown, and all eight in the title. */
export function Amount({ value, token, isNamed = false }: AmountProps) {
  const unit = isNamed ? ` ${token}` : '';
  if (token !== 'USDT' || value === null || value === undefined) {
    return <>{formatAmount(value, token) + unit}</>;
  }
  return <span title={formatDecimal(value, 8) + unit}>{formatAmount(value, token) + unit}</span>;
}

export interface UsdtProps {
  readonly value: string | null | undefined;
  /** With a leading plus or minus. */
  readonly isSigned?: boolean;
}

/** The same of USDT alone, without its name. */
export function Usdt({ value, isSigned = false }: UsdtProps) {
  if (!isSigned || value === null || value === undefined) {
    return <Amount value={value} token="USDT" />;
  }
  return <span title={formatSigned(value, 8)}>{formatSigned(value, 2)}</span>;
}
