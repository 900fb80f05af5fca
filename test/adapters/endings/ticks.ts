import { Readable } from 'node:stream';

/** Ticks until it is destroyed. It fails after some of them if it is to fail. */
export function ticks(failsAfter = Infinity): Readable {
  let count = 0;
  return new Readable({
    read() {
      count += 1;
      if (count > failsAfter) this.destroy(new Error('the source fails'));
      else setTimeout(() => this.push('data: tick\n\n'), 1);
    },
  });
}
