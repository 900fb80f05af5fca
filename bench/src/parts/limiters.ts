import type { Bench, Part, PartResult } from './bench.js';
import { inProcessSeconds, raceInProcess } from './in-process.js';

const RACE = {
  part: 'limiters',
  title: 'Limiters in memory, without HTTP: 10 000 keys, uniform, one after the other',
  contestants: [
    'Sluice fixed-window, limiter',
    'Sluice limiter, memory, three tiers',
    'rate-limiter-flexible, RateLimiterMemory',
    'hitlimit, limiter',
  ],
  reference: 'Map of counters',
} as const;

/** Whole checks in memory: of few keys, where `memory` has a million. Other peers have no limiter without HTTP. */
export const limitersPart: Part = {
  plan: (mode) => inProcessSeconds(mode, RACE),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  return { tables: [await raceInProcess(bench, RACE)] };
}
