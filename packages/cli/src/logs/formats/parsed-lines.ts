import type { ParseLine } from './json-format.js';

const TAB = 9;
/** Other lines of a log can be long, and clients write some of them. */
const MAX_FIELDS = 256;

/** The labels of a line of LTSV. */
export const parseLtsv: ParseLine = (bytes, start, end) => {
  const tab = bytes.indexOf(TAB, start);
  if (tab === -1 || tab >= end) return undefined;
  const fields: [string, string][] = [];
  for (const field of bytes.toString('utf8', start, end).split('\t', MAX_FIELDS)) {
    const colon = field.indexOf(':');
    if (colon <= 0) return undefined;
    // Apache writes its time in brackets.
    fields.push([field.slice(0, colon), field.slice(colon + 1).replace(/^\[(.*)\]$/, '$1')]);
  }
  return Object.fromEntries(fields);
};

// A name begins behind a space: a search from each letter of a long word would take its square.
const PAIR = /(?<=^| )([\w.:-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;
const ROUTER = /^(?:\d+ )?(?:<\d+>1 )?(\d{4}-\d\d-\d\dT\S+) (?:\S+ )?heroku(?:\[router\]:| router -) /;

/** The pairs of a line of Heroku's router, with its time. */
export const parseHeroku: ParseLine = (bytes, start, end) => {
  const line = bytes.toString('utf8', start, end);
  const [prefix, time] = ROUTER.exec(line) ?? [];
  if (prefix === undefined) return undefined;
  const pairs = [...line.slice(prefix.length).matchAll(PAIR)].slice(0, MAX_FIELDS);
  // `service=18ms`
  const values = pairs.map(
    ([, name, quoted, bare = '']) => [name!, quoted ?? bare.replace(/^(\d+)ms$/, '$1')] as const,
  );
  return Object.fromEntries([...values, ['time', time!]]);
};

const SQUID = /^(\d+\.\d{3}) +(-?\d+) (\S+) [A-Z_]+\/(\d{3}) \d+ (\S+) (\S+) (\S+) /;

/** The columns of a line of Squid. */
export const parseSquid: ParseLine = (bytes, start, end) => {
  const [line, time, elapsed, ip, status, method, url, user] = SQUID.exec(bytes.toString('utf8', start, end)) ?? [];
  return line === undefined ? undefined : { time, elapsed, ip, status, method, url, user };
};
