import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alertRules } from '../../deploy/monitoring/alert-rules.ts';
import { readMetricsTable } from '../../deploy/monitoring/metrics-table.ts';
import { monitoringFiles } from '../../deploy/monitoring/monitoring-files.ts';
import { projectRoot } from '../architecture/source-files.ts';

// What operators start from: no container and no supervisor runs here, so files are checked as far
// as their own tools and a comparison with the code can.

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const metrics = readMetricsTable().map(({ name }) => name);

function hasProgram(name: string): boolean {
  return spawnSync('which', [name]).status === 0;
}

describe('monitoring', () => {
  test('alert rules and dashboard are generated from the table of metrics', () => {
    for (const [name, text] of Object.entries(monitoringFiles())) {
      expect(read(`deploy/monitoring/${name}`), `npm run docs:monitoring writes ${name}`).toBe(
        text,
      );
    }
  });

  test('every alert watches a metric of docs/alarms.md, in its expression too', () => {
    expect(alertRules.length).toBeGreaterThan(10);
    for (const { metric, expr } of alertRules) {
      expect(metrics).toContain(metric);
      expect(expr).toContain(metric);
    }
  });

  test.skipIf(!hasProgram('promtool'))(
    'promtool accepts the alert rules (skipped if the Debian package prometheus is not installed)',
    () => {
      const file = join(projectRoot, 'deploy/monitoring/alerts.yml');
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
        encoding: 'utf8',
      });
      expect(`${stdout}${stderr}`).toContain(`${alertRules.length} rules found`);
      expect(status).toBe(0);
    },
  );
});

describe('containers and supervisors', () => {
  const runs = /"?node"?,? "?--max-semi-space-size=64"?,? "?tools\/run\.mjs"?,? "?main"?/;

  test('image, unit and npm start run the same program with the same options', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    expect(scripts.start).toMatch(runs);
    expect(read('Dockerfile')).toMatch(runs);
    expect(read('deploy/openbourse.service')).toMatch(runs);
  });

  test('the image runs as an unprivileged user, and reports whether it is healthy', () => {
    const image = read('Dockerfile');
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/^HEALTHCHECK [^]*\/healthz/m);
    for (const [, path = ''] of image.matchAll(/^CMD .*"([a-z]+\/[a-z.]+)"/gm)) {
      expect(existsSync(join(projectRoot, path))).toBe(true);
    }
  });

  test('compose names three processes that share database, messaging and secrets', () => {
    const compose = read('compose.yaml');
    expect(compose.match(/^ {2}exchange-\d:\n {4}<<: \*exchange$/gm)).toHaveLength(3);
    for (const shared of ['DATABASE_URL', 'NATS_URL', 'JWT_SECRET', 'SECRETS_KEY']) {
      expect(compose).toMatch(new RegExp(`^ +${shared}: `, 'm'));
    }
  });

  test.skipIf(!hasProgram('systemd-analyze'))(
    'systemd accepts the unit (skipped if systemd is not installed)',
    () => {
      const unit = join(projectRoot, 'deploy/openbourse.service');
      const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
      expect(stderr.split('\n').filter((line) => line.includes('openbourse.service'))).toEqual([]);
    },
  );
});
