const CHUNK = 1_024;

/**
 * Numbers by row, in chunks: it never moves what it has, because a copy of 100 000 numbers stops the process for 10 ms
 * and more where memory is new to it.
 */
export class Column {
  readonly #chunks: Float64Array[] = [];

  /** 0 if it was never set. */
  get(row: number): number {
    return this.#chunks[Math.floor(row / CHUNK)]?.[row % CHUNK] ?? 0;
  }

  set(row: number, value: number): void {
    while (this.#chunks.length * CHUNK <= row) this.#chunks.push(new Float64Array(CHUNK));
    this.#chunks[Math.floor(row / CHUNK)]![row % CHUNK] = value;
  }
}
