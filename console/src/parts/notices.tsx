import { dismiss, notices } from '../feed/notices.ts';
import * as texts from '../text/en/frame.ts';

/** The newest notices, announced politely to screen readers. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text, note }) => (
        <div key={id} class={`notice ${kind}`}>
          <span>
            {text}
            {note !== '' && <code class="dim"> {note}</code>}
          </span>
          <button
            type="button"
            class="small plain"
            aria-label={texts.closeThisNotice}
            onClick={() => dismiss(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
