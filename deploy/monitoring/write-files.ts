import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { monitoringFiles } from './monitoring-files.ts';

// npm run docs:monitoring

new Command('docs:monitoring')
  .description('Write the alert rules for Prometheus and the dashboard for Grafana.')
  .allowExcessArguments(false)
  .parse();

for (const [name, text] of Object.entries(monitoringFiles())) {
  writeFileSync(new URL(name, import.meta.url), text);
}
