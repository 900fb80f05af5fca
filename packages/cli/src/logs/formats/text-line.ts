import { isAt, type Span } from '../lines/span.js';
import { bytesHash } from '../lines/text-hash.js';
import type { TextFormat } from './text-format.js';

const QUOTE = 34;
const BACKSLASH = 92;
const DASH = 45;

/** The first columns are addresses, lists of them, hosts and users: a line of another format may be long. */
const FIRST = 3;
const LONGEST_FIRST = 2_048;

/** Where the columns of a line are. Columns are found in its bytes, because a string for each takes longer. */
export class TextLine {
  bytes: Buffer = Buffer.alloc(0);
  /** Of each column. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #separators: readonly Uint8Array[];
  readonly #isQuoted: readonly boolean[];
  /** The last column that is always needed. */
  readonly #last: number;
  /** The last column that was found. */
  #found = -1;
  #end = 0;
  readonly #span: Span = { bytes: this.bytes, start: 0, end: 0 };
  /** Of the block that the line is in. */
  #view = new DataView<ArrayBufferLike>(new ArrayBuffer(0));

  constructor({ names, separators }: TextFormat, last: number) {
    this.starts = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
    this.#separators = separators.map((text) => Buffer.from(text));
    this.#isQuoted = names.map(
      (_, index) => separators[index]!.endsWith('"') && separators[index + 1]!.startsWith('"'),
    );
    this.#last = last;
  }

  /** Finds the columns up to the last one that is needed. False for a line of another format. */
  split(bytes: Buffer, start: number, end: number): boolean {
    this.bytes = bytes;
    this.#end = end;
    const prefix = this.#separators[0]!;
    if (!isAt(bytes, prefix, start, end)) return false;
    let position = start + prefix.length;
    for (let index = 0; index <= this.#last; index += 1) {
      const separator = this.#separators[index + 1]!;
      const columnEnd = this.#endOf(index, position);
      this.starts[index] = position;
      this.#found = index;
      if (columnEnd === -1) {
        // The last columns of a format may be missing, such as those of combined in common.
        this.ends[index] = end;
        return index === this.#last && !this.#isQuoted[index] && position < end;
      }
      // A quote in the middle of what should be the separator: this line is of another format.
      if (this.#isQuoted[index] && columnEnd + 1 < end && !isAt(bytes, separator, columnEnd, end)) return false;
      this.ends[index] = columnEnd;
      position = columnEnd + separator.length;
    }
    return true;
  }

  /** The text of a column. Empty for -1, and for one that the line does not have. */
  text(column: number): string {
    if (column === -1) return '';
    // A line is a request also without its last columns.
    while (this.#found < column) if (!this.#findNext()) return '';
    return this.bytes.toString('utf8', this.starts[column], this.ends[column]);
  }

  /** The bytes of a column up to the last one that is needed. They can be read until those of another one are. */
  span(column: number): Span {
    const span = this.#span;
    span.bytes = this.bytes;
    span.start = this.starts[column]!;
    span.end = this.ends[column]!;
    return span;
  }

  /** A number that equal texts of a column share. 0 for a column that is empty, a dash, or not there. */
  hash(column: number): number {
    if (column === -1) return 0;
    const last = this.#isQuoted[column] && column === this.starts.length - 1 ? this.#startOfLast() : -1;
    if (last !== -1) return this.#hashOf(last, this.#end - 1);
    while (this.#found < column) if (!this.#findNext()) return 0;
    return this.#hashOf(this.starts[column]!, this.ends[column]!);
  }

  /** Of a quoted column that ends a line, because the columns before it need not be found. -1 for another end. */
  #startOfLast(): number {
    const { bytes } = this;
    const least = this.ends[this.#last]!;
    let start = this.#end - 1;
    if (bytes[start] !== QUOTE) return -1;
    while (start > least && bytes[start - 1] !== QUOTE) start -= 1;
    return start > least && start < this.#end - 1 ? start : -1;
  }

  #hashOf(start: number, end: number): number {
    const { bytes } = this;
    if (end === start || (end - start === 1 && bytes[start] === DASH)) return 0;
    const { buffer, byteOffset } = bytes;
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return bytesHash(this.#view, byteOffset + start, byteOffset + end);
  }

  #findNext(): boolean {
    const next = this.#found + 1;
    const start = this.ends[next - 1]! + this.#separators[next]!.length;
    const end = start > this.#end ? -1 : this.#endOf(next, start);
    if (end === -1) return false;
    this.starts[next] = start;
    this.ends[next] = end;
    this.#found = next;
    return true;
  }

  /** Where the column that begins at a position ends. -1 for a column that does not end. */
  #endOf(index: number, position: number): number {
    const separator = this.#separators[index + 1]!;
    if (this.#isQuoted[index]) return closingQuote(this.bytes, position, this.#end);
    if (index < FIRST && separator.length > 0)
      return positionOf(this.bytes, separator, position, Math.min(this.#end, position + LONGEST_FIRST));
    return separator.length === 0 ? this.#end : positionOf(this.bytes, separator, position, this.#end);
  }
}

/** The position of the next quote that is not escaped. */
function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at;
  }
  return -1;
}

function positionOf(bytes: Buffer, separator: Uint8Array, from: number, end: number): number {
  const first = separator[0];
  for (let at = from; at < end; at += 1) if (bytes[at] === first && isAt(bytes, separator, at, end)) return at;
  return -1;
}
