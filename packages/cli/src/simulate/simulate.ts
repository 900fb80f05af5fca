import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { readLimits } from '../limits/limits.js';
import { decidedInOrder } from '../limits/trial.js';
import { loadOf } from './load.js';
import { printSimulation } from './print-simulation.js';
import { simulate } from './simulation.js';
import type { SimulatedClient } from './simulated-client.js';
import { reportOf } from './simulation-report.js';
import { readTraces } from './trace-file.js';

interface SimulateOptions {
  readonly limits: readonly string[];
  readonly against?: readonly string[];
  readonly load: readonly string[];
  readonly for: number;
  readonly seed: number;
  readonly svg?: string;
  readonly html?: string;
}

/** Simulates limits under a load. */
export async function simulateLoad({ options, terminal }: Invocation<SimulateOptions>): Promise<ExitCode> {
  const candidate = await readLimits<SimulatedClient>('--limits', options.limits);
  const other = options.against && (await readLimits<SimulatedClient>('--against', options.against));
  const { texts, traced } = await readTraces(options.load);
  const load = loadOf(texts, { traced, duration: options.for, seed: options.seed });
  terminal.progress(`deciding ${load.arrivals.length} requests`);
  const [limits, against] = await decidedInOrder(
    () => [simulate(candidate, load), other && simulate(other, load)] as const,
  );
  const report = reportOf(load, { limits, against, text: options.load.join(' + '), seed: options.seed });
  if (terminal.isJson) terminal.document(report);
  else printSimulation(report, terminal);
  if (options.svg === undefined && options.html === undefined) return ExitCode.fine;
  const [{ writeText }, { simulationSvg, simulationPage }] = await Promise.all([
    import('../charts/write-text.js'),
    import('./simulation-picture.js'),
  ]);
  if (options.svg !== undefined) await writeText('--svg', options.svg, simulationSvg(report));
  if (options.html !== undefined) await writeText('--html', options.html, simulationPage(report));
  for (const file of [options.svg, options.html]) if (file !== undefined) terminal.note(`wrote ${file}`);
  return ExitCode.fine;
}
