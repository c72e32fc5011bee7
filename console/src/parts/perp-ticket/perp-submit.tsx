import type { MarketFeed } from '../../feed/market.ts';
import { isSignedIn } from '../../feed/session.ts';
import { isPerpComplete } from '../../forms/perp-order.ts';
import { formatWhole } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import * as texts from '../../text/en/futures.ts';
import { agedWords } from '../order-questions.ts';
import { SendButton } from '../send-button.tsx';
import { openSignIn } from '../sign-in-menu.ts';
import { isSending, submit } from './perp-actions.ts';
import { type PerpMarket, perpDraft } from './perp-draft.ts';

export function PerpSubmit({ market, feed }: { market: PerpMarket; feed: MarketFeed }) {
  const draft = perpDraft.value;
  const isBuy = draft.side === 'BUY';
  const isOpen = !isSending.value && market.status === 'listed';
  if (!isSignedIn.value) {
    return (
      <button type="button" class="wide primary" onClick={openSignIn}>
        {texts.signInToTrade}
      </button>
    );
  }
  return (
    <SendButton
      class={`wide ${isBuy ? 'buy' : 'sell'}`}
      disabled={!isPerpComplete(draft) || !isOpen}
      onClick={() => void submit(market, feed)}
    >
      {isSending.value
        ? texts.sending
        : `${isBuy ? texts.buy : texts.sell} ${market.base_asset} ${formatWhole(readNumber(draft.quantity) ?? null).replace('–', '')}${agedWords(feed)}`}
    </SendButton>
  );
}
