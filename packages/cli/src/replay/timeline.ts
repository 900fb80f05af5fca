const MAX_BINS = 720;
/** Seconds of a bin. */
const WIDTHS = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 86_400, 604_800, 31_449_600];

/** Counts over a time, in at most 720 bins. */
export class Timeline {
  /** Milliseconds of a bin. */
  readonly width: number;
  /** Milliseconds since 1970, where the first bin begins: a multiple of the width. */
  readonly start: number;
  /** Each ends with its last count above 0. */
  readonly series: readonly number[][];

  /** @param first and `last` time, in milliseconds since 1970 @param series how many counts a bin has */
  constructor(first: number, last: number, series: number) {
    const widths = WIDTHS.map((seconds) => seconds * 1e3);
    const fits = (width: number) => Math.floor(last / width) - Math.floor(first / width) < MAX_BINS;
    this.width = widths.find(fits) ?? last - first + 1;
    this.start = Math.floor(first / this.width) * this.width;
    this.series = Array.from({ length: series }, () => []);
  }

  /** @param time milliseconds, from the first to the last */
  add(time: number, series: number): void {
    const counts = this.series[series]!;
    const bin = Math.floor((time - this.start) / this.width);
    while (counts.length <= bin) counts.push(0);
    counts[bin]! += 1;
  }
}
