// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/.

/** Of limits for which requests wait. */
const wishing = ['parties', 'wishing-permits', 'shares'];

/** The parts of each algorithm, by its code. */
export const algorithms = {
  fw: ['fixed-window.packing', 'fixed-window'],
  fn: ['fixed-window.packing', 'fixed-window', 'noticed-window'],
  sw: ['log.packing', 'slots.ranges', 'slots.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  sl: ['sliding-window-log'],
  tb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket'],
  lb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket', 'leaky-bucket'],
  mw: ['slots.ranges', 'slots.packing', 'ring.packing', 'slots', 'multi-window'],
  cc: ['concurrency'],
  cw: ['concurrency', ...wishing, 'waiting'],
  cf: ['concurrency', ...wishing, 'waiting', 'fair'],
  bo: ['backoff'],
  pz: ['pause'],
  ba: ['balance.spending', 'balance'],
};

/** In a script: the parts of all algorithms, in blocks. */
export const ALL = 'all algorithms';

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
const timed = ['prelude', 'clock'];
const account = ['prelude', 'clock', 'algorithms', ...algorithms.ba];

/**
 * Scripts for any algorithms, which the process makes: the parts before those of the algorithms, and behind them. A script
 * that defines less starts sooner.
 */
export const frames = {
  consume: { before: [...begin, 'algorithms'], behind: [...decide, 'mixed-groups'] },
  'consume-covered': {
    before: [...begin, 'algorithms'],
    behind: ['group', 'covers', 'recorded-texts', 'consume', 'mixed-groups'],
  },
  refund: { before: ['prelude', 'clock', 'algorithms'], behind: ['refund'] },
  'consume-counted': {
    before: [...begin, 'algorithms'],
    behind: ['group', 'usage', 'usage.labels', 'counted-claims', 'recorded-texts', 'consume', 'mixed-groups'],
  },
  'consume-counted-covered': {
    before: [...begin, 'algorithms'],
    behind: ['group', 'usage', 'usage.labels', 'counted-claims', 'covers', 'recorded-texts', 'consume', 'mixed-groups'],
  },
  /** What limits that leave wishes add to the others, before `recorded-texts`. */
  wishing: { before: [], behind: ['wishing-claims'] },
  'refund-counted': {
    before: ['prelude', 'clock', 'algorithms', 'usage', 'counted-refunds'],
    behind: ['refund'],
  },
};

/**
 * The part that replies with numbers, and the one that takes its place for clients that read bytes.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const packedParts = { 'reply-numbers': 'reply-numbers.packed' };

/** @type {Readonly<Record<string, readonly string[]>>} */
export const scripts = {
  'units-sl': units('sl'),
  'units-ring': units('ring'),
  'units-mw': units('mw'),
  renew: ['prelude', 'clock', 'algorithms', ...algorithms.cc, 'renew'],
  release: ['release'],
  credit: [...account, 'credit'],
  reconcile: [...account, 'reconcile'],
  states: ['prelude', 'clock', 'algorithms', ALL, 'states'],
  record: ['prelude', 'recorded-texts', 'record'],
  reset: ['reset'],
  recorded: ['recorded'],
  'read-list': [...timed, 'list', 'read-list'],
  'change-list': [...timed, 'list', 'change-list'],
  'restore-list': [...timed, 'list', 'restore-list'],
  eviction: ['eviction'],
  'read-usage': [...timed, 'read-usage'],
  'mark-usage': ['prelude', 'mark-usage'],
  'scan-usage': ['prelude', 'scan-usage'],
  'list-open-usage': [...timed, 'list-open-usage'],
  'add-open-usage': ['prelude', 'open-usage.hours', 'add-open-usage'],
  'read-open-usage': [...timed, 'open-usage.hours', 'read-open-usage'],
  'lock-usage': [...timed, 'lock-usage'],
};

/** @param {keyof typeof fastUnits} path */
function units(path) {
  const fast = [...begin, 'unit-checks', ...fastUnits[path], 'unit-checks.reply'];
  return [...fast, 'algorithms', ...general[path], ...decide, 'unit-checks.general'];
}
