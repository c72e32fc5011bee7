import { alertRules } from './alert-rules.ts';
import { type DocumentedMetric, readMetricsTable } from './metrics-table.ts';

/** The generated files of this folder by name: alert rules and a dashboard. */
export function monitoringFiles(): Readonly<Record<string, string>> {
  const metrics = readMetricsTable();
  return {
    'alerts.yml': formatAlerts(metrics),
    'dashboard.json': `${JSON.stringify(buildDashboard(metrics), null, 2)}\n`,
  };
}

function formatAlerts(metrics: readonly DocumentedMetric[]): string {
  const rules = alertRules.map((rule) => {
    const metric = metrics.find(({ name }) => name === rule.metric);
    if (metric === undefined) throw new Error(`${rule.alert}: no metric ${rule.metric}`);
    return [
      `      - alert: ${rule.alert}`,
      `        expr: ${JSON.stringify(rule.expr)}`,
      `        for: ${rule.for}`,
      '        labels:',
      `          severity: ${rule.severity}`,
      '        annotations:',
      `          summary: ${JSON.stringify(`${rule.metric}: ${metric.says}`)}`,
      `          description: ${JSON.stringify(metric.alarm)}`,
    ].join('\n');
  });
  return [
    '# Written by `npm run docs:monitoring` from deploy/monitoring/alert-rules.ts and docs/alarms.md.',
    'groups:',
    '  - name: openbourse',
    '    rules:',
    ...rules,
    '',
  ].join('\n');
}

const panelsARow = 3;
const panelWidth = 8;
const panelHeight = 7;

function buildDashboard(metrics: readonly DocumentedMetric[]): object {
  return {
    uid: 'openbourse',
    title: 'openbourse',
    description: 'Every metric of docs/alarms.md, in its order.',
    schemaVersion: 39,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [{ name: 'source', type: 'datasource', query: 'prometheus', label: 'Data source' }],
    },
    panels: metrics.map((metric, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: metric.name,
      description: metric.alarm === '-' ? metric.says : `${metric.says}. Alarm: ${metric.alarm}`,
      datasource: { type: 'prometheus', uid: '${source}' },
      gridPos: {
        x: (index % panelsARow) * panelWidth,
        y: Math.floor(index / panelsARow) * panelHeight,
        w: panelWidth,
        h: panelHeight,
      },
      fieldConfig: { defaults: { unit: unitOf(metric.name) }, overrides: [] },
      targets: [{ refId: 'A', expr: queryOf(metric.name) }],
    })),
  };
}

function queryOf(metric: string): string {
  if (/^(http_request_duration|projector_batch)_seconds$/.test(metric)) {
    return `histogram_quantile(0.99, sum by (le) (rate(${metric}_bucket[5m])))`;
  }
  return metric.endsWith('_total') ? `rate(${metric}[5m])` : metric;
}

function unitOf(metric: string): string {
  if (/_seconds(_max)?$/.test(metric)) return 's';
  if (metric.endsWith('_bytes')) return 'bytes';
  return metric.endsWith('_total') ? 'ops' : 'short';
}
