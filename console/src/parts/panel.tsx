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

/** When the contents were last up to date; nothing while they are. */
export function AgeTag({ since }: { since: number | null }) {
  if (since === null || since === 0) return null;
  return <span class="tag warn">{texts.asOf(formatTime(since))}</span>;
}

/** The class of a box whose contents may be out of date. */
export function panelClass(since: number | null, area = ''): string {
  return `panel ${area} ${since === null || since === 0 ? '' : 'stale'}`;
}

/** A titled box; a dotted border marks contents that are not live. */
export function Panel({ title, area = '', staleSince = null, tools, children }: PanelProps) {
  return (
    <section class={panelClass(staleSince, area)} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <AgeTag since={staleSince} />
        {tools}
      </header>
      {children}
    </section>
  );
}
