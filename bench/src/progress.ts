/** A line with the current part, its progress and the time left. */
export class Progress {
  #part = '';
  #did = 0;
  #all = 1;
  #began = 0;
  #shown = 0;
  readonly #start: number;

  constructor(
    readonly stream: NodeJS.WriteStream,
    readonly now: () => number = Date.now,
  ) {
    this.#start = now();
  }

  /** Begins something of so many slices. */
  begin(part: string, slices: number): void {
    this.#part = part;
    this.#did = 0;
    this.#all = slices;
    this.#began = this.now();
    if (!this.stream.isTTY) this.stream.write(`${this.#minutes()}  ${part}\n`);
    this.#show();
  }

  step(): void {
    this.#did += 1;
    if (this.now() - this.#shown >= 100) this.#show();
  }

  end(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }

  /** Since the run began, such as 2:07. */
  #minutes(): string {
    const seconds = Math.floor((this.now() - this.#start) / 1e3);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  #show(): void {
    if (!this.stream.isTTY) return;
    this.#shown = this.now();
    const passed = (this.#shown - this.#began) / 1e3;
    const left = this.#did === 0 ? '' : `, ${Math.ceil((passed / this.#did) * (this.#all - this.#did))} s left`;
    const line = `${this.#minutes()}  ${this.#part}: ${this.#did} of ${this.#all} slices${left}`;
    this.stream.write(`\r\u001b[K${line.slice(0, (this.stream.columns ?? 80) - 1)}`);
  }
}
