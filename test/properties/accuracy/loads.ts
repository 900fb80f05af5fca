import type { Random } from '../twin/random.js';

export interface Load {
  readonly name: string;
  /** Starts again. Returns a function of the milliseconds until the next request. */
  readonly begin: (random: Random) => () => number;
}

/** Loads on a limit of so many a window, in milliseconds. */
export function loadsOn(limit: number, window: number): readonly Load[] {
  return [0.8, 1, 1.3]
    .map((factor) => poisson(`Poisson ${factor.toFixed(1)}x`, (limit * factor) / window))
    .concat(onAndOff(limit, window));
}

function poisson(name: string, rate: number): Load {
  return { name, begin: (random) => () => pause(random, rate) };
}

/** Four times the limit for about half a window and a tenth of it for about a whole one, in turns. */
function onAndOff(limit: number, window: number): Load {
  return {
    name: 'Bursts',
    begin(random) {
      let left = 0;
      let on = false;
      return () => {
        const milliseconds = pause(random, (limit / window) * (on ? 4 : 0.1));
        left -= milliseconds;
        if (left > 0) return milliseconds;
        on = !on;
        left = window * (on ? 0.5 : 1) * (0.5 + random.fraction());
        return milliseconds;
      };
    },
  };
}

function pause(random: Random, rate: number): number {
  return -Math.log(1 - random.fraction()) / rate;
}
