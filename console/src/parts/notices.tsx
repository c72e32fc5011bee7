import { dismiss, notices } from '../feed/notices.ts';

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
            aria-label="Close this notice"
            onClick={() => dismiss(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
