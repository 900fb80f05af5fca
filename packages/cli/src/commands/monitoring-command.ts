import { Command } from 'commander';
import { action } from '../invocation.js';

export function monitoringCommand(): Command {
  return new Command('monitoring')
    .description('write the Grafana dashboard, the Prometheus alerts and their tests')
    .requiredOption('--out <folder>', 'where they go; it is created')
    .action(action(async () => (await import('../monitoring/monitoring.js')).writeMonitoring));
}
