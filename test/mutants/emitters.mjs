const TWIN = 'test/properties/twin/twin.spec.ts';
const SUITE = 'test/redis/store-suite.spec.ts';
const WRITES = 'test/redis/writes.spec.ts';
const STORED = 'test/properties/twin/stored-windows.spec.ts';
const BAD_KEYS = 'test/redis/bad-keys.spec.ts';
const FIXED_WINDOW = 'packages/core/src/algorithms/fixed-window/fixed-window-emitter.ts';
const LOG = 'packages/core/src/algorithms/sliding-window/log-emitter.ts';
const SLOTS = 'packages/core/src/algorithms/sliding-window/slots-emitter.ts';
const BUCKET = 'packages/core/src/algorithms/token-bucket/token-bucket-emitter.ts';
const PERMITS = 'packages/core/src/algorithms/concurrency/permits-emitter.ts';
const COMPOSER = 'packages/core/src/scripts/compose.ts';

/**
 * Faults in the scripts that are made for policies.
 *
 * @type {readonly import('./mutants.mjs').Mutant[]}
 */
export const emitters = [
  {
    name: 'a made script for fixed windows charges a window that is over',
    file: FIXED_WINDOW,
    text: 'if stored >= $low and',
    replacement: 'if stored > 0 and',
    specs: [TWIN, STORED],
  },
  {
    name: 'a made script for fixed windows leaves the units of a key that it leaves over charged',
    file: FIXED_WINDOW,
    text: ["    call('DECRBY', $key, units or '1')", '  end'].join('\n'),
    replacement: '  end',
    specs: [TWIN, BAD_KEYS],
  },
  {
    name: 'a made script for fixed windows charges the first unit of a new window alone',
    file: FIXED_WINDOW,
    text: '$empty + charged',
    replacement: '$empty + 1',
    specs: [TWIN, SUITE],
  },
  {
    name: 'a made script for logs admits a unit beyond the limit',
    file: LOG,
    text: '$room = ${limit} - $found',
    replacement: '$room = ${limit} + 1 - $found',
    specs: [SUITE, TWIN],
  },
  {
    name: 'a made script for logs keeps a stamp for a tick too long',
    file: LOG,
    text: 'oldest >= ${span} do',
    replacement: 'oldest > ${span} do',
    specs: [TWIN],
  },
  {
    name: 'a made script for logs stores one stamp for several units',
    file: LOG,
    text: '(charged == 1 and $stamp or $stamp:rep(charged))',
    replacement: '$stamp',
    specs: [TWIN],
  },
  {
    name: 'a made script for logs stores the units of a denied group',
    file: LOG,
    text: 'if charged > 0 then',
    replacement: 'if count > 0 then',
    specs: [WRITES, TWIN],
  },
  {
    name: 'a made script for logs expires a key with the oldest unit',
    file: LOG,
    text: 'ceil(($now + ${span}) * ${tick} / 1000)',
    replacement: 'ceil($now * ${tick} / 1000)',
    specs: [WRITES, TWIN],
  },
  {
    name: 'a made script for logs reads stamps that are ahead of the clock',
    file: LOG,
    text: 'if size and age >= 0 then',
    replacement: 'if size then',
    specs: [TWIN],
  },
  {
    name: 'a made script for logs says the oldest stamp of a log above its limit',
    file: LOG,
    text: 'if $room < 0 then oldest = age_of($log, $first - $room, $now) end',
    replacement: '',
    specs: [STORED],
  },
  {
    name: 'a made script for sliding windows leaves the units of a key that it leaves over charged',
    file: SLOTS,
    text: ['      ${GIVE_BACK}', '    else'].join('\n'),
    replacement: '    else',
    specs: [TWIN, BAD_KEYS],
  },
  {
    name: 'a made script for sliding windows expires a key with its newest slot',
    file: SLOTS,
    text: '($newest + 2) * ${slot * tick}',
    replacement: '($newest + 1) * ${slot * tick}',
    specs: [TWIN, WRITES],
  },
  {
    name: 'a made script for sliding windows leaves a key that a denied unit has made',
    file: SLOTS,
    text: "if $stored == 0 then call('UNLINK', $key) else",
    replacement: 'if $stored >= 0 then',
    specs: [WRITES, TWIN],
  },
  {
    name: 'a made script for sliding windows charges as many units as were requested where some fit',
    file: SLOTS,
    text: "call('DECRBY', $key, count - charged)",
    replacement: '',
    specs: [TWIN],
  },
  {
    name: 'a made script for buckets charges a denied unit',
    file: BUCKET,
    text: 'floor(($latest - $from) / ${quotient})',
    replacement: 'ceil(($latest - $from) / ${quotient})',
    specs: [TWIN, SUITE],
  },
  {
    name: 'a made script for buckets reads a time that is ahead of the clock',
    file: BUCKET,
    text: 'if $time >= 0 and $time <= $latest then',
    replacement: 'if $time >= 0 then',
    specs: [TWIN, BAD_KEYS],
  },
  {
    name: 'a made script for permits grants one permit too many',
    file: PERMITS,
    text: '$found, $room = live, ${limit} - live',
    replacement: '$found, $room = live, ${limit} + 1 - live',
    specs: [SUITE, TWIN],
  },
  {
    name: 'a made script for permits counts those that have lapsed',
    file: PERMITS,
    text: "local $after, $until = '(' .. $now,",
    replacement: "local $after, $until = '-inf',",
    specs: [TWIN],
  },
  {
    name: 'a made script for permits keeps those that have lapsed',
    file: PERMITS,
    text: "if $found < $size then call('ZREMRANGEBYSCORE', $key, 0, $now) end",
    replacement: '',
    specs: [WRITES, TWIN],
  },
  {
    name: 'a made script for permits drops one that is ahead of the clock',
    file: PERMITS,
    text: "'+inf') == 0 then",
    replacement: "'+inf') >= 0 then",
    specs: [TWIN],
  },
  {
    name: 'a made script for permits lets a key live on',
    file: PERMITS,
    text: "call('PEXPIREAT', $key, $until)",
    replacement: '',
    specs: [WRITES, TWIN],
  },
  {
    name: 'a made script charges the tiers that fit beside one that denies',
    file: 'packages/core/src/scripts/payment.ts',
    text: "others.join(' and ')",
    replacement: 'others[0]',
    specs: [SUITE, TWIN],
  },
  {
    name: 'a made script denies all units of a key of which some fit',
    file: COMPOSER,
    text: "' elseif room1 > 0 then charged = room1'",
    replacement: "''",
    specs: [TWIN, 'test/redis/batching.spec.ts'],
  },
  {
    name: 'a made script goes on behind a group that it leaves over',
    file: COMPOSER,
    text: 'if left then break end',
    replacement: '',
    specs: [TWIN, BAD_KEYS],
  },
  {
    name: 'the general path of a made script forgets the units of a repeated key',
    file: COMPOSER,
    text: "isOfUnits(group) ? 'ARGV[index] or 1' : 1",
    replacement: '1',
    specs: [TWIN],
  },
  {
    name: 'the general path of a made script takes the name of another permit',
    file: COMPOSER,
    text: "permitOf(group, '(index - place + 1)', `${last} + `)",
    replacement: "permitOf(group, '1', `${last} + `)",
    specs: ['test/redis/batching.spec.ts'],
  },
  {
    name: 'a made script takes the name of another permit',
    file: COMPOSER,
    text: "permitOf(group, 'first', ",
    replacement: "permitOf(group, '1', ",
    specs: [TWIN, SUITE],
  },
  {
    name: 'a made script charges one unit of a tier in the place of its cost',
    file: COMPOSER,
    text: 'local charged = charged * count',
    replacement: 'local charged = charged',
    specs: [TWIN],
  },
  {
    name: 'the general path of a made script forgets the costs of requests',
    file: COMPOSER,
    text: "hasCosts ? 'ARGV[index] + 0' : '1'",
    replacement: "'1'",
    specs: [TWIN],
  },
  {
    name: 'a permit of several units has one name in a made script',
    file: 'packages/core/src/algorithms/concurrency/permits-emitter.ts',
    text: 'for number = charged, 2, -1 do',
    replacement: 'for number = 1, 2, -1 do',
    specs: [TWIN],
  },
  {
    name: 'policies of other numbers share a made script',
    file: 'packages/redis/src/encoding/policy-scripts.ts',
    text: '`${policyText(policy)} ',
    replacement: '`${policy.dimensions} ',
    specs: [TWIN],
  },
  {
    name: 'a burst of calls of a new script sends its text with each of them',
    file: 'packages/redis/src/connection/sent-texts.ts',
    text: "if (by === 'source') this.#texts.set(sha, this.#calls);",
    replacement: '',
    specs: ['packages/redis/src/connection/call.spec.ts'],
  },
];
