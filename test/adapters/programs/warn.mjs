// Starts an application on a stack with a setting for trusted proxies, and sends it a plain and two forwarded requests:
// `warn.mjs <stack> <setting as JSON, "unset" or "function">`. Prints the codes of all warnings so far after each step.
import { once } from 'node:events';
import { get } from 'node:http';
import { stacks } from './stacks.mjs';

/** @import { Stack } from './stacks.mjs' */

const [, , name = '', setting = ''] = process.argv;
/** @type {string[]} */
const codes = [];
process.on('warning', (warning) => codes.push(/** @type {{ code?: string }} */ (warning).code ?? warning.name));

const own = { unset: undefined, function: () => true };
const trust = Object.hasOwn(own, setting) ? own[/** @type {keyof typeof own} */ (setting)] : JSON.parse(setting);
const application = await /** @type {Stack} */ (stacks[name])({ limit: 5, window: '1h' }, async () => 'served', trust);
const steps = [await codesSoFar()];
for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (application.server.address());
  const [response] = await once(get({ host: '127.0.0.1', port, agent: false, headers }), 'response');
  await once(response.resume(), 'end');
  steps.push(await codesSoFar());
}
await application.close();
console.log(JSON.stringify(steps));

/** Node emits warnings at the end of a turn. */
async function codesSoFar() {
  await new Promise(setImmediate);
  return [...codes];
}
