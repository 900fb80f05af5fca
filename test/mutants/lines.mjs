const folder = 'packages/overload/src/line/';
const places = [`${folder}places.spec.ts`];
const paces = [`${folder}pace.spec.ts`];
const twins = ['test/properties/twin/lines.spec.ts'];

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const lines = [
  {
    name: 'a line tells all denied requests one moment',
    file: `${folder}line-beside.ts`,
    text: 'beside.set(key, [end * tick, isKept ? at * tick : before]);',
    replacement: '',
    specs: [`${folder}line.spec.ts`],
  },
  {
    name: 'a bucket counts the units that were told, as windows do',
    file: `${folder}even-pace.ts`,
    text: 'areLumps ? toldBefore(denied, stepOf(policy, 1)) : 0',
    replacement: 'toldBefore(denied, stepOf(policy, 1)) + 1',
    specs: paces,
  },
  {
    name: 'a gap in a line counts as units that were told',
    file: `${folder}even-pace.ts`,
    text: 'if (now + denied.waitFor(most) <= end) return most;',
    replacement: 'if (now <= end) return most;',
    specs: paces,
  },
  {
    name: 'a window promises units before they come back',
    file: `${folder}even-pace.ts`,
    text: 'Math.max(exact, denied.waitFor(units))',
    replacement: 'exact',
    specs: paces,
  },
  {
    name: 'a line of a window of counts moves at the full pace',
    file: `${folder}even-pace.ts`,
    text: 'Math.ceil((spanOf(policy) * 20) / (19 * share))',
    replacement: 'Math.ceil(spanOf(policy) / share)',
    specs: ['test/limiter/line/laws.spec.ts'],
  },
  {
    name: 'a line is longer than its bound',
    file: `${folder}pace.ts`,
    text: 'if (place.at - now <= Math.max(exact, policy.line.longest))',
    replacement: 'if (place.at - now <= Infinity)',
    specs: [`${folder}line.spec.ts`, `${folder}line-measures.spec.ts`],
  },
  {
    name: 'a request takes the unit of an owner of a place',
    file: `${folder}standing.ts`,
    text: 'if (algorithm.remaining(state, now, policy) >= units) return 0;',
    replacement: 'if (retryAfter === 0) return 0;',
    specs: places,
  },
  {
    name: 'a caller waits for a place of a line that was reset',
    file: `${folder}standing.ts`,
    text: 'at > now && at <= last && mayBeTold',
    replacement: 'at > now && mayBeTold',
    specs: places,
  },
  {
    name: 'a caller waits for a place that was told before the clock jumped back',
    file: `${folder}standing.ts`,
    text: 'at <= last && mayBeTold(each, at - now)',
    replacement: 'at <= last',
    specs: places,
  },
  {
    name: 'a place is worth more than one request',
    file: `${folder}line-beside.ts`,
    text: 'beside.delete(callerKey);',
    replacement: 'void callerKey;',
    specs: ['test/limiter/line/kept-places.spec.ts', ...places],
  },
  {
    name: 'requests that ask for no place fill a line that keeps places',
    file: `${folder}line-beside.ts`,
    text: 'return policy.line.keep > 0 && !asks && isOpen ? undefined : place;',
    replacement: 'return place;',
    specs: places,
  },
  {
    name: 'a request that another tier denies for longer moves the line',
    file: `${folder}line-beside.ts`,
    text: ' || isDeniedLonger(each, group, told)',
    replacement: '',
    specs: [`${folder}line.spec.ts`],
  },
  {
    name: 'a place that someone has made is worth one of the limiter',
    file: `${folder}place-text.ts`,
    text: 'return isSame(sealedPlace(claim, place, digestOf), text) ? place : 0;',
    replacement: 'return place;',
    specs: places,
  },
  {
    name: 'a script waits for a place of a line that was reset',
    file: `${folder}lined-claims.lua`,
    text: 'if wait <= 0 or place > kept then return false end',
    replacement: 'if wait <= 0 then return false end',
    specs: twins,
  },
  {
    name: 'a script counts a gap in a line as units that were told',
    file: `${folder}lined-claims.lua`,
    text: 'if now + algorithm.wait(ones[claim], twos[claim], now, policy, middle) <= line_end then',
    replacement: 'if now <= line_end then',
    specs: twins,
  },
  {
    name: 'inspect counts no units in a line',
    file: `${folder}turned-pace.ts`,
    text: 'Math.max(1, turns * limit +',
    replacement: 'Math.max(1, turns +',
    specs: [`${folder}waiting.spec.ts`],
  },
  {
    name: 'a gate reads a place for a limiter that keeps none',
    file: 'packages/http/src/gate/limiter-gate.ts',
    text: 'this.#mayBring ? broughtIn(visit.request) : undefined',
    replacement: 'broughtIn(visit.request)',
    specs: [`${folder}line.answers.spec.ts`],
  },
  {
    name: 'a client is forgotten, and its line is not',
    file: 'packages/cli/src/forget/forget.ts',
    text: 'besides: beside.of(policy)?.keysOf(key) ?? []',
    replacement: 'besides: []',
    specs: ['test/cli/line.spec.ts'],
  },
];
