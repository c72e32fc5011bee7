import { expect, test } from 'vitest';
import { LatencyRecorder } from './latency-recorder.ts';

test('LatencyRecorder: percentiles are measured values by nearest rank', () => {
  const recorder = new LatencyRecorder();
  for (let value = 100; value >= 1; value -= 1) recorder.add(value);
  expect(recorder.summarize()).toEqual({ count: 100, p50: 50, p90: 90, p99: 99, max: 100 });
});

test('LatencyRecorder: without measurements everything is zero', () => {
  expect(new LatencyRecorder().summarize()).toEqual({ count: 0, p50: 0, p90: 0, p99: 0, max: 0 });
});
