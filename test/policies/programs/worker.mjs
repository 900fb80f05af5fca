// A process of an application: it limits one tenant by policies in Redis, as fast as replies come.
import { setImmediate as turn } from 'node:timers/promises';
import { refund } from '../../../packages/core/dist/esm/index.js';
import { redisStore } from '../../../packages/redis/dist/esm/index.js';
import { openPolicies, redisPolicies } from '../../../packages/policies/dist/esm/index.js';

const [url, file] = /** @type {[string, string]} */ (process.argv.slice(2));
const store = redisStore({ url }, { deadline: '5s' });
await store.ready();
const fleet = redisPolicies(store);
const keys = { tenant: (/** @type {{ tenant: string }} */ { tenant }) => tenant };
const policies = await openPolicies(file, { keys, fleet });
const limiter = policies.limiter('api', { store, denyCache: false });
let admitted = 0;
let errors = 0;
let warnings = 0;
const run = { isOn: false };

process.on('warning', () => (warnings += 1));
process.on('disconnect', () => {
  run.isOn = false;
  policies.close();
  void store.close();
});

async function load() {
  while (run.isOn) {
    try {
      if ((await limiter.consume({ tenant: 'acme' })).allowed) admitted += 1;
    } catch {
      errors += 1;
    }
    await turn();
  }
}

/** Puts so many versions in force, with a decision from before each that is refunded after it. */
async function reload(/** @type {number} */ count, /** @type {readonly string[]} */ texts) {
  let refunded = 0;
  for (let round = 0; round < count; round += 1) {
    const decision = await limiter.consume({ tenant: 'globex' });
    const { version } = await fleet.read();
    await fleet.apply({ text: texts[round % texts.length] ?? '', expected: version, by: 'spec', reason: 'again' });
    await policies.refresh();
    refunded += await refund(decision);
  }
  globalThis.gc?.();
  return { refunded, heap: process.memoryUsage().heapUsed };
}

/** @param {{ run?: boolean, reload?: number, texts?: string[] }} message */
async function answer(message) {
  if (message.run !== undefined) {
    run.isOn = message.run;
    if (run.isOn) void load();
  }
  const reloaded = message.reload === undefined ? {} : await reload(message.reload, message.texts ?? []);
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ admitted, errors, warnings, handles, ...policies.status(), ...reloaded });
}

process.on('message', (/** @type {Parameters<typeof answer>[0]} */ message) => void answer(message));
process.send?.({});
