import type { ProxyTrust } from '../http/gate/proxy-check.js';

const trustByServer = new WeakMap<object, ProxyTrust>();

/** What the option `trustProxy` of a Fastify instance says. */
export function fastifyTrust(server: object): ProxyTrust {
  const known = trustByServer.get(server);
  if (known) return known;
  const trust = trustIn(optionsOf(server));
  trustByServer.set(server, trust);
  return trust;
}

function trustIn(options: { trustProxy?: unknown } | undefined): ProxyTrust {
  // A Fastify that keeps its options elsewhere is no reason to warn anybody.
  if (options === undefined) return 'some';
  const { trustProxy } = options;
  if (trustProxy === true) return 'all';
  if (!trustProxy) return 'none';
  // A number of hops has been ignored since 5.12.1, for anyone who reaches the application directly can claim them.
  return typeof trustProxy === 'number' ? 'ignored' : 'some';
}

/** Fastify tells its options to nobody, but under a symbol. */
function optionsOf(server: object): { trustProxy?: unknown } | undefined {
  for (let object = server; object !== null; object = Object.getPrototypeOf(object) as object) {
    const symbol = Object.getOwnPropertySymbols(object).find(({ description }) => description === 'fastify.options');
    if (symbol) return (object as Record<symbol, { trustProxy?: unknown }>)[symbol];
  }
  return undefined;
}
