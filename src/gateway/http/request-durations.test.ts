import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { RequestDurations } from './request-durations.ts';

const requests = [
  { method: 'POST', route: '/fapi/v1/order', status: 200, seconds: [0.0004, 0.001, 0.0011, 3] },
  { method: 'POST', route: '/fapi/v1/order', status: 400, seconds: [0.25] },
  { method: 'DELETE', route: '/fapi/v1/order', status: 200, seconds: [0.06, 2.5] },
  { method: 'GET', route: '/readyz', status: 503, seconds: [0.002] },
];

test('RequestDurations: the registry shows what the library’s own histogram would', async () => {
  const ours = new Registry();
  const theirs = new Registry();
  const durations = new RequestDurations(ours);
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [theirs],
  });
  for (const { method, route, status, seconds } of requests) {
    for (const each of seconds) {
      durations.of(method, route, status).observe(each);
      histogram.observe({ method, route, status }, each);
    }
  }
  const sorted = async (registry: Registry) => (await registry.metrics()).split('\n').sort();
  expect(await sorted(ours)).toEqual(await sorted(theirs));
  expect(await ours.metrics()).toContain(
    'http_request_duration_seconds_bucket{le="0.001",method="POST",route="/fapi/v1/order",status="200"} 2',
  );
  ours.resetMetrics();
  expect(await ours.metrics()).not.toContain('/readyz');
});
