const spec = 'packages/overload/src/queues/';
const folder = 'packages/overload/src/queues/';

/** @type {readonly import('./mutants.mjs').Mutant[]} */
export const queues = [
  {
    name: 'critical acquisitions stand behind the others',
    file: `${folder}line.ts`,
    text: 'return critical.first() ?? first ?? sheddable.first();',
    replacement: 'return first ?? sheddable.first() ?? critical.first();',
    specs: [spec],
  },
  {
    name: 'normal acquisitions never overtake sheddable ones',
    file: `${folder}line.ts`,
    text: 'now - (first?.since ?? now) > this.#target / 2',
    replacement: 'false',
    specs: [spec, 'test/overload/pool-model.spec.ts'],
  },
  {
    name: 'who waits for a pool that is stuck is no sign of a queue',
    file: `${folder}line.ts`,
    text: 'return first === undefined ? 0 : now - first.since;',
    replacement: 'return 0;',
    specs: [spec],
  },
  {
    name: 'a late acquisition waits on',
    file: `${folder}line.ts`,
    text: 'if (now - place.since < this.#target + PATIENCE) break;',
    replacement: 'if (now - place.since < 100 * this.#target) break;',
    specs: [spec],
  },
  {
    name: 'a queue in which only sheddable acquisitions wait refuses normal ones',
    file: `${folder}line.ts`,
    text: "return { normal: waitOf('normal'), sheddable: waitOf('sheddable') };",
    replacement: "return { normal: Math.max(waitOf('normal'), waitOf('sheddable')), sheddable: 0 };",
    specs: [spec, 'test/overload/pool-model.spec.ts'],
  },
  {
    name: 'a queue whose pool has room stays overloaded for seconds',
    file: `${folder}queue-level.ts`,
    text: 'const IDLING = 200;',
    replacement: 'const IDLING = 0;',
    specs: [spec],
  },
  {
    name: 'a request that a queue has served is refused later',
    file: `${folder}acquisition-queue.ts`,
    text: "passing?.isServedBy(this) ? 'critical' :",
    replacement: "passing?.isServedBy(this) ? 'sheddable' :",
    specs: [spec],
  },
  {
    name: 'an acquisition whose signal has aborted stands in the line',
    file: `${folder}acquisition-queue.ts`,
    text: "signal?.addEventListener('abort', leave, { once: true });",
    replacement: '',
    specs: [spec],
  },
  {
    name: 'a queue in shadow refuses',
    file: `${folder}acquisition-queue.ts`,
    text: 'if (shadow) this.#stand(asking);',
    replacement: 'if (shadow && asking.priority === undefined) this.#stand(asking);',
    specs: [spec],
  },
  {
    name: 'a client whose connection could not be made keeps its place in the pool',
    file: `${folder}pending-room.ts`,
    text: 'this.#asking -= 1;',
    replacement: 'this.#asking -= 0;',
    specs: [spec],
  },
  {
    name: 'a deadline that is over is told by nobody',
    file: 'packages/overload/src/passing/passing.ts',
    text: 'if (this.until === Infinity || controller.signal.aborted) return;',
    replacement: 'return;',
    specs: [spec],
  },
  {
    name: 'anybody may say what a request is worth',
    file: 'packages/overload/src/shed/kept-option.ts',
    text: 'isPriority(text) && isOfService(request) ?',
    replacement: 'isPriority(text) ?',
    specs: ['packages/overload/src/shed/shedder.spec.ts'],
  },
  {
    name: 'a budget of retries saves them for ever',
    file: `${folder}spent-retries.ts`,
    text: 'this.#saved = Math.min(SAVED, this.#saved + this.#budget);',
    replacement: 'this.#saved += this.#budget;',
    specs: [spec],
  },
  {
    name: 'a budget of retries forgets the last ten seconds',
    file: `${folder}spent-retries.ts`,
    text: "Math.min(this.#saved, this.#budget * sum('first') - sum('again'))",
    replacement: 'this.#saved',
    specs: [spec],
  },
];
