import { READERS } from './readers.js';
import { TEXTS } from './texts.js';

const MOST_MS = 1;
const { imul } = Math;
/** Rounds of a fixed work that take 1 ms where nothing else runs. */
const ROUNDS = 620_000;
/** Tries until one of them takes no longer: the machine may be busy with other work in most of them. */
const TRIES = 40;
/** After so many tries a text is slow if they have taken so long. */
const FEWEST_TRIES = 8;
const GIVE_UP_MS = 400;
/** Slow texts that are named. */
const SHOWN = 5;

describe('a text of 16 KB', () => {
  it.each(Object.keys(READERS))('takes 1 ms at most, whatever it is (%s)', (name) => {
    const read = READERS[name]!;
    // Compiled code is measured.
    for (const [, text] of TEXTS) read(text.slice(0, 200));

    const slow: string[] = [];
    for (const [shown, text] of TEXTS) {
      const least = leastTime(() => read(text));
      if (least > MOST_MS && least > MOST_MS * slowness()) slow.push(`${shown}: ${least.toFixed(1)} ms`);
      if (slow.length === SHOWN) break;
    }

    expect(slow).toEqual([]);
  });
});

/** How many times slower the machine is now, because others use its cores: at least 1. */
function slowness(): number {
  return Math.max(
    1,
    leastTime(() => work(ROUNDS)),
  );
}

function work(rounds: number): number {
  let hash = 1;
  for (let round = 0; round < rounds; round += 1) hash = (imul(hash ^ (hash >>> 15), 0x85_eb_ca_6b) + round) | 0;
  return hash;
}

/** In milliseconds. */
function leastTime(act: () => unknown): number {
  let least = Infinity;
  const begin = performance.now();
  for (let tries = 0; tries < TRIES && least > MOST_MS; tries += 1) {
    const start = performance.now();
    act();
    const end = performance.now();
    least = Math.min(least, end - start);
    if (tries >= FEWEST_TRIES && end - begin > GIVE_UP_MS) break;
  }
  return least;
}
