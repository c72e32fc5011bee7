import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { defineEndpoint, type Endpoint, operator } from '../endpoint.ts';

export function getMetricsEndpoint(metrics: Registry): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/metrics',
    tag: 'Operation',
    summary: 'Metrics',
    description: "The process's metrics in Prometheus' text format. Requires METRICS_TOKEN.",
    auth: operator,
    weight: 5,
    answer: Type.String({ description: "Prometheus' text format" }),
    handle: async () => ({
      kind: 'raw',
      status: 200,
      contentType: metrics.contentType,
      text: await metrics.metrics(),
    }),
  });
}
