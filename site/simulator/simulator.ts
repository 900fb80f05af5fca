import { typedTier } from '../../packages/cli/src/limits/typed-tier.js';
import { loadOf } from '../../packages/cli/src/simulate/load.js';
import type { SimulatedClient } from '../../packages/cli/src/simulate/simulated-client.js';
import { simulate } from '../../packages/cli/src/simulate/simulation.js';
import { reportOf, type SimulationReport } from '../../packages/cli/src/simulate/simulation-report.js';
import { parseTime } from '../../packages/cli/src/invocation/time.js';

export { simulationChart } from '../../packages/cli/src/simulate/simulation-picture.js';
export { countText, shareText, windowText } from '../../packages/cli/src/terminal/figures.js';
export { showTime } from '../../packages/metrics/src/operations/show-time.js';

/** What `sluice simulate` takes, as its options are written. */
export interface SimulatorTexts {
  readonly limits: string;
  readonly against?: string | undefined;
  readonly load: readonly string[];
  readonly for: string;
  readonly seed: string;
}

/** More keep a phone busy for seconds. */
const MOST = 200_000;

/**
 * The document that `sluice simulate --json` prints.
 *
 * @throws Failure, ConfigError for texts that the command refuses
 */
export function simulator(texts: SimulatorTexts): SimulationReport {
  const duration = parseTime(texts.for);
  if (duration === undefined) throw new Error(`--for ${texts.for}: write a duration such as 30s, 10m or 1h`);
  const seed = Number(texts.seed);
  const load = loadOf(texts.load, { duration, seed, most: MOST });
  const limits = simulate([typedTier<SimulatedClient>('--limits', texts.limits)], load);
  const against = texts.against && simulate([typedTier<SimulatedClient>('--against', texts.against)], load);
  return reportOf(load, { limits, against: against || undefined, text: texts.load.join(' + '), seed });
}
