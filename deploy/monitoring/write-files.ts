import { writeFileSync } from 'node:fs';
import { monitoringFiles } from './monitoring-files.ts';

// npm run docs:monitoring: the alert rules for Prometheus and the dashboard for Grafana.

for (const [name, text] of Object.entries(monitoringFiles())) {
  writeFileSync(new URL(name, import.meta.url), text);
}
