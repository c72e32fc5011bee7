import * as texts from '../text/en/lists.ts';

export interface LinePoint {
  readonly name: string;
  /** Decimal text. */
  readonly value: string;
}

const width = 600;
const height = 96;
const margin = 4;

/** The line's path; a single point is a horizontal line. Floating point is only for pixels. */
function pathOf(points: readonly LinePoint[]): string {
  const values = points.map(({ value }) => Number(value));
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const at = (value: number, index: number): string => {
    const x = values.length === 1 ? 0 : (index / (values.length - 1)) * width;
    const share = span === 0 ? 0.5 : (value - low) / span;
    return `${x.toFixed(1)},${(height - margin - share * (height - 2 * margin)).toFixed(1)}`;
  };
  const [first = ''] = values.slice(0, 1).map(at);
  const line = values.map(at).join(' L');
  return values.length === 1 ? `M${first} H${width}` : `M${line}`;
}

/** A small line chart; the table next to it has the figures. */
export function LineChart({ label, points }: { label: string; points: readonly LinePoint[] }) {
  if (points.length === 0) return null;
  const [first] = points;
  const last = points.at(-1);
  return (
    <figure class="line-chart">
      <figcaption class="dim small-text">
        {texts.lineRange(label, first?.name, last?.name)}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.lineFromTo(label, first?.value, first?.name, last?.value, last?.name)}
      >
        <path d={pathOf(points)} />
      </svg>
    </figure>
  );
}
