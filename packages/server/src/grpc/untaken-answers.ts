import { constants, type ServerHttp2Stream } from 'node:http2';

/** Answers that may wait for their clients for longer than a moment. */
const MOST = 4_096;
const MOMENT_MS = 1_000;

/** Calls with an answer that their clients have given no room for yet. The service keeps them no longer than a call may take. */
export class UntakenAnswers {
  readonly #patience: number;
  /** When each was answered, the oldest first. */
  readonly #answered = new Map<ServerHttp2Stream, number>();

  /** @param patience milliseconds that a client has for an answer */
  constructor(patience: number) {
    this.#patience = patience;
  }

  add(stream: ServerHttp2Stream, now = performance.now()): void {
    this.#answered.set(stream, now);
    this.sweep(now);
  }

  delete(stream: ServerHttp2Stream): void {
    this.#answered.delete(stream);
  }

  /** Ends calls whose clients have had their time. */
  sweep(now = performance.now()): void {
    for (const [stream, at] of this.#answered) {
      const age = now - at;
      if (age <= this.#patience && (this.#answered.size <= MOST || age <= MOMENT_MS)) return;
      this.#answered.delete(stream);
      stream.close(constants.NGHTTP2_CANCEL);
    }
  }
}
