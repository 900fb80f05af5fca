import { stringify } from 'yaml';
import { conditionOf, type Alert } from './alerts.js';

/** A file of rules for Prometheus. */
export function ruleFile(group: string, alerts: readonly Alert[], guide: string): string {
  const rules = alerts.map((alert) => ({
    alert: alert.name,
    expr: conditionOf(alert),
    ...(alert.for !== undefined && { for: alert.for }),
    labels: { severity: alert.severity },
    annotations: annotationsOf(alert, guide),
  }));
  return HEADER + stringify({ groups: [{ name: group, rules }] }, { lineWidth: 0 });
}

const HEADER = '# Made by `npm run tool -- monitoring`.\n';

export function annotationsOf({ name, summary, action }: Alert, guide: string) {
  return { summary, description: action, runbook_url: `${guide}#${name.toLowerCase()}` };
}
