import { scripts } from '@sluice/core/scripts';
import type { ScriptCalls } from './script-calls.js';

/** Finds keys by looking at all of a server. */
export class KeyScan {
  readonly #calls: ScriptCalls;

  constructor(calls: ScriptCalls) {
    this.#calls = calls;
  }

  /** Pages of the keys of all servers that begin and end with these texts. */
  async *everywhere(begin: string, end: string): AsyncGenerator<readonly string[]> {
    for (const tag of this.#calls.isCluster ? this.#calls.tagsOfPrimaries() : ['~scan'])
      yield* this.pages(`${begin.slice(0, begin.indexOf('{'))}{${tag}}`, { begin, like: `*${end}`, ends: [end] });
  }

  /** Those of a server. @param key one of that server */
  async *pages(key: string, { begin, like, ends }: KeyTexts): AsyncGenerator<readonly string[]> {
    const pattern = `${begin.replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}${like}`;
    let cursor = '0';
    do {
      const reply = await this.#calls.runAside(scripts['scan-keys'], [key], [cursor, pattern, key, ...ends]);
      const [next, keys] = reply as [unknown, unknown[]];
      cursor = String(next);
      yield keys.map(String);
    } while (cursor !== '0');
  }
}

interface KeyTexts {
  readonly begin: string;
  /** A pattern behind that. */
  readonly like: string;
  /** What each of them may end with. */
  readonly ends: readonly string[];
}
