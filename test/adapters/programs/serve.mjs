// A server of a fleet, in a process of its own: `serve.mjs <stack> <url of a Redis> <cost of a request>`. Sends its port.
import { redisStore } from '@sluice/core';
import { defineLimiter } from './limiter.mjs';
import { stacks } from './stacks.mjs';

/** @import { Stack } from './stacks.mjs' */

const [, , stack = '', url = '', cost = '1'] = process.argv;
// A long deadline, because a process that does not wait for Redis counts alone.
const limiter = defineLimiter(redisStore({ url }, { deadline: '5s' }));
const { server } = await /** @type {Stack} */ (stacks[stack])({ limiter, cost: Number(cost) }, async () => 'served');

process.on('disconnect', () => process.exit());
process.send?.(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
