import { lackOf } from './formats/json-format.js';
import { ANY_JSON } from './formats/formats.js';

/** What files begin with that are no lines of a log, and what to do with them. Bytes that are no UTF-8 are U+FFFD. */
const OTHER_FILES: readonly (readonly [start: RegExp, hand: string])[] = [
  [/^\uFFFD\uFFFD.?\0/s, 'UTF-16: convert it, as iconv -f utf-16 -t utf-8 does'],
  // bzip2, zip, xz and zstd.
  [/^(BZh\d1AY|PK\p{Cc}|\uFFFD7zXZ|\(\uFFFD\/\uFFFD)/u, 'compressed, but not by gzip: unpack it, and pass - for stdin'],
  [/^\s*\[\s*(\{|$)/, "one JSON document: write an object a line, as jq -c '.[]' does"],
];

// A terminal gets colors.
// oxlint-disable-next-line no-control-regex
const COLOR = /\u001B\[[\d;]*m/g;
const METHOD = '(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)';
/** Formats of morgan without a time. */
const MORGAN: readonly (readonly [name: string, line: RegExp, lacks: string])[] = [
  ['dev', new RegExp(`^${METHOD} \\S+ (?:\\d{3}|-) (?:[\\d.]+|-) ms - (?:\\d+|-)`), 'neither an address nor a time'],
  ['tiny', new RegExp(`^${METHOD} \\S+ (?:\\d{3}|-) (?:\\d+|-) - (?:[\\d.]+|-) ms`), 'neither an address nor a time'],
  ['short', new RegExp(`^\\S+ \\S+ ${METHOD} \\S+ HTTP/\\S+ (?:\\d{3}|-) `), 'no time'],
];

/** Why the first lines of a file cannot be read, and what to do. Undefined where nothing is known to be wrong. */
export function problemOf(lines: readonly Buffer[], key: string | undefined): string | undefined {
  const start = lines[0]?.toString('utf8', 0, 64) ?? '';
  return (
    OTHER_FILES.find(([begins]) => begins.test(start))?.[1] ??
    morganProblem(lines) ??
    headerProblem(lines) ??
    jsonProblem(lines, key)
  );
}

function morganProblem(lines: readonly Buffer[]): string | undefined {
  const texts = lines.map((line) => line.toString('latin1').replaceAll(COLOR, ''));
  const found = MORGAN.find(([, pattern]) => texts.some((text) => pattern.test(text)));
  return found && `lines of morgan('${found[0]}') have ${found[2]}: log with morgan('combined')`;
}

const FIELDS = '#Fields:';

/** Of a W3C file, whose header names the columns. */
function headerProblem(lines: readonly Buffer[]): string | undefined {
  const header = lines.map(String).find((line) => line.startsWith(FIELDS));
  if (header === undefined) return undefined;
  const names = header.slice(FIELDS.length).trim().split(/\s+/);
  const missing = ['date', 'time', 'c-ip'].filter((name) => !names.includes(name));
  return missing.length === 0 ? undefined : `the #Fields of this log have no ${missing.join(' and no ')}: log it, too`;
}

/** By default it logs no address. */
const WINSTON = /"meta":\{.*"req":\{.*"res":\{/;

/** What the lines of JSON lack that a request needs. */
function jsonProblem(lines: readonly Buffer[], key: string | undefined): string | undefined {
  if (key === undefined && lines.some((line) => WINSTON.test(line.toString())))
    return "lines of express-winston have no address or no time: pass requestWhitelist: [...expressWinston.requestWhitelist, 'ip'], and format.timestamp()";
  const lack = lackOf(lines, ANY_JSON, key);
  return lack && `no request can be read: the lines have ${lack}`;
}
