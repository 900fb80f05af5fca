// Starts an application on a stack with each setting for trusted proxies, one after the other, and sends it a plain and
// two forwarded requests: `warn.mjs <stack> <setting as JSON, "unset" or "function">...`. Prints, for each setting, the
// codes of its warnings so far after each step.
import { once } from 'node:events';
import { get } from 'node:http';
import { stacks } from './stacks.mjs';

/** @import { Stack } from './stacks.mjs' */

const [, , name = '', ...settings] = process.argv;
/** @type {string[]} */
const codes = [];
process.on('warning', (warning) => codes.push(/** @type {{ code?: string }} */ (warning).code ?? warning.name));

const own = { unset: undefined, function: () => true };
/** @type {[setting: string, steps: string[][]][]} */
const results = [];
for (const setting of settings) results.push([setting, await stepsWith(setting)]);
console.log(JSON.stringify(Object.fromEntries(results)));

/** @param {string} setting */
async function stepsWith(setting) {
  const trust = Object.hasOwn(own, setting) ? own[/** @type {keyof typeof own} */ (setting)] : JSON.parse(setting);
  const start = /** @type {Stack} */ (stacks[name]);
  codes.length = 0;
  const application = await start({ limit: 5, window: '1h' }, async () => 'served', trust);
  const steps = [await codesSoFar()];
  for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
    const { port } = /** @type {import('node:net').AddressInfo} */ (application.server.address());
    const [response] = await once(get({ host: '127.0.0.1', port, agent: false, headers }), 'response');
    await once(response.resume(), 'end');
    steps.push(await codesSoFar());
  }
  await application.close();
  return steps;
}

/** Node emits warnings at the end of a turn. */
async function codesSoFar() {
  await new Promise(setImmediate);
  return [...codes];
}
