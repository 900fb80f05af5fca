import type { Priority } from '@sluice/overload';
import { binsOf } from '../../charts/bins.js';
import { runProcess } from './busy-process.js';
import type { Phase, Scene, SceneRequest } from './scene.js';
import type { ShedSetup } from './shed-setup.js';

export const PRIORITIES: readonly Priority[] = ['critical', 'normal', 'sheddable'];

export type Counts = Readonly<Record<Priority, number>>;

/** Requests of a phase. */
export interface PhaseReport extends Phase {
  readonly came: Counts;
  /** Answered within a second. */
  readonly served: Counts;
  readonly refused: Counts;
  /** The greatest level of the shedder. */
  readonly level: number;
}

/** The document of `--json`. */
export interface ShedReport {
  readonly load: string;
  readonly seed: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly requests: number;
  readonly clients: number;
  /** Requests a second. */
  readonly capacity: number;
  readonly phases: readonly PhaseReport[];
  /** The same process and requests, with a shedder in mode `off`. */
  readonly without: readonly PhaseReport[];
  /** Milliseconds from the end of the last phase above the capacity until the level is 0 and stays. Absent if it does not. */
  readonly calmAfter?: number;
  /** Milliseconds of a bin of the timelines. */
  readonly width: number;
  /** In each bin, by the time at which requests came. */
  readonly timeline: Readonly<Record<Priority, Readonly<Record<'came' | 'served' | 'refused', readonly number[]>>>>;
  /** The greatest in each bin. */
  readonly levels: readonly number[];
}

/** @throws ConfigError of core */
export async function shedReportOf(setup: ShedSetup, load: string): Promise<ShedReport> {
  const { phases, seed, clients, capacity } = setup;
  const duration = phases.reduce((sum, { lasts }) => sum + lasts, 0);
  const { width, bins } = binsOf(duration);
  const row = () => new Array<number>(bins).fill(0);
  const lines = () => ({ came: row(), served: row(), refused: row() });
  const timeline = { critical: lines(), normal: lines(), sheddable: lines() };
  const levels = row();
  const overloadEnd = endOfOverload(phases);
  let calmAt: number | undefined;
  const binOf = (time: number) => Math.min(bins - 1, Math.floor(time / width));
  const requests: SceneRequest[] = [];
  const counted = await phaseReports(setup, {
    on(kind, request) {
      timeline[request.priority][kind][binOf(request.arrival)]! += 1;
      if (kind === 'came') requests.push(request);
    },
    level(time, level) {
      levels[binOf(time)] = Math.max(levels[binOf(time)]!, level);
      if (level > 0) calmAt = undefined;
      else calmAt ??= time;
    },
  });
  return {
    load,
    seed,
    duration,
    requests: requests.length,
    clients,
    capacity,
    phases: counted,
    without: await phaseReports({ ...setup, requests, shed: { ...setup.shed, mode: 'off' } }),
    ...(overloadEnd !== undefined && calmAt !== undefined && { calmAfter: Math.max(0, calmAt - overloadEnd) }),
    width,
    timeline,
    levels,
  };
}

interface Listener {
  /** @param waited milliseconds, of one that was served */
  on(kind: 'came' | 'served' | 'refused', request: SceneRequest, waited?: number): void;
  level(time: number, level: number): void;
}

/** Runs a scene, and counts by phase. */
export async function phaseReports(scene: Scene, listener?: Listener): Promise<readonly PhaseReport[]> {
  const counts = () => ({ critical: 0, normal: 0, sheddable: 0 });
  const reports = scene.phases.map((phase) => ({
    ...phase,
    came: counts(),
    served: counts(),
    refused: counts(),
    level: 0,
  }));
  const on = (kind: 'came' | 'served' | 'refused') => (request: SceneRequest, waited?: number) => {
    reports[request.phase]![kind][request.priority] += 1;
    listener?.on(kind, request, waited);
  };
  let [phase, end] = [0, scene.phases[0]!.lasts];
  const { run = runProcess } = scene;
  await run(scene, {
    arrived: on('came'),
    served: on('served'),
    refused: on('refused'),
    level(time, level) {
      while (time >= end && phase < reports.length - 1) end += scene.phases[(phase += 1)]!.lasts;
      reports[phase]!.level = Math.max(reports[phase]!.level, level);
      listener?.level(time, level);
    },
  });
  return reports;
}

/** Requests that were answered within a second, as a part of what the process can serve. */
export function goodputOf({ served, lasts }: PhaseReport, capacity: number): number {
  return (served.critical + served.normal + served.sheddable) / ((capacity * lasts) / 1e3);
}

function endOfOverload(phases: readonly Phase[]): number | undefined {
  const last = phases.findLastIndex(({ times }) => times > 1);
  return last < 0 ? undefined : phases.slice(0, last + 1).reduce((sum, { lasts }) => sum + lasts, 0);
}
