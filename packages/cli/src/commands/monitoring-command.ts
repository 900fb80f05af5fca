import { Command } from 'commander';
import { action } from '../invocation/invocation.js';

export function monitoringCommand(): Command {
  return new Command('monitoring')
    .summary('write the Grafana dashboard and the alerts')
    .description(
      'Writes the dashboard for Grafana, the alerts for Prometheus and their unit tests, as they belong to this version of Sluice.',
    )
    .requiredOption('--out <folder>', 'where they go; it is created')
    .action(action(async () => (await import('../monitoring/monitoring.js')).writeMonitoring));
}
