import type { ProxyTrust } from '../request/proxy-check.js';

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
