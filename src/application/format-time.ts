let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 in UTC. Orders of the same millisecond arrive together, so the last text is cached. */
export function formatTime(timestampMs: number): string {
  if (timestampMs !== lastMs) {
    lastText = new Date(timestampMs).toISOString();
    lastMs = timestampMs;
  }
  return lastText;
}
