const MAX_BINS = 720;
/** Seconds of a bin. Each divides the next. */
const WIDTHS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 86_400, 604_800, 31_449_600];

/** Counts over a time whose length is not known before its end. The bins are widened as often as needed. */
export class Timeline {
  /** Milliseconds of a bin. */
  width = 1_000;
  /** Milliseconds since 1970, where the first bin begins: a multiple of the width. Undefined before the first count. */
  start: number | undefined;
  readonly series: number[][];

  /** @param series how many counts a bin has */
  constructor(series: number) {
    this.series = Array.from({ length: series }, () => []);
  }

  /** @param time milliseconds, never before the first one */
  add(time: number, series: number): void {
    this.start ??= floorTo(time, this.width);
    let bin = Math.floor((time - this.start) / this.width);
    while (bin >= MAX_BINS) {
      this.#widen();
      bin = Math.floor((time - this.start) / this.width);
    }
    const counts = this.series[series]!;
    while (counts.length <= bin) counts.push(0);
    counts[bin]! += 1;
  }

  #widen(): void {
    const { width, start } = this;
    this.width = WIDTHS.map((seconds) => seconds * 1e3).find((each) => each > width) ?? width * 2;
    this.start = floorTo(start!, this.width);
    for (const [index, counts] of this.series.entries()) {
      const wide: number[] = [];
      for (const [bin, count] of counts.entries()) {
        const place = Math.floor((start! + bin * width - this.start) / this.width);
        while (wide.length <= place) wide.push(0);
        wide[place]! += count;
      }
      this.series[index] = wide;
    }
  }
}

function floorTo(time: number, width: number): number {
  return Math.floor(time / width) * width;
}
