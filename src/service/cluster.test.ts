import { expect, test } from 'vitest';
import { logSpaceAlarm } from './cluster.ts';

test('the shared log at 80 % of its space is logged once, and again after it has had room', () => {
  const lines: unknown[] = [];
  const tell = logSpaceAlarm({ error: (...line: unknown[]) => void lines.push(line) });
  for (const ratio of [0, 0.79, 0.8, 0.9, 1, 0.5, 0.81]) tell(ratio);
  const text = 'the shared log has used 80 % of its space';
  expect(lines).toEqual([
    [{ usedRatio: 0.8 }, text],
    [{ usedRatio: 0.81 }, text],
  ]);
});
