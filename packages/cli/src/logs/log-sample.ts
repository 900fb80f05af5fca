import { detectFormat } from './formats/detect-format.js';
import { LINE_FEED, lineEnd } from './log-blocks.js';
import { ENVELOPES, type OpenEnvelope } from './line-envelope.js';
import type { LogFormat } from './lines/log-reader.js';

/** Lines that usually tell the format. */
const FEW = 50;
/** Lines by which a format is detected where a program says other things first. */
const MANY = 1_000;

/** How a file is read. */
export interface FoundFormat {
  readonly format: LogFormat;
  /** Undefined for lines without anything around them. */
  readonly open: OpenEnvelope | undefined;
  /** The first lines, without what is around them. */
  readonly lines: readonly Buffer[];
}

/** The first lines of a block that are not blank. */
export function sampleOf(block: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < block.length && lines.length < MANY;) {
    const feed = block.indexOf(LINE_FEED, start);
    const end = feed === -1 ? block.length : feed;
    const line = block.subarray(start, Math.max(start, lineEnd(block, end)));
    if (line.toString().trim() !== '') lines.push(line);
    start = end + 1;
  }
  return lines;
}

/**
 * The format of some lines, and what is around each of them. Undefined where no format reads any.
 *
 * @param formats to choose from. @default all with a name
 */
export function findFormat(
  lines: readonly Buffer[],
  { key, formats }: { readonly key: string | undefined; readonly formats: readonly LogFormat[] | undefined },
): FoundFormat | undefined {
  const few = lines.slice(0, FEW);
  const bare = detectFormat(few, key, formats);
  if (bare !== undefined && bare.requests * 2 > few.length) return { format: bare.format, open: undefined, lines };
  let [best, most]: [FoundFormat | undefined, number] = [undefined, 0];
  for (const open of [undefined, ...ENVELOPES]) {
    const opened = open === undefined ? lines : lines.map((line) => openedLine(line, open));
    const detected = detectFormat(opened, key, formats);
    if (detected === undefined || detected.requests <= most) continue;
    [best, most] = [{ format: detected.format, open, lines: opened }, detected.requests];
  }
  return best;
}

function openedLine(line: Buffer, open: OpenEnvelope): Buffer {
  const span = { bytes: line, start: 0, end: line.length };
  open(span);
  return span.bytes.subarray(span.start, span.end);
}
