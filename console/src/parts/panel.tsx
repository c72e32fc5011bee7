import type { ComponentChildren } from 'preact';
import { formatTime } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';

export interface PanelProps {
  readonly title: string;
  readonly area?: string;
  /** Since when the contents are out of date; null, 0 or absent: they are not. */
  readonly staleSince?: number | null;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled box; a dotted border marks contents that are not live. */
export function Panel({ title, area = '', staleSince = null, tools, children }: PanelProps) {
  const isStale = staleSince !== null && staleSince > 0;
  return (
    <section class={`panel ${area} ${isStale ? 'stale' : ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {isStale && (
          <span class="tag warn">
            {texts.asOf}
            {formatTime(staleSince)}
          </span>
        )}
        {tools}
      </header>
      {children}
    </section>
  );
}
