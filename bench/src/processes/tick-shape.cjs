const { executionAsyncResource } = require('node:async_hooks');

// Preloaded in every measured process. V8 forgets the shape of `process.nextTick` objects when a full collection finds
// none, and Node then creates each of them the slow way. A Fastify server that met this at its start answered a third
// fewer requests in a trial. One such object stays alive here. An async hook would do the same, but V8 compiles promises
// worse for good once a hook was enabled.
/** @type {object[]} */
const kept = [];
process.nextTick(() => {
  kept.push(executionAsyncResource());
});

module.exports = kept;
