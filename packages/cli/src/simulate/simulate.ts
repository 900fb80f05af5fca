// simulate/ runs limits against simulated clients, without a server; shed/, fair/ and workers/ simulate overload, tenants
// and workers of one key. A description of load enters, and a report or a picture leaves. It imports fair/, shed/,
// workers/, random/, limits, charts, terminal, invocation and failure.
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { readLimits } from '../limits/limits.js';
import { decidedInOrder } from '../limits/trial.js';
import type { Terminal } from '../terminal/terminal.js';
import { loadOf } from './load.js';
import { printSimulation } from './print-simulation.js';
import { simulate } from './simulation.js';
import type { SimulatedClient } from './simulated-client.js';
import { reportOf } from './simulation-report.js';
import { readTraces } from './trace-file.js';
import type { Worker } from './workers/worker.js';
import { workersOf } from './workers/workers-report.js';

interface SimulateOptions {
  readonly limits?: readonly string[];
  readonly shed?: string;
  readonly fair?: string;
  readonly against?: readonly string[];
  readonly limiter?: string;
  readonly load: readonly string[];
  readonly for?: number;
  readonly seed: number;
  readonly svg?: string;
  readonly html?: string;
}

/** What a simulation gives. */
interface Simulated {
  /** The document of `--json`. */
  readonly report: object;
  readonly print: (terminal: Terminal) => void;
  /** Made when a file is wanted. */
  readonly picture: () => Promise<{ readonly chart: string; readonly page: string }>;
}

const DURATION = 600_000;
/** Tenants always send. */
const FAIR_DURATION = 10_000;
/** Workers end when all are served. */
const WORKERS_DURATION = 3_600_000;

/** Simulates limits, a shedder or fair shares under a load. */
export async function simulateLoad({ options, terminal }: Invocation<SimulateOptions>): Promise<ExitCode> {
  const { report, print, picture } = await kindOf(options)(options, terminal);
  if (terminal.isJson) terminal.document(report);
  else print(terminal);
  const { svg, html } = options;
  if (svg === undefined && html === undefined) return ExitCode.fine;
  const [{ writeText }, { pictureAlone }, { chart, page }] = await Promise.all([
    import('../charts/write-text.js'),
    import('../charts/picture-alone.js'),
    picture(),
  ]);
  if (svg !== undefined) await writeText('--svg', svg, pictureAlone(chart));
  if (html !== undefined) await writeText('--html', html, page);
  for (const file of [svg, html]) if (file !== undefined) terminal.note(`wrote ${file}`);
  return ExitCode.fine;
}

/** @throws Failure for no kind, and for options of another kind */
function kindOf({ limits, shed, fair, against, limiter, load, for: duration }: SimulateOptions) {
  const given = [limits, shed, fair].filter((each) => each !== undefined);
  if (given.length !== 1) throw usage('write one of --limits 300/1m, --shed 200/s and --fair 20');
  if (limits === undefined && against !== undefined) throw usage('--against: compares --limits only');
  if (limits === undefined && limiter !== undefined) throw usage('--limiter: chooses one of --limits only');
  if (shed !== undefined && duration !== undefined)
    throw usage('--for: with --shed the phases say it: --load times:5/10s');
  if (limits === undefined) return shed === undefined ? ofShares : ofShedder;
  return workersOf(load) === undefined ? ofLimits : ofWorkers;
}

async function ofWorkers(options: SimulateOptions, terminal: Terminal): Promise<Simulated> {
  const { limiter, against, seed } = options;
  if (against !== undefined) throw usage('--against: with --load workers the ways to come back are compared');
  const [{ workersReportOf }, { printWorkers }] = await Promise.all([
    import('./workers/workers-report.js'),
    import('./workers/print-workers.js'),
  ]);
  const tiers = await readLimits<Worker>({ option: '--limits', limiter }, options.limits!);
  const workers = workersOf(options.load)!;
  terminal.progress(`running ${workers} workers`);
  const setup = { workers, duration: options.for ?? WORKERS_DURATION, seed, text: textOf(options) };
  const report = await decidedInOrder(() => workersReportOf(tiers, setup));
  return {
    report,
    print: (to) => printWorkers(report, to),
    async picture() {
      const { workersChart, workersPage } = await import('./workers/workers-picture.js');
      return { chart: workersChart(report), page: workersPage(report) };
    },
  };
}

async function ofLimits(options: SimulateOptions, terminal: Terminal): Promise<Simulated> {
  const { limiter, against: others } = options;
  const candidate = await readLimits<SimulatedClient>({ option: '--limits', limiter }, options.limits!);
  const other = others && (await readLimits<SimulatedClient>({ option: '--against', limiter }, others));
  const { texts, traced } = await readTraces(options.load);
  const load = loadOf(texts, { traced, duration: options.for ?? DURATION, seed: options.seed });
  terminal.progress(`deciding ${load.arrivals.length} requests`);
  const [limits, against] = await decidedInOrder(
    () => [simulate(candidate, load), other && simulate(other, load)] as const,
  );
  const report = reportOf(load, { limits, against, text: textOf(options), seed: options.seed });
  return {
    report,
    print: (to) => printSimulation(report, to),
    async picture() {
      const { simulationChart, simulationPage } = await import('./simulation-picture.js');
      return { chart: simulationChart(report), page: simulationPage(report) };
    },
  };
}

async function ofShedder(options: SimulateOptions, terminal: Terminal): Promise<Simulated> {
  const [{ shedSetupOf }, { shedReportOf }, { printShed }] = await Promise.all([
    import('./shed/shed-setup.js'),
    import('./shed/shed-report.js'),
    import('./shed/print-shed.js'),
  ]);
  const setup = shedSetupOf(options.shed!, options.load, options.seed);
  terminal.progress('running the event loop');
  const report = await shedReportOf(setup, textOf(options));
  return {
    report,
    print: (to) => printShed(report, to),
    async picture() {
      const { shedChart, shedPage } = await import('./shed/shed-picture.js');
      return { chart: shedChart(report), page: shedPage(report) };
    },
  };
}

async function ofShares(options: SimulateOptions, terminal: Terminal): Promise<Simulated> {
  const [{ fairSetupOf }, { fairReportOf }, { printFair }] = await Promise.all([
    import('./fair/fair-setup.js'),
    import('./fair/fair-report.js'),
    import('./fair/print-fair.js'),
  ]);
  const { for: duration = FAIR_DURATION, seed } = options;
  const setup = fairSetupOf(options.fair!, options.load, { duration, seed });
  terminal.progress('running tenants');
  const report = await fairReportOf(setup, textOf(options));
  return {
    report,
    print: (to) => printFair(report, to),
    async picture() {
      const { fairChart, fairPage } = await import('./fair/fair-picture.js');
      return { chart: fairChart(report), page: fairPage(report) };
    },
  };
}

function textOf({ load }: SimulateOptions): string {
  return load.join(' + ');
}
