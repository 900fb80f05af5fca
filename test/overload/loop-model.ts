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
  /** When a timer of the process stops it, and for how long. @default never */
  readonly pause?: { readonly at: number; readonly lasts: number };
  /** Before the load and after it, as a part of the capacity. @default 0.5 */
  readonly calmLoad?: number;
  /** @default one */
  readonly accepts?: 'one' | 'all';
  /** @default kept */
  readonly connections?: 'new' | 'kept';
  readonly seed?: number;
}

export interface Seen extends Pick<PhaseReport, 'came' | 'served' | 'refused'> {
  /** Requests that were answered within a second, as a part of what the process can serve beside its refusals. */
  readonly goodput: number;
  /** The phase before the load. */
  readonly calm: PhaseReport;
  /** Milliseconds from the end of the load until the level is 0 and stays. */
  readonly calmAfter: number;
  /** Seconds of the load of whose requests none was served. */
  readonly silent: number;
  /** Milliseconds that 99 of 100 requests of the load waited at most which were served. */
  readonly p99: number;
}

/** Milliseconds before the load, of it and after it. */
export const CALM = 5_000;
const LOAD = 10_000;
const REST = 12_000;

/** A process in calm, under a load, and in calm again. */
export async function runLoop(scene: Scene): Promise<Seen> {
  const { load, sheds = true, critical = 0.3, normal = 0.3, work = 5, database = 0, seed = 1, pause } = scene;
  const { calmLoad = Math.min(load, 0.5), accepts = 'one', connections = 'kept' } = scene;
  const phases = [
    { times: calmLoad, lasts: CALM },
    { times: load, lasts: LOAD },
    { times: calmLoad, lasts: REST },
  ];
  const shed = { mode: sheds ? 'enforce' : 'off' } as const;
  const parts = { critical, normal, work, database, accepts, connections };
  const answered = new Set<number>();
  const times: number[] = [];
  let calmAt: number | undefined;
  const [calm, { came, served, refused }] = (await phaseReports(
    { phases, ...parts, clients: 1_000, seed, shed, ...(pause && { pause }) },
    {
      on(kind, { arrival, phase }, waited) {
        if (kind !== 'served') return;
        answered.add(Math.floor((arrival - CALM) / 1_000));
        if (phase === 1) times.push(waited!);
      },
      level(time, level) {
        if (level > 0) calmAt = undefined;
        else calmAt ??= time;
      },
    },
  )) as [PhaseReport, PhaseReport];
  const refusing = (refused.normal + refused.sheddable) * REFUSAL;
  const good = served.critical + served.normal + served.sheddable;
  const calmAfter = Math.max(0, (calmAt ?? Infinity) - CALM - LOAD);
  const silent = Array.from({ length: LOAD / 1_000 }).filter((_, second) => !answered.has(second)).length;
  const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
  return { came, served, refused, goodput: (good * work) / (LOAD - refusing), calm, calmAfter, silent, p99 };
}
