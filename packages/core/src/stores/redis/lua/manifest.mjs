// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/.

/** The functions of each algorithm, by its code. */
const algorithms = {
  fw: ['fixed-window'],
  sw: ['slots', 'sliding-window'],
  sl: ['sliding-window-log'],
  tb: ['token-bucket'],
  lb: ['token-bucket', 'leaky-bucket'],
  mw: ['slots', 'multi-window'],
};
/** The same with one entry for requests of several algorithms. A script that defines less starts sooner. */
const choices = { ...algorithms, any: [...new Set(Object.values(algorithms).flat())] };

/** The fast path of each algorithm for single units. */
const fastUnits = {
  fw: 'fixed-window.fast-units',
  sw: 'sliding-window.fast-units',
  sl: 'units.every-key',
  tb: 'token-bucket.fast-units',
  lb: 'token-bucket.fast-units',
  mw: 'units.every-key',
};

/** The fast path of each algorithm for uniform groups. */
const fastGroups = {
  fw: 'fixed-window.fast-groups',
  sw: 'sliding-window.fast-groups',
  tb: 'token-bucket.fast-groups',
};

const begin = ['prelude', 'reply-numbers', 'clock'];
const decideGroups = ['group', 'record-text', 'consume'];

/** The part that replies with numbers, and the one that takes its place for clients that read bytes. */
export const replyParts = { plain: 'reply-numbers', packed: 'reply-numbers.packed' };

/** @type {Readonly<Record<string, readonly string[]>>} */
export const scripts = {
  ...each('consume', choices, (_, own) => [...begin, 'algorithms', ...own, ...decideGroups]),
  ...each('groups', fastGroups, (code, fast) => [
    ...begin,
    'groups.read',
    fast,
    'groups.rest',
    'algorithms',
    ...algorithms[code],
    ...decideGroups,
  ]),
  ...each('units', fastUnits, (code, fast) => [...begin, fast, 'algorithms', ...algorithms[code], 'units']),
  ...each('refund', choices, (_, own) => ['prelude', 'clock', 'algorithms', ...own, 'refund']),
  record: ['prelude', 'record-text', 'record'],
  reset: ['reset'],
  inspect: ['inspect'],
  eviction: ['eviction'],
};

/**
 * A script for each entry of a table: `consume-fw`, `consume-sw`.
 *
 * @template {string} Code
 * @template Own
 * @param {string} name
 * @param {Readonly<Record<Code, Own>>} table
 * @param {(code: Code, own: Own) => readonly string[]} partsOf
 * @returns {Record<string, readonly string[]>}
 */
function each(name, table, partsOf) {
  const entries = /** @type {[Code, Own][]} */ (Object.entries(table));
  return Object.fromEntries(entries.map(([code, own]) => [`${name}-${code}`, partsOf(code, own)]));
}
