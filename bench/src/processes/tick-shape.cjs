const { createHook } = require('node:async_hooks');

// Preloaded in every process that is measured. The objects that `process.nextTick` makes have a shape that V8 forgets when
// a full collection finds none of them, and from then on Node makes each of them the slow way: a Fastify server that this
// happens to while it starts answers a third fewer requests. So one of them is kept. Whether it happens is for the memory
// that starting takes to say, and not for the limiter.
/** @type {object[]} */
const kept = [];
const hook = createHook({
  init(_id, type, _trigger, resource) {
    if (type === 'TickObject') kept.push(resource);
  },
}).enable();
process.nextTick(() => kept);
hook.disable();

module.exports = kept;
