import { READERS, type Read } from './readers.js';
import { LENGTH, TEXTS, type Writer } from './texts.js';

/** Shorter times are too short to compare, and do no harm. */
const SHORT_MS = 1;
const TIMES = 16;
/** Sixteen times the text takes 16 times as long where time grows with the length, and 256 times with its square. */
const MOST_GROWTH = 64;
/** A reader may bound what it reads, as by 8 KB. */
const LENGTHS = [LENGTH, LENGTH / 2, LENGTH / 4];
/** Tries until one of them is short: the machine may be busy with other work in most of them. */
const TRIES = 100;
/** After so many tries the shortest counts, if they have taken so long. */
const FEWEST_TRIES = 8;
const GIVE_UP_MS = 400;
/** Slow texts that are named. */
const SHOWN = 5;

const texts = TEXTS.map(([name, write]) => [name, write, write(LENGTH)] as const);

describe('a reader of a text of 16 KB', () => {
  it.each(Object.keys(READERS))('takes time that grows with its length, not with its square (%s)', (name) => {
    const read = READERS[name]!;
    // Compiled code is measured.
    for (const [, , text] of texts) read(text.slice(0, 200));

    const slow: string[] = [];
    for (const [shown, write, text] of texts) {
      if (leastTime(() => read(text)) > SHORT_MS && isSlow(read, write)) slow.push(shown);
      if (slow.length === SHOWN) break;
    }

    expect(slow).toEqual([]);
  });

  it.each([
    ['the length', LENGTH],
    ['what it reads of the length', LENGTH / 2],
  ])('is found if its time grows with the square of %s', (_what, most) => {
    const dots: Writer = (length) => '.'.repeat(length);
    const linear = (text: string, end = text.length) => {
      let found = 0;
      for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 0) found += 1;
      return found;
    };
    const quadratic = (text: string) => {
      let found = 0;
      for (let end = 0; end < Math.min(most, text.length); end += 16) found += linear(text, end);
      return found;
    };

    expect([isSlow(quadratic, dots), isSlow((text) => linear(text), dots)]).toEqual([true, false]);
  });
});

/** Whether a text takes much more than 16 times as long as a sixteenth of it. */
function isSlow(read: Read, write: Writer): boolean {
  return LENGTHS.some((length) => timeOf(read, write(length)) > MOST_GROWTH * timeOf(read, write(length / TIMES)));
}

/** The shortest of many calls: the others wait for the machine, the compiler or the garbage collector. */
function timeOf(read: Read, text: string): number {
  return leastTime(() => read(text), 0);
}

/** In milliseconds. @param enough a time that ends the tries */
function leastTime(act: () => unknown, enough = SHORT_MS): number {
  let least = Infinity;
  const begin = performance.now();
  for (let tries = 0; tries < TRIES && least > enough; tries += 1) {
    least = Math.min(least, timed(act));
    if (tries >= FEWEST_TRIES && performance.now() - begin > GIVE_UP_MS) break;
  }
  return least;
}

function timed(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
