import { useEffect, useState } from 'preact/hooks';
import type { MarketFeed } from '../feed/market.ts';
import { formatDecimal, formatUnits } from '../number/format.ts';
import * as texts from '../text/en/book-reader.ts';

const lastPriceMs = 10_000;

function describeBook({ book: { bids, asks } }: MarketFeed, decimals: number): string {
  const [bid] = bids;
  const [ask] = asks;
  if (bid === undefined && ask === undefined) return texts.bookIsEmpty;
  const price = (value: bigint | undefined): string =>
    value === undefined ? 'none' : formatUnits(value, decimals);
  const spread = bid && ask ? texts.commaSpread(formatUnits(ask.price - bid.price, decimals)) : '';
  return texts.bestPrices(price(bid?.price), price(ask?.price), spread);
}

/**
 * Says what the book shows when asked, since the moving rows are not announced. The buttons are
 * shown while they have the focus.
 */
export function BookReader({ feed, decimals }: { feed: MarketFeed; decimals: number }) {
  const [text, setText] = useState('');
  const [isFollowing, setFollowing] = useState(false);
  useEffect(() => {
    if (!isFollowing) return;
    const read = (): void =>
      setText(texts.lastPriceIs(formatDecimal(feed.ticker.value?.last_price, decimals)));
    read();
    const timer = setInterval(read, lastPriceMs);
    return () => clearInterval(timer);
  }, [isFollowing, feed, decimals]);
  return (
    <div class="on-focus">
      <button type="button" class="small" onClick={() => setText(describeBook(feed, decimals))}>
        {texts.readTheBook}
      </button>
      <button
        type="button"
        class="small"
        aria-pressed={isFollowing}
        onClick={() => setFollowing(!isFollowing)}
      >
        {texts.announceLastPrice}
      </button>
      <span class="hidden" role="status">
        {text}
      </span>
    </div>
  );
}
