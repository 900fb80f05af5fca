import { collectMetrics } from '@sluice/metrics';
import type { ContestantFile, Runner, Setting } from '../contestant.js';

/** A contestant whose process counts metrics. */
export async function withMetrics(contestant: ContestantFile, setting: Setting): Promise<Runner> {
  const metrics = collectMetrics();
  const runner = await contestant.open(setting);
  return {
    ...runner,
    close() {
      metrics.stop();
      return runner.close?.();
    },
  };
}
