import type { ProxyTrust } from '../http/gate/proxy-check.js';

/** The members of an Express application that are used here. */
export interface ExpressAppLike {
  get(setting: string): unknown;
}

/** The setting `trust proxy` of an Express application. */
export function expressTrust(app: ExpressAppLike): ProxyTrust {
  const setting = app.get('trust proxy');
  if (setting === true) return 'all';
  return setting ? 'some' : 'none';
}

/**
 * `res.locals` of a request, to carry its state. Express gives each request its own hidden class, so adding a property
 * to the request takes longer than a decision (docs/decisions/0028-request-state.md).
 */
export function expressLocals(request: object): object | undefined {
  const locals = (request as { res?: { locals?: unknown } | null }).res?.locals;
  return typeof locals === 'object' && locals !== null && Object.isExtensible(locals) ? locals : undefined;
}
