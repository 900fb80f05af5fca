import { memoryStore, type Store } from '@sluice/core';
import { fair } from '@sluice/overload/fair';
import { lines } from '@sluice/overload/line';
import { wireOf } from '@sluice/metrics/operations';
import { openPolicies, redisPolicies } from '@sluice/policies';
import { quotas } from '@sluice/quotas';
import type { RateLimitServer } from './rate-limit-server.js';
import { RunningServer } from './running-server.js';
import type { ServedRequest } from './deciding/served-request.js';
import { Service } from './deciding/service.js';
import { ReceiptSeal } from './receipts/receipt.js';
import { serverExtension } from './rules/server-extension.js';
import { readServeOptions, type ServeOptions } from './serve-options.js';

/**
 * Serves the limits of a file of policies to programs in any language: by Envoy's protocol and by HTTP.
 *
 * @throws ConfigError, as a rejection, for options and for a file that is refused
 * @example
 * const store = redisStore({ url: 'redis://127.0.0.1:6379' });
 * const server = await serve({ file: 'limits.yaml', secret: process.env.SLUICE_SECRET, store });
 * process.once('SIGTERM', () => void server.close());
 */
export async function serve(options: ServeOptions): Promise<RateLimitServer> {
  const read = readServeOptions(options);
  const { file, secret, formerSecrets = [], keys = {}, limiters = {} } = read;
  const { store = memoryStore() } = options;
  const ownSecret = read.plainIdentities ? {} : { secret };
  const { headers, prefix = 'rl', ...choices } = limiters;
  const service = new Service({
    file,
    limiterOptions: { ...choices, ...ownSecret, prefix, store },
    headers,
    seal: new ReceiptSeal([secret, ...formerSecrets], prefix),
    receiptLife: read.receipts,
  });
  const fleet = fleetOf(store, options.fleet);
  const policies = await openPolicies<ServedRequest>(file, {
    keys,
    plans: ({ plan }) => plan,
    features: [quotas, fair, lines, serverExtension((rules) => service.takeRules(rules))],
    ...(fleet !== undefined && { fleet }),
    ...ownSecret,
  });
  let running: RunningServer | undefined;
  try {
    running = new RunningServer({ service, policies, store }, read);
    await running.listen();
    return running;
  } catch (error) {
    await (running ?? policies).close();
    throw error;
  }
}

/** Policies in Redis, where the store is there. */
function fleetOf(store: Store, name: string | false | undefined) {
  if (name === false || (name === undefined && wireOf(store) === undefined)) return undefined;
  return redisPolicies(store, name === undefined ? {} : { name });
}
