import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byApiKey, byIp, createLimiter, memoryStore, rateLimit, redisStore } from '@sluice/express';

/**
 * An app, and the requests that it gets.
 *
 * @typedef {object} Setting
 * @property {import('express').Express} app
 * @property {readonly import('node:http').RequestOptions[]} requests
 * @property {string} [socketPath] where it listens, if not on a port
 * @property {() => unknown} [close]
 */

const limit = 100;
const window = /** @type {const} */ ('1h');
const plain = { path: '/' };
const forwarded = { path: '/', headers: { 'X-Forwarded-For': '198.51.100.7' } };
const presented = { path: '/', headers: { 'X-Api-Key': 'k-1' } };

/**
 * @param {typeof import('express')} express
 * @param {...import('express').RequestHandler} handlers
 */
function served(express, ...handlers) {
  const app = express();
  for (const handler of handlers) app.use(handler);
  return app.use((_request, response) => void response.send('served'));
}

/** @returns {Promise<number>} a port without a listener */
async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** @type {Record<string, (express: typeof import('express')) => Setting | Promise<Setting>>} */
export const settings = {
  // Settings that deserve a warning.

  trustInAll(express) {
    const app = served(express, rateLimit({ limit, window })).set('trust proxy', true);
    return { app, requests: [plain] };
  },

  forwardedUntrusted(express) {
    return { app: served(express, rateLimit({ limit, window })), requests: [plain, forwarded] };
  },

  forwardedByStandard(express) {
    const requests = [{ path: '/', headers: { Forwarded: 'for=198.51.100.7' } }];
    return { app: served(express, rateLimit({ limit, window })), requests };
  },

  addressUnreadable(express) {
    const app = served(express, rateLimit({ limit, window })).set('trust proxy', 1);
    return { app, requests: [{ path: '/', headers: { 'X-Forwarded-For': 'unknown' } }] };
  },

  unixSocket(express) {
    const socketPath = join(tmpdir(), `sluice-settings-${process.pid}.sock`);
    return { app: served(express, rateLimit({ limit, window })), requests: [plain], socketPath };
  },

  countedTwice(express) {
    const gate = rateLimit({ limit, window });
    return { app: served(express, gate, gate), requests: [plain] };
  },

  unboundedApiKeys(express) {
    return { app: served(express, rateLimit({ key: byApiKey(), limit, window })), requests: [presented] };
  },

  async storeUnavailable(express) {
    const store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
    const app = served(express, rateLimit({ store, name: 'hour', limit, window }));
    return { app, requests: [plain], close: () => store.close() };
  },

  storeClosed(express) {
    const store = memoryStore();
    store.close();
    return { app: served(express, rateLimit({ store, name: 'hour', limit, window })), requests: [plain] };
  },

  refundFailed(express) {
    const refundWhen = () => {
      throw new Error('mine');
    };
    return { app: served(express, rateLimit({ limit, window, refundWhen })), requests: [plain] };
  },

  tiersNotReused(express) {
    const tiers = () => [{ name: 'plan', key: byIp(), limit, window }];
    return { app: served(express, rateLimit({ tiers })), requests: Array.from({ length: 60 }, () => plain) };
  },

  severalAtOnce(express) {
    const gate = rateLimit({ key: byApiKey(), limit, window });
    const app = served(express, gate, gate).set('trust proxy', true);
    return { app, requests: [presented, plain] };
  },

  // Settings that do not.

  nothingSpecial(express) {
    return { app: served(express, rateLimit({ limit: 1, window })), requests: [plain, plain] };
  },

  addressFromACdn(express) {
    const key = byIp({ from: ({ headers }) => String(headers?.['cf-connecting-ip']) });
    const headers = { ...forwarded.headers, 'CF-Connecting-IP': '198.51.100.7' };
    return { app: served(express, rateLimit({ key, limit, window })), requests: [{ path: '/', headers }] };
  },

  trustInOneHop(express) {
    const app = served(express, rateLimit({ limit, window })).set('trust proxy', 1);
    return { app, requests: [plain, forwarded] };
  },

  trustInAnAddress(express) {
    const app = served(express, rateLimit({ limit, window })).set('trust proxy', 'loopback');
    return { app, requests: [plain, forwarded] };
  },

  unixSocketBehindProxy(express) {
    const socketPath = join(tmpdir(), `sluice-settings-${process.pid}.sock`);
    const app = served(express, rateLimit({ limit, window })).set('trust proxy', 1);
    return { app, requests: [forwarded], socketPath };
  },

  apiKeysBesideAddresses(express) {
    const gate = rateLimit({
      tiers: [
        { name: 'key', key: byApiKey(), limit, window },
        { name: 'ip', key: byIp(), limit, window },
      ],
    });
    return { app: served(express, gate), requests: [plain, presented] };
  },

  apiKeysBehindAddresses(express) {
    const gates = [rateLimit({ limit, window }), rateLimit({ key: byApiKey(), limit, window })];
    return { app: served(express, ...gates), requests: [plain, presented] };
  },

  apiKeysVerified(express) {
    /** @type {import('express').RequestHandler} */
    const verify = (request, _response, next) => {
      Object.assign(request, { account: request.get('x-api-key') });
      next();
    };
    const key = byApiKey({ from: (request) => Object(request).account });
    return { app: served(express, verify, rateLimit({ key, limit, window })), requests: [plain, presented] };
  },

  apiKeysMissing(express) {
    return { app: served(express, rateLimit({ key: byApiKey(), limit, window })), requests: [plain] };
  },

  severalLimiters(express) {
    const store = memoryStore();
    const limiter = createLimiter({ store, name: 'shared', key: byIp(), limit, window });
    const own = rateLimit({ store, name: 'own', limit, window, refundWhen: () => true, headers: ['draft-11'] });
    const app = express();
    app.use(own);
    app.get('/a', rateLimit(limiter), (_request, response) => void response.send('a'));
    app.get('/b', rateLimit({ limiter }), (_request, response) => void response.send('b'));
    return { app, requests: [{ path: '/a' }, { path: '/b' }, { path: '/a', method: 'HEAD' }] };
  },

  functionsThatFail(express) {
    const cost = () => {
      throw new Error('mine');
    };
    const app = express();
    app.use(rateLimit({ limit, window, cost }));
    /** @type {import('express').ErrorRequestHandler} */
    const onError = (_error, _request, response, _next) => void response.status(500).end();
    return { app: app.use(onError), requests: [plain] };
  },
};
