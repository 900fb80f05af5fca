export { definePolicy } from './algorithms/policy-options.js';
export { subscribe, } from './events/events.js';
export { createGate } from './http/gate.js';
export {} from './http/gate-options.js';
export { byApiKey } from './http/keys/api-key.js';
export { by } from './http/keys/by.js';
export { compose } from './http/keys/compose.js';
export { byHeader } from './http/keys/header.js';
export { byIp } from './http/keys/ip.js';
export { byJwtSubject } from './http/keys/jwt-subject.js';
export { bySession } from './http/keys/session.js';
export { createLimiter } from './limiter/limiter.js';
export { refund, settle } from './limiter/of-decision.js';
export { ConfigError, isSluiceError, SluiceError, StoreError, UsageError } from './model/errors.js';
export { memoryStore } from './stores/memory/memory-store.js';
export { redisStore } from './stores/redis/redis-store.js';
//# sourceMappingURL=index.js.map