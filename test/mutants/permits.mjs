const WRAPPER = 'packages/core/src/stores/with-permits/';
const FLEET = 'test/properties/stores/permit-fleet.spec.ts';
const TWIN = 'test/properties/twin/twin.spec.ts';
const ENDINGS = 'test/adapters/endings/connections.spec.ts';

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const permits = [
  {
    name: 'a stalled process takes more permits before it renews',
    file: `${WRAPPER}with-permits.ts`,
    text: 'this.#alarm.isLate(now)',
    replacement: 'false',
    specs: [WRAPPER],
  },
  {
    name: 'permits are not renewed when the server is ready again',
    file: `${WRAPPER}with-permits.ts`,
    text: 'target.onReady?.(() => this.#renewAll());',
    replacement: '',
    specs: [FLEET],
  },
  {
    name: 'a permit whose answer never came is not released',
    file: `${WRAPPER}with-permits.ts`,
    text: 'if (wasSent) this.#releaseUnknown(unknown, sentAt);',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'permits are renewed after their longest time',
    file: `${WRAPPER}with-permits.ts`,
    text: 'due.filter(({ renewableUntil }) => renewableUntil > now)',
    replacement: 'due.slice()',
    specs: [WRAPPER],
  },
  {
    name: 'a lapsed permit is not reported',
    file: `${WRAPPER}with-permits.ts`,
    text: 'channels.permitLapsed.publish({ tier: held.receipt.tier, units });',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'a release wakes no request that waits',
    file: `${WRAPPER}with-permits.ts`,
    text: 'this.#lines.wake([...keys]);',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'a failed release of a permit is not repeated',
    file: `${WRAPPER}releases.ts`,
    text: 'this.#failed.push({ receipt, until, retryAt });',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'requests beyond the queue of a permit wait',
    file: `${WRAPPER}waiting-lines.ts`,
    text: 'if (line.size >= policyOf(first).queue)',
    replacement: 'if (line.size > policyOf(first).queue)',
    specs: [WRAPPER],
  },
  {
    name: 'a new request overtakes those that wait for a permit',
    file: `${WRAPPER}with-permits.ts`,
    text: 'if (this.#lines.isBusy(group)) return this.#lines.join(group);',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'a request that leaves its line throws in its signal',
    file: `${WRAPPER}waiting-lines.ts`,
    text: 'waiter.answer.reject(error);',
    replacement: 'throw error;',
    specs: [WRAPPER],
  },
  {
    name: 'a permit is released more than once',
    file: 'packages/core/src/stores/held-permits.ts',
    text: 'else this.#remove(held);',
    replacement: '',
    specs: [WRAPPER],
  },
  {
    name: 'permits are renewed when they lapse',
    file: 'packages/core/src/stores/held-permits.ts',
    text: 'const RENEWALS_PER_HOLD = 3;',
    replacement: 'const RENEWALS_PER_HOLD = 0.9;',
    specs: [WRAPPER],
  },
  {
    name: 'lapsed units stay when a permit is charged',
    file: 'packages/core/src/algorithms/concurrency/concurrency.ts',
    text: 'state.dropLapsed(now);',
    replacement: '',
    specs: [TWIN],
  },
  {
    name: 'lapsed units stay when Lua charges a permit',
    file: 'packages/core/src/algorithms/concurrency/concurrency.lua',
    text: "call('ZREMRANGEBYSCORE', key, '-inf', now)",
    replacement: '',
    specs: [TWIN],
  },
  {
    name: 'Lua leaves units that count too long after the clock has stepped back',
    file: 'packages/core/src/algorithms/concurrency/concurrency.lua',
    text: "if state.is_redated then hold_units(key, call('ZRANGE'",
    replacement: "if false then hold_units(key, call('ZRANGE'",
    specs: [TWIN],
  },
  {
    name: 'a renewal needs the script in the server',
    file: 'packages/core/src/stores/redis/permit-calls.ts',
    text: "by: 'source'",
    replacement: "by: 'sha'",
    specs: ['test/redis/permits/processes.spec.ts'],
  },
  {
    name: 'the permit of an upgrade is not released with its socket',
    file: 'packages/core/src/http/gate/release-on-close.ts',
    text: 'onClose(response ?? NO_RESPONSE, socket,',
    replacement: 'onClose(response ?? NO_RESPONSE, undefined,',
    specs: [ENDINGS],
  },
  {
    name: 'the permit of a client that left before the decision is held',
    file: 'packages/core/src/http/gate/on-close.ts',
    text: 'if (response.destroyed || connection?.destroyed) {',
    replacement: 'if (response === undefined) {',
    specs: [ENDINGS],
  },
];
