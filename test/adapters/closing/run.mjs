// Opens an application and closes it again, wherever it counts and whatever is wrong there: `run.mjs <stack> <url of a
// Redis> <its process>`. Prints what came of it, and has to end by itself.
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { redisStore } from '@sluice/core';
import { stacks } from './stacks.mjs';

/** @import { Store } from '@sluice/core' */
/** @import { Application } from './stacks.mjs' */

const [, , name = '', url = '', pid = ''] = process.argv;
const stack = stacks[name];
if (stack === undefined) throw new Error(`there is no stack ${name}`);
// That a store is away is not what this is about.
process.removeAllListeners('warning');

/** @type {[situation: string, open: () => Store | undefined, trouble?: () => unknown][]} */
const situations = [
  ['in memory', () => undefined],
  ['on Redis', () => redisStore({ url })],
  ['without Redis', () => redisStore({ url: 'redis://127.0.0.1:1' })],
  ['when Redis freezes', () => redisStore({ url }), () => process.kill(Number(pid), 'SIGSTOP')],
  ['when Redis is killed', () => redisStore({ url }), () => process.kill(Number(pid), 'SIGKILL')],
];

/** @type {Record<string, unknown>} */
const told = {};
for (const [situation, open, trouble] of situations) {
  told[situation] = await closed(open(), trouble);
  // It thaws, or has not been frozen.
  if (situation === 'when Redis freezes') process.kill(Number(pid), 'SIGCONT');
}
console.log(JSON.stringify(told));

/**
 * What is answered by an application that is closed while it is being asked, and what of it is left then.
 *
 * @param {Store | undefined} store
 * @param {(() => unknown) | undefined} trouble
 */
async function closed(store, trouble) {
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
    store ? { store, name: 'hour' } : {},
    handle,
  );

  const statuses = [await ask(application)];
  isSlow = true;
  const atWork = ask(application);
  await working;
  trouble?.();
  const beingDecided = ask(application);
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
async function ask({ server }) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const [response] = await once(get({ host: '127.0.0.1', port, agent: false }), 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

/** What keeps the process up, once what was closed has had a moment: all but its output. */
async function resourcesLeft() {
  const left = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
  for (let turn = 0; turn < 60 && left().length > 0; turn += 1) await delay(10);
  return left();
}
