// Starts applications and closes them while requests are in flight, with every store and several outages:
// `close.mjs (<stack> <url of a Redis> <its process id>)...`. Prints the results by stack, and must end by itself.
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { redisStore } from '@sluice/redis';
import { stacks } from './stacks.mjs';

/** @import { Store } from '@sluice/core' */
/** @import { Application, Stack } from './stacks.mjs' */

// Warnings have specs of their own.
process.removeAllListeners('warning');

/** @type {Record<string, unknown>} */
const results = {};
for (let args = process.argv.slice(2); args.length > 0; args = args.slice(3)) {
  const [name = '', url = '', pid = ''] = args;
  results[name] = await inEverySituation(name, url, Number(pid));
}
console.log(JSON.stringify(results));

/**
 * @param {string} name of a stack
 * @param {string} url of a Redis
 * @param {number} pid its process, which is killed in the end
 */
async function inEverySituation(name, url, pid) {
  const stack = stacks[name];
  if (stack === undefined) throw new Error(`there is no stack ${name}`);
  return {
    'in memory': await closed(stack, undefined),
    'on Redis': await closed(stack, redisStore({ url })),
    'without Redis': await closed(stack, redisStore({ url: 'redis://127.0.0.1:1' })),
    'when Redis freezes': await closed(stack, redisStore({ url }), () => process.kill(pid, 'SIGSTOP')),
    'when Redis is killed': await closed(stack, thawed(url, pid), () => process.kill(pid, 'SIGKILL')),
  };
}

/** @param {string} url @param {number} pid of a Redis that is frozen */
function thawed(url, pid) {
  process.kill(pid, 'SIGCONT');
  return redisStore({ url });
}

/**
 * The statuses of an application that closes with requests in flight, and the resources that are left.
 *
 * @param {Stack} stack
 * @param {Store | undefined} store
 * @param {(() => unknown)} [outage]
 */
async function closed(stack, store, outage) {
  let reached = () => {};
  const working = new Promise((/** @type {(value: void) => void} */ resolve) => (reached = resolve));
  let isSlow = false;
  const handle = async () => {
    if (isSlow) {
      reached();
      await delay(50);
    }
    return 'served';
  };
  const application = await stack({ limit: 1_000, window: '1h', ...(store && { store, name: 'hour' }) }, handle);

  const statuses = [await send(application)];
  isSlow = true;
  const atWork = send(application);
  await working;
  outage?.();
  const beingDecided = send(application);
  await once(application.server, 'request');

  await application.close();
  statuses.push(await atWork, await beingDecided);
  await store?.close();
  return { statuses, left: await resourcesLeft() };
}

/**
 * @param {Application} application
 * @returns {Promise<number | undefined>}
 */
async function send({ server }) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const [response] = await once(get({ host: '127.0.0.1', port, agent: false }), 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

/** The resources that keep the process alive, after a moment to end: all but its output. */
async function resourcesLeft() {
  const left = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
  for (let turn = 0; turn < 60 && left().length > 0; turn += 1) await delay(10);
  return left();
}
