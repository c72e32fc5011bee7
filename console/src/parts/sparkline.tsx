import { directionOf } from '../number/format.ts';

const width = 88;
const height = 20;
const margin = 2;

/** Floating point is only for pixels. */
function pathOf(closes: readonly string[]): string {
  const values = closes.map(Number);
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const points = values.map((value, index) => {
    const x = margin + (index / (values.length - 1)) * (width - 2 * margin);
    const share = span === 0 ? 0.5 : (value - low) / span;
    return `${x.toFixed(1)},${(height - margin - share * (height - 2 * margin)).toFixed(1)}`;
  });
  return `M${points.join(' L')}`;
}

/** Prices as a small line; the figures beside it say the same to readers. */
export function Sparkline({
  closes,
  change,
}: {
  closes: readonly string[];
  change: string | null;
}) {
  return (
    <svg
      class={`sparkline ${directionOf(change)}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      {closes.length > 1 && <path d={pathOf(closes)} />}
    </svg>
  );
}
