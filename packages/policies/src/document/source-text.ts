import { ConfigError, type ErrorCode } from '@sluice/core';
import { createHash } from 'node:crypto';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';

/** More is no file that a person compares with the one before it. */
export const MAX_BYTES = 512 * 1024;

/** The deepest value of a tier is in level 7. Thousands of levels keep the parser busy for minutes. */
const MAX_DEPTH = 32;
const NESTED_LISTS = new RegExp(`(?:[-?] ){${MAX_DEPTH}}`);

/** The parser looks through all of them for each. */
const MAX_ALIASES = 1_000;

/** The way to a value: `['limiters', 'api', 'tiers', 0, 'window']`. */
export type Path = readonly (string | number)[];

/** A text in YAML or JSON that knows where each of its values is. */
export class SourceText {
  /** The name in messages. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha: string;
  /** What the text says, of plain objects and arrays. */
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  /** @throws ConfigError OPTION_INVALID with line and column, for a text that is not YAML 1.2 */
  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_BYTES) {
      throw this.#error(`${name} must have at most ${MAX_BYTES / 1024} KB, got ${Math.ceil(bytes / 1024)} KB`);
    }
    if (isTooDeep(text)) throw this.#error(`${name} must not be nested in more than ${MAX_DEPTH} levels`);
    this.sha = createHash('sha256').update(text).digest('hex');
    try {
      // The parser compares each key of a map with all keys before it. A set needs one look-up.
      this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: false });
      const { errors, warnings } = this.#document;
      const [first] = [...errors, ...warnings];
      const mistake = first ? { offset: first.pos[0], rule: first.message } : mistakeIn(this.#document);
      if (mistake) throw this.#error(`${this.#placeAt(mistake.offset)} ${mistake.rule}`);
      this.value = this.#document.toJS({ maxAliasCount: 100 });
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause;
      // Of aliases that multiply.
      throw this.#error(`${name} cannot be read: ${(cause as Error).message}`);
    }
  }

  /** `limits.yaml:9:15`: where a value is, or the nearest one around it. @param part the name of the value, or the value */
  place(path: Path, part: 'name' | 'value' = 'value'): string {
    return this.#placeAt(this.#offset(path, part));
  }

  /** The error for a value. */
  fail(path: Path, message: string, { code = 'OPTION_INVALID', part = 'value', cause }: Failure = {}): ConfigError {
    const option = String(path.at(-1) ?? '');
    const text = `${this.place(path, part)} ${message}`;
    return new ConfigError(code, option, undefined, text, cause === undefined ? undefined : { cause });
  }

  #placeAt(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.name}:${line}:${col}`;
  }

  #offset(path: Path, part: 'name' | 'value'): number {
    let node: unknown = this.#document.contents;
    let offset = startOf(node) ?? 0;
    for (const [index, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(this.#document);
      const found = childOf(node, step);
      if (found === undefined) return offset;
      const isName = part === 'name' && index === path.length - 1;
      offset = startOf(isName ? found.name : found.value) ?? startOf(found.name) ?? offset;
      node = found.value;
    }
    return offset;
  }

  #error(message: string): ConfigError {
    return new ConfigError('OPTION_INVALID', 'file', undefined, message);
  }
}

interface Failure {
  readonly code?: ErrorCode;
  readonly part?: 'name' | 'value';
  readonly cause?: unknown;
}

interface Mistake {
  readonly offset: number;
  readonly rule: string;
}

/** What YAML forbids, or what would keep the process busy. */
function mistakeIn(document: Document.Parsed): Mistake | undefined {
  let mistake: Mistake | undefined;
  let aliases = 0;
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) || node.anchor !== undefined) aliases += 1;
      const twice = isMap(node) ? keyTwiceIn(node) : undefined;
      if (aliases > MAX_ALIASES) {
        mistake = { offset: startOf(node) ?? 0, rule: `there must be at most ${MAX_ALIASES} anchors and aliases` };
      } else if (twice !== undefined) mistake = { offset: startOf(twice) ?? 0, rule: 'Map keys must be unique' };
      return mistake && visit.BREAK;
    },
  });
  return mistake;
}

/** A key that its map has before. */
function keyTwiceIn({ items }: YAMLMap): unknown {
  const known = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (known.has(name)) return key;
    known.add(name);
  }
  return undefined;
}

function childOf(
  node: unknown,
  step: string | number,
): { readonly name: unknown; readonly value: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number') return { name: node.items[step], value: node.items[step] };
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
  return pair && { name: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}

/** Counts brackets, also those in texts: more of them open than any file has. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return NESTED_LISTS.test(text);
}
