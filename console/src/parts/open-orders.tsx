import type { LiveOrder } from '../feed/account.ts';
import type { MarketKind } from '../feed/market.ts';
import { ordersOf, sentOrdersOf } from '../feed/orders.ts';
import * as texts from '../text/en/desk.ts';
import { confirm } from './dialog.tsx';
import { ListEnd } from './list-end.tsx';
import { type Column, CsvButton, Table } from './table.tsx';

export interface MarketProps {
  readonly kind: MarketKind;
  readonly symbol: string;
}

/** Orders that were sent and have no answer yet. */
export function SentOrders({ kind, symbol }: MarketProps) {
  return (
    <>
      {sentOrdersOf(kind, symbol).map((sent) => (
        <p key={sent.clientOrderId} class="empty" role="status">
          {sent.text}: {sent.state === 'sending' ? texts.sending : texts.lookingForTheOrder}{' '}
          <code>{sent.clientOrderId}</code>
        </p>
      ))}
    </>
  );
}

export interface CancelNewestProps extends MarketProps {
  readonly describe: (order: LiveOrder) => string;
  readonly cancel: (order: LiveOrder) => Promise<void>;
}

/** What the c key presses: it asks, and cancels the newest order. */
export function CancelNewest({ kind, symbol, describe, cancel }: CancelNewestProps) {
  const [newest] = ordersOf(kind, symbol);
  if (newest === undefined) return null;
  const ask = async (): Promise<void> => {
    const question = { title: texts.cancelTheNewestOrderQuestion, action: texts.cancelIt };
    if (await confirm({ ...question, text: describe(newest) })) await cancel(newest);
  };
  return <button type="button" hidden data-key="c" tabIndex={-1} onClick={() => void ask()} />;
}

export interface OpenOrdersProps extends MarketProps {
  readonly columns: readonly Column<LiveOrder>[];
  /** The name of the CSV file. */
  readonly name: string;
}

/** The account's open orders in a market. */
export function OpenOrders({ kind, symbol, columns, name }: OpenOrdersProps) {
  const orders = ordersOf(kind, symbol);
  return (
    <>
      <Table
        caption={texts.openOrders}
        columns={columns}
        rows={orders}
        keyOf={(each) => each.order_id}
        empty={texts.noOpenOrders}
      />
      <ListEnd
        count={orders.length}
        isWhole
        csv={<CsvButton name={name} columns={columns} rows={orders} />}
      />
    </>
  );
}
