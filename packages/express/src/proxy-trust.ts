import type { ProxyTrust } from '@sluice/core';
import type { Request } from 'express';

/** What the setting `trust proxy` of the app says. */
export function trustOf({ app }: Request): ProxyTrust {
  const setting: unknown = app.get('trust proxy');
  if (setting === true) return 'all';
  return setting ? 'some' : 'none';
}
