import type { Signal } from '@preact/signals';
import * as texts from '../text/en/lists.ts';
import { SendButton } from './send-button.tsx';

export interface PagerProps {
  /** Counted from 1. */
  readonly page: Signal<number>;
  readonly pageSize: number;
  readonly total: number;
}

/** Shows the page's position in a list, and moves to other pages. */
export function Pager({ page, pageSize, total }: PagerProps) {
  if (total === 0) return null;
  const first = (page.value - 1) * pageSize + 1;
  const last = Math.min(total, page.value * pageSize);
  const move = (by: number) => (): void => {
    page.value += by;
  };
  return (
    <p class="dim small-text list-end">
      {first > total ? texts.noneOf(total) : texts.range(first, last, total)}{' '}
      <SendButton class="small plain" disabled={page.value === 1} onClick={move(-1)}>
        {texts.newer}
      </SendButton>
      <SendButton class="small plain" disabled={last >= total} onClick={move(1)}>
        {texts.older}
      </SendButton>
    </p>
  );
}
