import { warn } from '../../../events/warning.js';

/** Settings of ioredis, as far as they decide how a limiter fails. */
interface Settings {
  readonly maxRetriesPerRequest?: number | null;
  readonly enableOfflineQueue?: boolean;
  readonly socketTimeout?: number;
  readonly role?: string;
  /** Of a group that Sentinels watch. */
  readonly sentinels?: readonly unknown[] | null;
  readonly failoverDetector?: boolean;
  /** Of a Cluster. */
  readonly retryDelayOnFailover?: number;
  readonly retryDelayOnClusterDown?: number;
  readonly redisOptions?: Settings;
}

/** Warns of settings of a caller's client that make trouble worse. They are looked at once, and left as they are. */
export function checkClientSettings(client: object): void {
  const { options, isCluster } = client as { options?: Settings; isCluster?: boolean };
  if (typeof options !== 'object' || options === null) return;
  const risks = isCluster === true ? clusterRisks(options) : connectionRisks(options);
  if (risks.length === 0) return;
  warn(
    'SLUICE_REDIS_CLIENT',
    `redisStore: settings of this ioredis client make trouble worse than it is: ${risks.join('; ')}. Or let the store connect: redisStore({ url })`,
  );
}

function connectionRisks(options: Settings): string[] {
  const { maxRetriesPerRequest = 20, enableOfflineQueue, socketTimeout, role, sentinels, failoverDetector } = options;
  return [
    maxRetriesPerRequest === 0
      ? ''
      : 'a hit whose reply is lost is sent again and counted twice: set maxRetriesPerRequest: 0',
    enableOfflineQueue === false ? '' : 'what cannot be sent is counted later: set enableOfflineQueue: false',
    socketTimeout ? '' : 'a connection that has gone silent is kept for minutes: set socketTimeout: 2000',
    sentinels && failoverDetector !== true
      ? 'a primary that was replaced is asked until it says so itself: set failoverDetector: true'
      : '',
    role === 'slave' ? 'a replica cannot count: leave role out' : '',
  ].filter(Boolean);
}

function clusterRisks(options: Settings): string[] {
  const { retryDelayOnFailover = 100, retryDelayOnClusterDown = 100, enableOfflineQueue, redisOptions = {} } = options;
  return [
    retryDelayOnFailover === 0
      ? ''
      : 'a hit whose reply is lost is sent again and counted twice: set retryDelayOnFailover: 0',
    retryDelayOnClusterDown === 0 ? '' : 'what was refused is counted later: set retryDelayOnClusterDown: 0',
    enableOfflineQueue === false ? '' : 'what cannot be sent is counted later: set enableOfflineQueue: false',
    redisOptions.maxRetriesPerRequest === 0
      ? ''
      : 'nodes send again what was lost: set redisOptions: { maxRetriesPerRequest: 0 }',
    redisOptions.socketTimeout
      ? ''
      : 'a connection that has gone silent is kept for minutes: set redisOptions: { socketTimeout: 2000 }',
  ].filter(Boolean);
}
