const COVERS = 'packages/core/src/algorithms/balance/covers';
const ACCOUNT = 'packages/core/src/algorithms/balance/account.ts';
const TWIN = ['test/properties/twin/balances.spec.ts'];
const LIMITER = ['test/limiter/credits.spec.ts'];
const TIERS = ['packages/core/src/limiter/tiers/covered-tiers.spec.ts'];

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const credits = [
  {
    name: 'a balance pays where another tier denies that it does not cover',
    file: `${COVERS}.ts`,
    text: 'denying.every((each) => covers(claim, each))',
    replacement: 'denying.some((each) => covers(claim, each))',
    specs: TWIN,
  },
  {
    name: 'a request that a balance pays is charged to the covered tiers too',
    file: `${COVERS}.ts`,
    text: 'isAdmitted && (payer === undefined || !covers(payer, claim))',
    replacement: 'isAdmitted',
    specs: TWIN,
  },
  {
    name: 'a request in Redis that a balance pays is charged to the covered tiers too',
    file: `${COVERS}.lua`,
    text: 'settle(claim, not covers(payer, claim))',
    replacement: 'settle(claim, true)',
    specs: TWIN,
  },
  {
    name: 'a balance in Redis pays for what a shadow tier denies',
    file: `${COVERS}.lua`,
    text: 'waits[claim] ~= 0 and not shadow[claim]',
    replacement: 'waits[claim] ~= 0',
    specs: TWIN,
  },
  {
    name: 'a balance in Redis pays more than it holds',
    file: `${COVERS}.lua`,
    text: 'is_covering(claim) and waits[claim] == 0',
    replacement: 'is_covering(claim)',
    specs: TWIN,
  },
  {
    name: 'an id counts each time in memory',
    file: ACCOUNT,
    text: 'if (known.some((each) => each[0] === id)) return account;',
    replacement: '',
    specs: TWIN,
  },
  {
    name: 'an id counts each time in Redis',
    file: 'packages/core/src/algorithms/balance/credit.lua',
    text: 'if counted and counted > now - STORED_FOR then return left or 0 end',
    replacement: '',
    specs: TWIN,
  },
  {
    name: 'a credit in Redis has no bound',
    file: 'packages/core/src/algorithms/balance/credit.lua',
    text: 'if (left or 0) + units > MAX_BALANCE then return -1 end',
    replacement: '',
    specs: TWIN,
  },
  {
    name: 'a credit in Redis forgets the latest id for its own',
    file: 'packages/core/src/algorithms/balance/credit.lua',
    text: 'return one[2] < other[2]',
    replacement: 'return one[2] > other[2]',
    specs: TWIN,
  },
  {
    name: 'a balance in Redis that was used up once expires although it was credited',
    file: 'packages/core/src/algorithms/balance/balance.lua',
    text: "call('PERSIST', key)",
    replacement: 'do end',
    specs: TWIN,
  },
  {
    name: 'a reconciliation subtracts nothing of the hour from which on it does not know',
    file: 'packages/core/src/algorithms/balance/reconcile.lua',
    text: 'hour >= since then',
    replacement: 'hour > since then',
    specs: TWIN,
  },
  {
    name: 'a refund counts in the hour of the refund',
    file: 'packages/core/src/algorithms/balance/balance.ts',
    text: 'spend(stored, -given, at, now)',
    replacement: 'spend(stored, -given, now, now)',
    specs: TWIN,
  },
  {
    name: 'a full memory store evicts a balance',
    file: 'packages/core/src/algorithms/balance/balance.ts',
    text: 'staysUntil(account) {\n    return forgottenAt(account);',
    replacement: 'staysUntil() {\n    return 0;',
    specs: LIMITER,
  },
  {
    name: 'a cached denial of the month outlasts a credit',
    file: 'packages/core/src/limiter/compile.ts',
    text: 'policies.some(({ covers }) => covers !== undefined) ? parts.uncached : parts.decider',
    replacement: 'parts.decider',
    specs: LIMITER,
  },
  {
    name: 'a settlement of a free request charges the credits too',
    file: 'packages/core/src/limiter/decisions/ledger.ts',
    text: ' && claim.policy.covers === undefined',
    replacement: '',
    specs: LIMITER,
  },
  {
    name: 'an extension of a request that credits pay is free',
    file: 'packages/core/src/limiter/decisions/extension.ts',
    text: 'claim.policy.covers === undefined ? claim.policy : claim.policy.settling!',
    replacement: 'claim.policy',
    specs: LIMITER,
  },
  {
    name: 'a balance pays in another slot of a Cluster than the tier that it covers',
    file: 'packages/core/src/limiter/tiers/covered-tiers.ts',
    text: 'store.isCluster && !isPartitioned && tier.key !== balance.key',
    replacement: 'false',
    specs: TIERS,
  },
  {
    name: 'a balance without covers admits everything while Redis is away',
    file: 'packages/core/src/limiter/tiers/tier-definition.ts',
    text: "(covers === undefined ? 'deny' : 'allow')",
    replacement: "'allow'",
    specs: TIERS,
  },
  {
    name: 'a covered tier is reported with what is left of it',
    file: 'packages/core/src/http/headers/quota-report.ts',
    text: 'outcome.coveredBy === undefined ? remainingOf(outcome) : 0',
    replacement: 'remainingOf({ ...outcome, allowed: true })',
    specs: ['packages/core/src/http/headers/quota-report.spec.ts'],
  },
  {
    name: 'a denial by a balance alone names a wait',
    file: 'packages/core/src/http/gate/write-headers.ts',
    text: '!decision.allowed && decision.retryAfter !== Infinity',
    replacement: "!decision.allowed && decision.reason !== 'never'",
    specs: ['packages/core/src/http/gate/gate.credits.spec.ts'],
  },
];
