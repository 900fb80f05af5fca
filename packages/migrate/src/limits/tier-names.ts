import { basename } from 'node:path';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';

const LONGEST = 64;

/** The names of tiers in a store, each for one limit: two of one name would be one budget. */
export class TierNames {
  readonly #taken = new Set<string>();
  /** Prefixes of other libraries. */
  readonly #prefixes = new Set<string>();

  /** The first of these that says something, with a number if it is taken. */
  take(...candidates: readonly (string | undefined)[]): string {
    const name = candidates.map((each) => each && withoutEnds(nameable(each))).find(Boolean) || 'limit';
    let free = name;
    for (let count = 2; this.#taken.has(free); count += 1) free = `${name}-${count}`;
    this.#taken.add(free);
    return free;
  }

  /** True for a prefix that a limit before had. */
  sharesKeys(prefix: string): boolean {
    const isShared = this.#prefixes.has(prefix);
    this.#prefixes.add(prefix);
    return isShared;
  }
}

/** What a limit is called in its program: its variable without "limiter", or the file. */
export function nameInProgram(file: SourceFile, call: Syntax): string | undefined {
  const parent = file.parentOf(call);
  const variable = parent?.type === 'VariableDeclarator' && parent.init === call ? (parent.id.name as string) : '';
  const words = variable
    .replace(/(rate)?limit(er|s)?$/i, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();
  return words || basename(file.path).replace(/\..*$/, '');
}

function withoutEnds(text: string): string {
  return text.replace(/^[-:]+|[-:]+$/g, '').slice(0, LONGEST);
}

/** Text of which each character may be in a name. */
export function nameable(text: string): string {
  return text.replaceAll(/[^\w.:/-]+/g, '-');
}
