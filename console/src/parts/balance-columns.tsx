import type { Balance } from '../feed/account.ts';
import * as texts from '../text/en/wallet.ts';
import { Amount } from './amount.tsx';
import type { Column } from './table.tsx';

/** The columns of an account's balances in both wallets. */
export const balanceColumns: readonly Column<Balance>[] = [
  {
    title: texts.wallet,
    cell: (each) => (each.market === 'spot' ? texts.spot : texts.perp),
    text: (each) => each.market,
  },
  { title: texts.token, cell: (each) => each.token, text: (each) => each.token },
  {
    title: texts.available,
    isNumber: true,
    cell: (each) => <Amount value={each.available} token={each.token} />,
    text: (each) => each.available,
  },
  {
    title: texts.locked,
    isNumber: true,
    cell: (each) => <Amount value={each.locked} token={each.token} />,
    text: (each) => each.locked,
  },
];
