import { isSignedIn } from '../../feed/session.ts';
import { isPerpComplete } from '../../forms/perp-order.ts';
import { formatWhole } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { openSignIn } from '../account-menu.tsx';
import { isSending, submit } from './perp-actions.ts';
import { type PerpMarket, perpDraft } from './perp-draft.ts';

export function PerpSubmit({ market }: { market: PerpMarket }) {
  const draft = perpDraft.value;
  const isBuy = draft.side === 'BUY';
  if (!isSignedIn.value) {
    return (
      <button type="button" class="wide primary" onClick={openSignIn}>
        Sign in to trade
      </button>
    );
  }
  return (
    <button
      type="button"
      class={`wide ${isBuy ? 'buy' : 'sell'}`}
      disabled={!isPerpComplete(draft) || isSending.value || market.status !== 'listed'}
      onClick={() => void submit(market)}
    >
      {isSending.value
        ? 'Sending…'
        : `${isBuy ? 'Buy' : 'Sell'} ${market.base_asset} ${formatWhole(readNumber(draft.quantity) ?? null).replace('–', '')}`}
    </button>
  );
}
