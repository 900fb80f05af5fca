import { warn } from '@sluice/core/internal';
import type { RedisClient } from './redis-client.js';

/** Settings of ioredis. */
type Settings = Readonly<Record<string, unknown>>;

/** Warns of settings of a caller's client that double-count requests or hide outages. It changes no setting. */
export function warnOfSettings(client: object): void {
  const { options, isCluster, resetConnection } = client as Partial<RedisClient> & { options?: Settings };
  if (typeof options !== 'object' || options === null) return;
  const isReset = resetConnection !== undefined;
  const risks = isCluster === true ? clusterRisks(options) : connectionRisks(options, isReset);
  if (risks.length === 0) return;
  warn(
    'SLUICE_REDIS_CLIENT_SETTINGS',
    `redisStore: this ioredis client's settings can double-count requests or hide an outage: ${risks.join('; ')}. Or let the store connect: redisStore({ url })`,
  );
}

const COUNTED_TWICE = 'a request whose reply is lost is sent again and counted twice';
const COUNTED_LATER = 'a request that cannot be sent is counted later: set enableOfflineQueue: false';
const SILENT = 'a silent connection stays open for minutes';

/** @param isReset the store can replace the connection of the client */
function connectionRisks(options: Settings, isReset: boolean): string[] {
  const { maxRetriesPerRequest, enableOfflineQueue, socketTimeout, role, sentinels, failoverDetector } = options;
  const { reconnectOnError } = options;
  return [
    maxRetriesPerRequest === 0 ? '' : `${COUNTED_TWICE}: set maxRetriesPerRequest: 0`,
    enableOfflineQueue === false ? '' : COUNTED_LATER,
    socketTimeout || isReset ? '' : `${SILENT}: set socketTimeout: 2000`,
    reconnectOnError || isReset
      ? ''
      : `after a failover it stays with the old master: set reconnectOnError: ({ message }) => (/^(READONLY|MASTERDOWN)/.test(message) ? 1 : false)`,
    sentinels && failoverDetector !== true
      ? 'a replaced primary receives requests until it reports the failover itself: set failoverDetector: true'
      : '',
    role === 'slave' ? 'a replica cannot count: remove role' : '',
  ].filter(Boolean);
}

function clusterRisks(options: Settings): string[] {
  const { retryDelayOnFailover, retryDelayOnClusterDown, enableOfflineQueue } = options;
  const redisOptions = Object(options['redisOptions']) as Settings;
  return [
    retryDelayOnFailover === 0 ? '' : `${COUNTED_TWICE}: set retryDelayOnFailover: 0`,
    retryDelayOnClusterDown === 0 ? '' : 'a rejected request is counted later: set retryDelayOnClusterDown: 0',
    enableOfflineQueue === false ? '' : COUNTED_LATER,
    redisOptions['maxRetriesPerRequest'] === 0
      ? ''
      : 'nodes send a lost request again: set redisOptions: { maxRetriesPerRequest: 0 }',
    redisOptions['socketTimeout'] ? '' : `${SILENT}: set redisOptions: { socketTimeout: 2000 }`,
  ].filter(Boolean);
}
