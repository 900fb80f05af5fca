import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { redisAlerts, sluiceAlerts } from './alerts.js';
import { monitoringFiles } from './files.js';
import { defaults } from './settings.js';

const folder = join(root, 'monitoring');

describe('monitoring/', () => {
  const files = monitoringFiles(defaults);

  it('holds the generated files', () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it.each(Object.keys(files))('has a fresh %s (otherwise run `npm run tool -- monitoring`)', (name) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(files[name]);
  });

  it('has a test that fires for each alert', () => {
    const tests = files['sluice-alerts.test.yml']! + files['sluice-alerts.day.test.yml']!;

    for (const { name } of [...sluiceAlerts(defaults), ...redisAlerts]) {
      expect(tests).toContain(`alertname: ${name}\n`);
    }
  });

  it('has a section of its page for each alert', () => {
    const page = readFileSync(join(root, defaults.guide.replace('https://unpkg.com/@sluice/prometheus/', '')), 'utf8');

    for (const { name } of [...sluiceAlerts(defaults), ...redisAlerts]) expect(page).toContain(`\n## ${name}\n`);
  });

  it('has the names of the JavaScript SDK on request', () => {
    const otel = monitoringFiles({ ...defaults, names: 'otel-js' });

    expect(otel['sluice-alerts.yml']).toContain('sluice_call_duration_bucket');
    expect(otel['sluice-dashboard.json']).not.toContain('_seconds');
  });
});
