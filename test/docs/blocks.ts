import type { Page } from './pages.js';

/**
 * A block of TypeScript on a page. A block marked `run` is a program, and the block of text after it is its output. A
 * folded block between them continues the program.
 */
export interface Block {
  /** Its page and first line: `docs/guide/redis.md:12`. */
  readonly place: string;
  readonly code: string;
  /** The code without the folded block. */
  readonly own: string;
  readonly runs: boolean;
  readonly output: string | undefined;
}

const FENCE =
  /^```ts( run)?\n([^]*?)^```$(?:\n\n<details>\n<summary>.*<\/summary>\n\n```ts\n([^]*?)^```$\n\n<\/details>)?(?:\n\n^```text\n([^]*?)^```$)?/gm;

export function blocksOf({ path, text }: Page): readonly Block[] {
  return [...text.matchAll(FENCE)].map(([, runs, code = '', folded = '', output], index, all) => ({
    place: `${path}:${text.slice(0, all[index]!.index).split('\n').length}`,
    code: code + folded,
    own: code,
    runs: runs !== undefined,
    output,
  }));
}
