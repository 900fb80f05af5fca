import { alertTests, dayTests } from './alert-tests.js';
import { redisAlerts, sluiceAlerts } from './alerts.js';
import { dashboardOf } from './dashboard.js';
import { ruleFile } from './rule-file.js';
import { defaults, type Settings } from './settings.js';

/** The files of monitoring/ by name. The tests of alerts hold for the default settings. */
export function monitoringFiles(settings: Settings): Readonly<Record<string, string>> {
  return {
    'sluice-dashboard.json': `${JSON.stringify(dashboardOf(settings), null, 2)}\n`,
    'sluice-alerts.yml': ruleFile('sluice', sluiceAlerts(settings), settings.guide),
    'redis-alerts.yml': ruleFile('sluice-redis', redisAlerts, settings.guide),
    ...(settings === defaults && {
      'sluice-alerts.test.yml': alertTests(),
      'sluice-alerts.day.test.yml': dayTests(),
    }),
  };
}
