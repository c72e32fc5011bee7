import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import type { LiveOrder } from '../../feed/account.ts';
import { say, sayError } from '../../feed/notices.ts';
import { judgeStep } from '../../forms/perp-order.ts';
import { formatWhole } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { confirm } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import type { PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import * as texts from '../../text/en/futures.ts';

const price = signal('');
const quantity = signal('');

function AmendFields({ order, market }: { order: LiveOrder; market: PerpMarket }) {
  return (
    <>
      <NumberField
        label={texts.price}
        unit={market.quote_asset}
        value={price.value}
        step={market.tick_size}
        error={judgeStep(price.value, market.tick_size, 'INVALID_TICK')}
        onInput={(text) => {
          price.value = text;
        }}
      />
      <NumberField
        label={texts.wholeQuantity}
        unit={market.base_asset}
        value={quantity.value}
        step={market.lot_size}
        error={judgeStep(quantity.value, market.lot_size, 'INVALID_LOT')}
        hint={texts.filledSoFar(formatWhole(order.filled_quantity))}
        onInput={(text) => {
          quantity.value = text;
        }}
      />
      <p class="dim small-text">{texts.amendKeepsNumber}</p>
    </>
  );
}

/** Prompts for a new price or quantity of a resting order, and amends it in place. */
export async function amendOrder(order: LiveOrder, market: PerpMarket): Promise<void> {
  price.value = order.price ?? '';
  quantity.value = order.quantity ?? '';
  const isYes = await confirm({
    title: texts.amendOrder(order.order_id),
    text: <AmendFields order={order} market={market} />,
    action: texts.amend,
    isMoney: true,
  });
  if (!isYes) return;
  const changed = {
    price: readNumber(price.value) ?? '',
    quantity: readNumber(quantity.value) ?? '',
  };
  try {
    const { status } = await api.call('PUT /api/v1/orders/:order_id', {
      params: { order_id: Number(order.order_id) },
      body: changed,
    });
    const words = status === 'NEW' ? texts.inTheBook : status.toLowerCase().replaceAll('_', ' ');
    say('good', texts.orderAmended(changed.quantity, changed.price, words));
  } catch (error) {
    sayError(error);
  }
}
