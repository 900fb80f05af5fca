const LUA = 'packages/core/src/stores/redis/lua/';
const PASS = 'packages/core/src/quotas/usage/export-pass.ts';
const EXPORT = 'packages/core/src/quotas/usage/export-usage.ts';
const COUNTED = ['test/redis/usage.spec.ts'];
const LAWS = ['test/laws/laws.spec.ts'];
const UNIT = ['packages/core/src/quotas/usage/export-usage.spec.ts'];
const REDIS = ['test/redis/usage-export.spec.ts'];

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const usage = [
  {
    name: 'an export leaves out an hour that was refunded whole, although a failed sink may have it',
    file: PASS,
    text: 'if (open === undefined || ',
    replacement: 'if (!open || ',
    specs: UNIT,
  },
  {
    name: 'Redis counts the usage of a tier without usage',
    file: `${LUA}counted-claims.lua`,
    text: 'charges[claim] > 0 and is_counted[usage_key(key)]',
    replacement: 'charges[claim] > 0',
    specs: COUNTED,
  },
  {
    name: 'a refund in Redis is charged to the usage',
    file: `${LUA}counted-refunds.lua`,
    text: '-receipt_units[index]',
    replacement: 'receipt_units[index]',
    specs: COUNTED,
  },
  {
    name: 'a settlement in Redis changes the hour of the settlement',
    file: `${LUA}counted-refunds.lua`,
    text: 'count_usage(key, receipt_hours[index],',
    replacement: 'count_usage(key, floor(now_us / HOUR),',
    specs: LAWS,
  },
  {
    name: 'a settlement in memory changes the hour of the settlement',
    file: 'packages/core/src/quotas/usage/memory-usage.ts',
    text: 'hourOf(at * policy.tick)',
    replacement: 'hourOf(now)',
    specs: UNIT,
  },
  {
    name: 'usage in Redis never expires',
    file: `${LUA}usage.lua`,
    text: "call('PEXPIREAT', usage, (this_hour + 1 + KEPT_HOURS) * (HOUR / 1000))",
    replacement: '',
    specs: COUNTED,
  },
  {
    name: 'usage in Redis keeps its old hours',
    file: `${LUA}usage.lua`,
    text: "<= this_hour - KEPT_HOURS then call('HDEL', usage, field) end",
    replacement: '<= 0 then end',
    specs: COUNTED,
  },
  {
    name: 'an export gives an hour again that has not changed',
    file: PASS,
    text: 'open === undefined || ',
    replacement: '',
    specs: UNIT,
  },
  {
    name: 'an export does not wait for the grace of an hour',
    file: PASS,
    text: 'HOUR_MS + grace > now',
    replacement: 'HOUR_MS > now',
    specs: UNIT,
  },
  {
    name: 'a row has the units since the last export alone',
    file: PASS,
    text: 'Math.max(0, open + exported)',
    replacement: 'open',
    specs: UNIT,
  },
  {
    name: 'a batch has a row twice, where a scan finds its key twice',
    file: PASS,
    text: 'this.#due.set(row.id,',
    replacement: 'this.#due.set(`${row.id} ${this.#due.size}`,',
    specs: UNIT,
  },
  {
    name: 'an export that has lost its lock goes on',
    file: PASS,
    text: 'number !== this.#revision',
    replacement: 'number === 0',
    specs: REDIS,
  },
  {
    name: 'an export is complete although its sink has failed',
    file: PASS,
    text: '(await this.#send()) && this.problem === undefined',
    replacement: 'this.#send()',
    specs: ['test/metrics/usage-export.spec.ts'],
  },
  {
    name: 'each process scans all keys each hour',
    file: PASS,
    text: 'this.age >= youngest && (await this.#exportAll())',
    replacement: 'await this.#exportAll()',
    specs: UNIT,
  },
  {
    name: 'a process exports nothing in its first hour',
    file: EXPORT,
    text: 'Math.random() * Math.min(options.every, RETRY_MS)',
    replacement: 'options.every',
    specs: UNIT,
  },
  {
    name: 'the export of some tiers leaves out others',
    file: EXPORT,
    text: 'scope: tiers.scopeOf(prefix)',
    replacement: "scope: ''",
    specs: UNIT,
  },
  {
    name: 'a process marks units of an hour that another process has marked since',
    file: `${LUA}mark-usage.lua`,
    text: "(redis.call('HGET', key, 'x' .. hour) or '0') == before and ",
    replacement: '',
    specs: REDIS,
  },
  {
    name: 'two processes export at the same time',
    file: `${LUA}lock-usage.lua`,
    text: 'holder and holder ~= name',
    replacement: 'false',
    specs: REDIS,
  },
  {
    name: 'a Redis that has lost the number of the last export gives a lower one',
    file: `${LUA}lock-usage.lua`,
    text: 'math.max(number + 1, now)',
    replacement: 'number + 1',
    specs: REDIS,
  },
  {
    name: 'a scan takes the name of a tier for a pattern',
    file: `${LUA}scan-usage.lua`,
    text: "begin:gsub('[*?%[%]\\\\]', '\\\\%0')",
    replacement: 'begin',
    specs: REDIS,
  },
];
