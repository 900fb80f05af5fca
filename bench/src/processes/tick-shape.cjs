const { executionAsyncResource } = require('node:async_hooks');

// Preloaded in every process that is measured. The objects that `process.nextTick` makes have a shape that V8 forgets when
// a full collection finds none of them, and from then on Node makes each of them the slow way: a Fastify server that this
// happens to while it starts answered a third fewer requests in a trial. So one of them is kept. Whether it happens is for the memory
// that starting takes to say, and not for the limiter. No async hook is enabled for it: V8 compiles promises worse for good
// where one has been.
/** @type {object[]} */
const kept = [];
process.nextTick(() => {
  kept.push(executionAsyncResource());
});

module.exports = kept;
