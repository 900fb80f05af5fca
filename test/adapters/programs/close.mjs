// Starts an application and closes it while requests are in flight, with every store and several outages:
// `close.mjs <stack> <url of a Redis> <its process id>`. Prints the results, and must end by itself.
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { redisStore } from '@sluice/core/redis';
import { stacks } from './stacks.mjs';

/** @import { Store } from '@sluice/core' */
/** @import { Application } from './stacks.mjs' */

const [, , name = '', url = '', pid = ''] = process.argv;
const stack = stacks[name];
if (stack === undefined) throw new Error(`there is no stack ${name}`);
// Warnings have specs of their own.
process.removeAllListeners('warning');

/** @type {[situation: string, open: () => Store | undefined, outage?: () => unknown][]} */
const situations = [
  ['in memory', () => undefined],
  ['on Redis', () => redisStore({ url })],
  ['without Redis', () => redisStore({ url: 'redis://127.0.0.1:1' })],
  ['when Redis freezes', () => redisStore({ url }), () => process.kill(Number(pid), 'SIGSTOP')],
  ['when Redis is killed', () => redisStore({ url }), () => process.kill(Number(pid), 'SIGKILL')],
];

/** @type {Record<string, unknown>} */
const results = {};
for (const [situation, open, outage] of situations) {
  results[situation] = await closed(open(), outage);
  if (situation === 'when Redis freezes') process.kill(Number(pid), 'SIGCONT');
}
console.log(JSON.stringify(results));

/**
 * The statuses of an application that closes with requests in flight, and the resources that are left.
 *
 * @param {Store | undefined} store
 * @param {(() => unknown) | undefined} outage
 */
async function closed(store, outage) {
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
  const application = await /** @type {import('./stacks.mjs').Stack} */ (stack)(
    { limit: 1_000, window: '1h', ...(store && { store, name: 'hour' }) },
    handle,
  );

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
