// A listener that throws, in a process of its own, because Node reports it as an uncaught exception.
import { createLimiter, subscribe } from '@sluice/core';

process.on('uncaughtException', (error: Error) => console.log('reported:', error.message));

let heard = 0;
subscribe('sluice:decision', () => {
  throw new Error('out of order');
});
subscribe('sluice:decision', () => {
  heard += 1;
});
const limiter = createLimiter({ key: () => 'ada', limit: 1, window: '1h' });

const decisions = [await limiter.consume({}), await limiter.consume({})];
await new Promise(setImmediate);

console.log(decisions.map(({ reason }) => reason).join(), heard);
