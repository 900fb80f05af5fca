import { byApiKey, byIp, loginTiers, rateLimit, signedIn } from '@sluice/hono';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { streamSSE } from 'hono/streaming';

/** @import { HonoSubject, Store, Tier } from '@sluice/hono' */

/** @type {Readonly<Record<string, string>>} */
const passwords = { ada: 'lovelace' };

/** @param {Store} store counts the requests */
export function createApp(store) {
  // Behind a proxy all clients share its address, unless the app trusts it: trustProxy: ['loopback'], or its network.
  const common = { store, headers: /** @type {const} */ (['x-ratelimit', 'draft-11']) };
  // One tier on two routes is one budget: searches also use up the public route.
  /** @type {Tier<HonoSubject>} */
  const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' };

  const app = new Hono();
  // Before the limits, so that browsers can read a denial.
  app.use(cors());
  app.get('/health', (c) => c.json({ healthy: true }));
  app.get('/public', rateLimit({ ...common, tiers: [address] }), (c) => c.json({ news: 'Everyone can read this.' }));
  app.get('/search', rateLimit({ ...common, tiers: [address], cost: 5 }), (c) => c.json({ found: [] }));

  // Invented keys use up the limit of their address.
  const items = { name: 'items', key: byApiKey(), limit: 5, window: '1m' };
  const itemsAddress = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
  app.get('/items', rateLimit({ ...common, tiers: [itemsAddress, items] }), (c) => c.json({ items: [] }));

  // Failures cost time, by account and network: the account that the client has sent, whether it exists or not.
  const tiers = loginTiers({
    account: async (/** @type {HonoSubject} */ { context }) => (await credentialsOf(context.req.raw))['user'],
  });
  // Without Redis each process would allow guesses of its own, so logins are denied.
  app.post('/login', rateLimit({ store, tiers, onStoreFailure: 'deny' }), async (c) => {
    if (!isRight(await credentialsOf(c.req.raw))) return c.json({ error: 'wrong user or password' }, 401);
    // The network of the client is known from now on.
    await signedIn(c.get('rateLimit'));
    return c.json({ welcome: true });
  });

  // A client may have two streams open. A place is free again when a stream ends, or its client leaves.
  app.get('/ticks', rateLimit({ ...common, name: 'streams', key: byIp(), algorithm: 'concurrency', limit: 2 }), (c) =>
    streamSSE(c, async (stream) => {
      while (!stream.aborted) {
        await stream.writeSSE({ data: 'tick' });
        await stream.sleep(100);
      }
    }),
  );
  return app;
}

/**
 * The body of a sign-in, which the limit and the handler read.
 *
 * @param {Request} request
 * @returns {Promise<Record<string, unknown>>}
 */
async function credentialsOf(request) {
  /** @type {unknown} */
  const body = await request
    .clone()
    .json()
    .catch(() => ({}));
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** @param {Record<string, unknown>} credentials */
function isRight({ user, password }) {
  return typeof user === 'string' && Object.hasOwn(passwords, user) && passwords[user] === password;
}
