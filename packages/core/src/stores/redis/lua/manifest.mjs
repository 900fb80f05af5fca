// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/.

/** The parts of each algorithm, by its code. Generated scripts have them behind their fast path. */
export const algorithms = {
  fw: ['fixed-window.packing', 'fixed-window'],
  sw: ['log.packing', 'slots.ranges', 'slots.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  sl: ['sliding-window-log'],
  tb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket'],
  lb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket', 'leaky-bucket'],
  mw: ['slots.ranges', 'slots.packing', 'ring.packing', 'slots', 'multi-window'],
  cc: ['concurrency'],
  bo: ['backoff'],
  pz: ['pause'],
};
/** The same, and all of them for requests of several algorithms. A script that defines less starts sooner. */
/** Units that are held are released by their names, and not refunded. */
const { cc: held, ...refundable } = algorithms;
const choices = withAny(algorithms);

/** What the general path adds to the fast paths of an algorithm. */
const general = {
  sl: ['sliding-window-log'],
  ring: ['log.packing', 'slots.ranges', 'slots.packing', 'log', 'slots', 'sliding-window'],
  mw: ['slots.ranges', 'slots.packing', 'slots', 'multi-window'],
};
/** The fast paths for states that no script of a policy reads. Each `fast-units` is statements. */
const fastUnits = {
  sl: ['fast-path', 'sliding-window-log.fast-units'],
  ring: ['fast-path', 'ring.packing', 'sliding-window.ring-policy', 'ring.fast-units'],
  mw: ['fast-path', 'ring.packing', 'multi-window.ring-policy', 'ring.fast-units'],
};

const begin = ['prelude', 'reply-numbers', 'clock'];
const decide = ['group', 'recorded-texts', 'consume'];

/**
 * The part that replies with numbers, and the one that takes its place for clients that read bytes.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const packedParts = { 'reply-numbers': 'reply-numbers.packed' };

/** @type {Readonly<Record<string, readonly string[]>>} */
export const scripts = {
  ...each('units', fastUnits, (code, path) => {
    const parts = [...begin, 'unit-checks', ...path, 'unit-checks.reply'];
    return [...parts, 'algorithms', ...general[code], ...decide, 'unit-checks.general'];
  }),
  ...each('consume', choices, (_, parts) => [...begin, 'algorithms', ...parts, ...decide, 'mixed-groups']),
  ...each('refund', withAny(refundable), (_, parts) => ['prelude', 'clock', 'algorithms', ...parts, 'refund']),
  renew: ['prelude', 'clock', 'algorithms', ...held, 'renew'],
  release: ['release'],
  states: ['prelude', 'clock', 'algorithms', ...choices.any, 'states'],
  record: ['prelude', 'recorded-texts', 'record'],
  reset: ['reset'],
  recorded: ['recorded'],
  'read-list': ['prelude', 'clock', 'list', 'read-list'],
  'change-list': ['prelude', 'clock', 'list', 'change-list'],
  'restore-list': ['prelude', 'clock', 'list', 'restore-list'],
  eviction: ['eviction'],
};

/**
 * @template {string} Code
 * @param {Readonly<Record<Code, readonly string[]>>} parts
 * @returns {Record<Code | 'any', readonly string[]>}
 */
function withAny(parts) {
  const any = [...new Set(Object.values(parts).flat())];
  return { ...parts, any };
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
