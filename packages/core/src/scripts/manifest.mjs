// The parts of each script, in order. A part is the name of a Lua file, here or in algorithms/. A folder with Lua of an
// algorithm lists it in a `lua.mjs` of its own, which scripts/embed-lua.mjs finds.

/**
 * The Lua of one folder, which its `lua.mjs` lists. A part of it may be of another folder.
 *
 * @typedef {object} FolderLua
 * @property {Readonly<Record<string, readonly string[]>>} twins the parts of each Lua twin of an algorithm, by its code
 * @property {readonly string[]} [rare] twins of few programs, which only a script defines that needs them
 * @property {readonly string[]} [unread] twins in whose place another one reads states for operators
 * @property {Readonly<Record<string, readonly string[]>>} [scripts] scripts of its own
 * @property {Readonly<Record<string, readonly string[]>>} [acts] what its feature does with the state of one key beside requests
 * @property {readonly string[]} [needed] parts that only scripts of a policy need
 * @property {Readonly<Record<string, readonly [file: string, name: string]>>} [emitters] what writes the script of a policy, by
 *   the path of the policy
 */

/** In a script: the parts of all algorithms, in blocks. */
export const ALL = 'all algorithms';

const begin = ['prelude', 'reply-numbers', 'clock'];
const decide = ['group', 'recorded-texts', 'consume'];
const timed = ['prelude', 'clock'];

/**
 * Scripts for any algorithms, which the process makes: the parts before those of the algorithms, and behind them. A script
 * that defines less starts sooner.
 */
export const frames = {
  consume: { before: [...begin, 'algorithms'], behind: [...decide, 'mixed-groups'] },
  'consume-covered': {
    before: [...begin, 'algorithms'],
    behind: ['group', 'covers', 'covered-groups', 'recorded-texts', 'consume', 'mixed-groups'],
  },
  refund: { before: ['prelude', 'clock', 'algorithms'], behind: ['refund'] },
  'consume-counted': {
    before: [...begin, 'algorithms'],
    behind: ['group', 'usage', 'usage.labels', 'counted-claims', 'recorded-texts', 'consume', 'mixed-groups'],
  },
  'consume-counted-covered': {
    before: [...begin, 'algorithms'],
    behind: [
      'group',
      'usage',
      'usage.labels',
      'counted-claims',
      'covers',
      'covered-groups',
      'recorded-texts',
      'consume',
      'mixed-groups',
    ],
  },
  /** What limits that leave wishes add to the others, before `recorded-texts`. */
  wishing: { before: [], behind: ['wishing-claims'] },
  /** The same of limits that have numbers beside their states, before the parts of their features. */
  numbers: { before: [], behind: ['number-keys'] },
  'refund-counted': {
    before: ['prelude', 'clock', 'algorithms', 'usage', 'counted-refunds'],
    behind: ['refund'],
  },
};

/**
 * The parts that reply with numbers, and with rings beside them, and those that take their places for clients that read bytes.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const packedParts = {
  'reply-numbers': 'reply-numbers.packed',
  'ring.replies': 'ring.replies.packed',
};

/** @type {Readonly<Record<string, readonly string[]>>} */
export const ownScripts = {
  release: ['release'],
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
  'scan-keys': ['prelude', 'scan-keys'],
  'list-open-usage': [...timed, 'list-open-usage'],
  'add-open-usage': ['prelude', 'open-usage.hours', 'add-open-usage'],
  'read-open-usage': [...timed, 'open-usage.hours', 'read-open-usage'],
  'lock-usage': [...timed, 'lock-usage'],
};
