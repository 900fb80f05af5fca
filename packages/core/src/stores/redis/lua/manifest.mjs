// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/.

/** The parts of each algorithm, by its code. */
const algorithms = {
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
  fw: ['fixed-window'],
  sw: ['log.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  tb: ['token-bucket'],
  sl: ['sliding-window-log'],
  log: ['slots.ranges', 'slots.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  ring: ['log.packing', 'slots.ranges', 'slots.packing', 'log', 'slots', 'sliding-window'],
  mw: ['slots.ranges', 'slots.packing', 'slots', 'multi-window'],
};
const slots = ['slots.packing', 'sliding-window.fast'];
/** The fast paths. Each `fast-units` is statements that decide the usual keys, and each `other-units` decides the others. */
const fastUnits = {
  fw: ['fixed-window.packing', 'fixed-window.fast', 'fast-path', 'fixed-window.fast-units'],
  sw: [
    'slots.ranges',
    'sliding-window.fast-policy',
    'fast-path',
    'sliding-window.fast-units',
    'unit-checks.reply',
  ].concat(slots, 'sliding-window.other-units'),
  tb: ['token-bucket.fast', 'fast-path', 'token-bucket.fast-units', 'unit-checks.reply'].concat(
    'token-bucket.expiry',
    'token-bucket.other-units',
  ),
  log: ['log.packing', 'log.fast-units'],
  sl: ['fast-path', 'sliding-window-log.fast-units'],
  ring: ['fast-path', 'ring.packing', 'sliding-window.ring-policy', 'ring.fast-units'],
  mw: ['fast-path', 'ring.packing', 'multi-window.ring-policy', 'ring.fast-units'],
};
const fastGroups = {
  fw: ['fixed-window.packing', 'fixed-window.fast', 'fixed-window.charge-all', 'fixed-window.fast-groups'],
  sw: ['slots.ranges', 'sliding-window.fast-policy', ...slots],
  tb: ['token-bucket.expiry', 'token-bucket.fast', 'token-bucket.fast-groups'],
};
/** What a group with a permit reads and charges its rates by. */
const heldGroups = {
  fw: fastGroups.fw.filter((part) => part !== 'fixed-window.charge-all'),
  sw: fastGroups.sw,
  tb: fastGroups.tb,
};

const begin = ['prelude', 'reply-numbers', 'clock'];
const decide = ['group', 'recorded-texts', 'consume'];

/** The part that replies with numbers, and the one that takes its place for clients that read bytes. */
export const packedParts = { 'reply-numbers': 'reply-numbers.packed' };

/** @type {Readonly<Record<string, readonly string[]>>} */
export const scripts = {
  ...each('units', fastUnits, (code, path) => {
    const parts = [...begin, 'unit-checks', ...path, 'unit-checks.reply'];
    return [...parts, 'algorithms', ...general[code], ...decide, 'unit-checks.general'];
  }),
  ...each('groups', fastGroups, (code, path) => {
    const parts = [...begin, 'uniform-groups', ...path, 'read-integers', 'fast-groups'];
    return [...parts, 'algorithms', ...general[code], ...decide, 'uniform-groups.general'];
  }),
  ...each('held', heldGroups, (code, path) => {
    const parts = [...begin, 'held-groups', ...path, 'read-integers', 'held-groups.fast'];
    return [...parts, 'algorithms', ...held, ...general[code], ...decide, 'held-groups.general'];
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
