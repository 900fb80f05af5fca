import type { Bench, Part, PartResult } from './bench.js';
import { inProcessSeconds, raceInProcess } from './in-process.js';

const RACE = {
  part: 'outage',
  title: 'Redis is down: 10 000 keys, uniform, one after the other',
  contestants: ['Sluice limiter, memory', 'Sluice limiter, Redis down'],
  reference: 'Sluice limiter, memory',
} as const;

/** A limiter whose Redis is down, and one that keeps its limits in memory. */
export const outagePart: Part = {
  plan: (mode) => inProcessSeconds(mode, RACE),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  return { tables: [await raceInProcess(bench, RACE)] };
}
