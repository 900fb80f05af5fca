import type { ClientSettings } from '../contestant.js';

/** What the documentation tells to set of ioredis, so that trouble stays small. */
export const ADVISED: ClientSettings = { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: 2_000 };
