/**
 * Which scripts a server got by their text on this connection. It runs the commands of a connection in their order, so a
 * call behind a text goes by the SHA-1: a burst of calls to a server that does not know their script takes one text of 7
 * to 20 kB.
 */
export class SentTexts {
  /** The number of the last call that had the text of a script, by the SHA-1. */
  readonly #texts = new Map<string, number>();
  #calls = 0;

  /** True if a call has had the text. */
  has(sha: string): boolean {
    return this.#texts.has(sha);
  }

  /** Notes a call that is sent now. Returns its number. */
  note(sha: string, by: 'sha' | 'source'): number {
    this.#calls += 1;
    if (by === 'source') this.#texts.set(sha, this.#calls);
    return this.#calls;
  }

  /** The connection is a new one, perhaps to a server that was restarted. */
  forget(): void {
    this.#texts.clear();
  }

  /** True if the text went out behind a call. */
  isBehind(call: number, sha: string): boolean {
    return (this.#texts.get(sha) ?? 0) > call;
  }
}
