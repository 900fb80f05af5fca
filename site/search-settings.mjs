/**
 * How the search finds what readers type. Each function is sent to the browser as text, so it can use nothing of this
 * file.
 */
export const searchSettings = {
  options: { tokenize: wordsOf },
  searchOptions: {
    boostDocument: weightOf,
    processTerm: meantBy,
    // A status is never another one, and short words have too many neighbours.
    fuzzy: (/** @type {string} */ term) => (/\d/.test(term) || term.length < 5 ? 0 : 0.2),
    weights: { prefix: 0.375, fuzzy: 0.1 },
  },
};

/**
 * The words of a text. A code such as `STORE_UNAVAILABLE` is a word, and so are its parts. The word has a `_` in front:
 * otherwise it would begin like its first part.
 *
 * @param {string} text
 */
function wordsOf(text) {
  return text
    .split(/[^\p{L}\p{N}_]+/u)
    .flatMap((word) => (/[^_]_[^_]/.test(word) ? [`_${word}`, ...word.split('_')] : word.split('_')));
}

/**
 * The words that the pages use for a word that readers type. None for a word that says nothing.
 *
 * @param {string} term
 */
function meantBy(term) {
  const word = term.toLowerCase();
  if (/^(an?|and|as|by|do|for|how|i|in|is|my|of|or|per|the|to|with)$/.test(word)) return null;
  /** @type {Record<string, string[]>} */
  const same = {
    all: ['all', 'everybody'],
    bandwidth: ['uploads', 'bytes'],
    brute: ['logins', 'guesses'],
    cli: ['cli', 'command'],
    concurrency: ['concurrency', 'runs'],
    ddos: ['overload', 'attack'],
    denylist: ['deny', 'addresses', 'networks'],
    docker: ['deploy', 'kubernetes'],
    everyone: ['everybody'],
    fail: ['onstorefailure'],
    // Of 'brute force': the pages say 'in force' of limits.
    force: [],
    jwt: ['jwt', 'tokens'],
    login: ['logins', 'login'],
    midnight: ['calendar'],
    otp: ['resend', 'code'],
    pm2: ['pm2', 'processes'],
    performance: ['benchmarks'],
    reload: ['change', 'deploy'],
    signup: ['logins'],
    skip: ['skip', 'count'],
    timeout: ['deadline'],
  };
  return Object.hasOwn(same, word) ? (same[word] ?? word) : word;
}

/**
 * How much a section counts: guides most, exports and decisions least, and more if its title is a code or a long name
 * that the reader typed.
 *
 * @param {string} page
 * @param {string} term
 * @param {Record<string, unknown>} [stored]
 */
function weightOf(page, term, stored) {
  const title = String(stored?.title).toLowerCase();
  if (`_${title}` === term) return 4;
  if (/\/(errors|warnings)\b/.test(page)) return 0.3;
  const named = title !== term ? 1 : term.length < 12 ? 1.1 : 2.5;
  // Their tables name every option and limiter.
  if (page.includes('/guide/migrate-from') || page.includes('/guide/compare')) return named;
  if (page.includes('/guide/')) return 3 * named;
  return named * (/\/(api|decisions|changes|contributing)\b/.test(page) ? 0.2 : 1);
}
