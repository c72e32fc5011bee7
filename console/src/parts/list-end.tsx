import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { pageSizeMax } from '../api/pages.ts';
import * as texts from '../text/en/lists.ts';
import { SendButton } from './send-button.tsx';

const firstPageSize = 50;

export interface PageSize {
  readonly limit: number;
  /** Null if a page can hold no more; the CSV file has the rest. */
  readonly onMore: (() => void) | null;
}

/** The number of rows that a list shows; more on demand. */
export function usePageSize(): PageSize {
  const [limit, setLimit] = useState(firstPageSize);
  const more = Math.min(pageSizeMax, limit * 2);
  return { limit, onMore: limit < pageSizeMax ? () => setLimit(more) : null };
}

export interface ListEndProps {
  readonly count: number;
  readonly isWhole: boolean;
  readonly csv: ComponentChildren;
  readonly onMore?: (() => void) | null;
}

/** Shows whether a list is complete. */
export function ListEnd({ count, isWhole, csv, onMore = null }: ListEndProps) {
  if (count === 0) return null;
  return (
    <p class="dim small-text list-end">
      {isWhole ? texts.allCount(count) : texts.newestCount(count)}{' '}
      {!isWhole && onMore !== null && (
        <SendButton class="small plain" onClick={onMore}>
          {texts.showMore}
        </SendButton>
      )}{' '}
      {csv}
    </p>
  );
}
