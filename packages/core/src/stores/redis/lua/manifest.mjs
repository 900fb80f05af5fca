// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/.

/** The parts of each algorithm, by its code. */
const algorithms = {
  fw: ['fixed-window.packing', 'fixed-window'],
  sw: ['log.packing', 'slots.packing', 'log', 'slots', 'sliding-window'],
  sl: ['sliding-window-log'],
  tb: ['token-bucket.expiry', 'token-bucket'],
  lb: ['token-bucket.expiry', 'token-bucket', 'leaky-bucket'],
  mw: ['slots.packing', 'slots', 'multi-window'],
};
/** The same, and all of them for requests of several algorithms. A script that defines less starts sooner. */
const choices = { ...algorithms, any: [...new Set(Object.values(algorithms).flat())] };

/** What the fast paths of an algorithm share, and what its general path adds. */
const fast = {
  fw: { steps: ['fixed-window.packing', 'fixed-window.fast'], general: ['fixed-window'] },
  sw: { steps: ['slots.packing', 'sliding-window.fast'], general: ['log.packing', 'log', 'slots', 'sliding-window'] },
  tb: { steps: ['token-bucket.expiry', 'token-bucket.fast'], general: ['token-bucket'] },
  log: { steps: ['log.packing'], general: ['slots.packing', 'log', 'slots', 'sliding-window'] },
};
const fastUnits = {
  fw: ['fast-path', 'fixed-window.fast-units'],
  sw: ['fast-path', 'sliding-window.fast-units'],
  tb: ['fast-path', 'token-bucket.fast-units'],
  log: ['log.fast-units'],
};
const fastGroups = {
  fw: ['fixed-window.fast-groups', 'read-integers', 'fast-groups'],
  sw: ['read-integers', 'fast-groups'],
  tb: ['token-bucket.fast-groups', 'read-integers', 'fast-groups'],
};

const begin = ['prelude', 'reply-numbers', 'clock'];
const decide = ['group', 'recorded-texts', 'consume'];

/** The part that replies with numbers, and the one that takes its place for clients that read bytes. */
export const replyParts = { plain: 'reply-numbers', packed: 'reply-numbers.packed' };

/** @type {Readonly<Record<string, readonly string[]>>} */
export const scripts = {
  ...each('units', fastUnits, (code, path) => withFastPath(code, path, 'unit-checks')),
  ...each('groups', fastGroups, (code, path) => withFastPath(code, path, 'uniform-groups')),
  ...each('consume', choices, (_, parts) => [...begin, 'algorithms', ...parts, ...decide, 'mixed-groups']),
  ...each('refund', choices, (_, parts) => ['prelude', 'clock', 'algorithms', ...parts, 'refund']),
  record: ['prelude', 'recorded-texts', 'record'],
  reset: ['reset'],
  inspect: ['inspect'],
  eviction: ['eviction'],
};

/**
 * A script that defines its general path only when the fast path leaves something over.
 *
 * @param {keyof typeof fast} code
 * @param {readonly string[]} path
 * @param {string} driver
 */
function withFastPath(code, path, driver) {
  const { steps, general } = fast[code];
  return [...begin, ...steps, ...path, driver, 'algorithms', ...general, ...decide, `${driver}.general`];
}

/**
 * A script for each entry of a table: `consume-fw`, `consume-sw`.
 *
 * @template {string} Code
 * @param {string} name
 * @param {Readonly<Record<Code, readonly string[]>>} table
 * @param {(code: Code, parts: readonly string[]) => readonly string[]} partsOf
 * @returns {Record<string, readonly string[]>}
 */
function each(name, table, partsOf) {
  const entries = /** @type {[Code, readonly string[]][]} */ (Object.entries(table));
  return Object.fromEntries(entries.map(([code, parts]) => [`${name}-${code}`, partsOf(code, parts)]));
}
