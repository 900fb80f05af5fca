import { SKIPPED, type ExtraFields, type LogReader, type ReadLine } from '../lines/log-reader.js';
import { separatedBy } from './text-format.js';
import { textReader, type Decoders } from './text-reader.js';

const FIELDS = '#Fields:';
const HASH = 35;
/** Standard logs have 33 fields. A client that forges a header must not make thousands of them. */
const MAX_FIELDS = 256;

/** A reader of a file of CloudFront, whose header names the columns. Lines before the header cannot be read. */
export function cloudFrontReader(extra: ExtraFields): LogReader {
  return headerReader('\t', extra, { decodeValue: decodeTwice, decodeAgent: decodeTwice });
}

/** A reader of a file of IIS, in the same way. It writes the spaces of an agent as plus signs. */
export function iisReader(extra: ExtraFields): LogReader {
  return headerReader(' ', extra, { decodeAgent: (text) => text.replaceAll('+', ' ') });
}

function headerReader(separator: string, extra: ExtraFields, decoders: Decoders): LogReader {
  let read: LogReader | undefined;
  const readLine: ReadLine = (bytes, start = 0, end = bytes.length) => {
    if (bytes[start] !== HASH) return read?.(bytes, start, end);
    const line = bytes.toString('utf8', start, end);
    if (!line.startsWith(FIELDS)) return SKIPPED;
    const names = line.slice(FIELDS.length).trim().split(/\s+/, MAX_FIELDS);
    // A header that was cut off, or one that a client has forged.
    if (!names.includes('c-ip') || !names.includes('date') || !names.includes('time')) return undefined;
    read = textReader(separatedBy(separator, names), extra, decoders);
    return SKIPPED;
  };
  return Object.assign(readLine, {
    isWholeSeconds: () => true,
    rest: () => [],
    hasForwarded: () => read === undefined || read.hasForwarded(),
  });
}

/** CloudFront encodes values, and encodes their percent signs again. */
function decodeTwice(text: string): string {
  return decode(decode(text));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Bytes that are no UTF-8.
    return text;
  }
}
