import { phaseReports, type PhaseReport } from '../../packages/cli/src/simulate/shed/shed-report.js';
import { REFUSAL } from '../../packages/cli/src/simulate/shed/busy-process.js';

/** What a model of a process does, in milliseconds of its own time: that of `sluice simulate --shed`. */
export interface Scene {
  /** Requests that arrive, as a part of those that the process can serve. */
  readonly load: number;
  /** False for a process that refuses nothing. @default true */
  readonly sheds?: boolean;
  /** The part of the capacity that critical requests take, and that normal ones take. The others are sheddable. @default 0.3 */
  readonly critical?: number;
  readonly normal?: number;
  /** Work of a request. @default 5 */
  readonly work?: number;
  /** How long a request waits for a database before its work. @default 0: it works when it comes */
  readonly database?: number;
  /** When the process stops for 300 ms, such as for a garbage collection. @default never */
  readonly pauseAt?: number;
  readonly seed?: number;
}

export interface Seen extends Pick<PhaseReport, 'came' | 'served' | 'refused'> {
  /** Requests that were answered within a second, as a part of what the process can serve beside its refusals. */
  readonly goodput: number;
  /** The phase before the load. */
  readonly calm: PhaseReport;
  /** Milliseconds from the end of the load until the level is 0 and stays. */
  readonly calmAfter: number;
}

/** Before the load, of it and after it. */
const CALM = 5_000;
const LOAD = 10_000;
const REST = 12_000;
const CALM_LOAD = 0.5;

/** A process in calm, under a load, and in calm again. */
export function runLoop(scene: Scene): Seen {
  const { load, sheds = true, critical = 0.3, normal = 0.3, work = 5, database = 0, seed = 1, pauseAt } = scene;
  const calmLoad = Math.min(load, CALM_LOAD);
  const phases = [
    { times: calmLoad, lasts: CALM },
    { times: load, lasts: LOAD },
    { times: calmLoad, lasts: REST },
  ];
  const shed = { mode: sheds ? 'enforce' : 'off' } as const;
  let calmAt: number | undefined;
  const [calm, { came, served, refused }] = phaseReports(
    { phases, critical, normal, work, database, clients: 1_000, seed, shed, ...(pauseAt !== undefined && { pauseAt }) },
    {
      on() {},
      level(time, level) {
        if (level > 0) calmAt = undefined;
        else calmAt ??= time;
      },
    },
  ) as [PhaseReport, PhaseReport];
  const refusing = (refused.normal + refused.sheddable) * REFUSAL;
  const good = served.critical + served.normal + served.sheddable;
  const calmAfter = Math.max(0, (calmAt ?? Infinity) - CALM - LOAD);
  return { came, served, refused, goodput: (good * work) / (LOAD - refusing), calm, calmAfter };
}
