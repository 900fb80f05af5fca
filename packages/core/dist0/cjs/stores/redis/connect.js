"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
Object.defineProperty(exports, "__esModule", { value: true });
exports.connect = connect;
const errors_js_1 = require("../../model/errors.js");
const own_client_js_1 = require("./own-client.js");
const redis_options_js_1 = require("./redis-options.js");
// Nothing waits in a queue to be counted later, nothing is sent twice, and a peer that has gone silent is found out.
const CONNECTION = {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    sentinelCommandTimeout: 1_000,
    socketTimeout: 2_000,
    // A store that is closed while its server is away keeps the process up for as long.
    disconnectTimeout: 250,
    keepAlive: 10_000,
    maxLoadingRetryTime: 1_000,
    noDelay: true,
    enableReadyCheck: true,
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(50 * 2 ** (attempt - 1), 1_000) + Math.random() * 200,
    sentinelRetryStrategy: (attempt) => Math.min(50 * 2 ** (attempt - 1), 500) + Math.random() * 100,
    // A demoted primary: connect anew, and do not send again what it refused.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 1 : false),
};
const SENTINEL = {
    // A primary that was replaced may be frozen, or well and not know it yet: what it counts is lost. Sentinels tell.
    failoverDetector: true,
    sentinelReconnectStrategy: () => 5_000 + Math.random() * 1_000,
};
const CLUSTER = {
    enableOfflineQueue: false,
    lazyConnect: true,
    // Its check asks any node, one that has not connected yet as well, and begins anew when that fails.
    enableReadyCheck: false,
    slotsRefreshInterval: 5_000,
    clusterRetryStrategy: (attempt) => Math.min(100 * attempt, 1_000) + Math.random() * 100,
    maxRedirections: 8,
    // Sent again later is counted for a request that has had its answer, or twice. Keys that are being moved are whole in
    // a moment.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 5,
};
/** Options of a Cluster itself, behind a NAT or with certificates that name hosts. */
const LOCATING = new Set(['natMap', 'dnsLookup', 'useSRVRecords', 'resolveSrv']);
/**
 * Makes a client with the settings that a limiter needs, which connects at once.
 *
 * @throws ConfigError
 */
function connect(options) {
    (0, redis_options_js_1.checkOptions)(options, Object.keys({ ...CONNECTION, ...SENTINEL }));
    return new own_client_js_1.OwnClient(() => open(options), options.cluster !== undefined);
}
async function open({ url, sentinels, name, cluster, connection }) {
    const { Redis, Cluster, SentinelConnector } = await load();
    const settings = { connectionName: 'ratelimit', ...connection, ...CONNECTION };
    // What comes first wins, and a URL may have settings in it.
    if (url !== undefined)
        return new Redis(CONNECTION, url, settings);
    if (sentinels)
        return new Redis({ ...settings, ...SENTINEL, sentinels, name, Connector: quiet(SentinelConnector) });
    // A Cluster retries by settings of its own, and a node that waits to be asked would keep the first who asks waiting.
    const { retryStrategy: _retry, ...node } = settings;
    // Where its nodes are is for a Cluster to know, and not for them.
    const where = Object.fromEntries(Object.entries(node).filter(([option]) => LOCATING.has(option)));
    return new Cluster(cluster, { ...CLUSTER, ...where, redisOptions: { ...node, lazyConnect: false } });
}
/** Listens for failovers, prints nothing about Sentinels that are gone, and does not listen on when it is to end. */
function quiet(SentinelConnector) {
    return class extends SentinelConnector {
        connectToSentinel(where, settings) {
            const { disconnectTimeout } = CONNECTION;
            const client = super.connectToSentinel(where, { ...settings, disconnectTimeout });
            client.on('error', () => undefined);
            return client;
        }
        async initFailoverDetector() {
            if (this.connecting)
                await super.initFailoverDetector();
        }
    };
}
async function load() {
    try {
        return (await Promise.resolve().then(() => __importStar(require('ioredis'))));
    }
    catch (cause) {
        throw new errors_js_1.StoreError('STORE_UNAVAILABLE', 'redisStore needs ioredis to connect: npm install ioredis', { cause });
    }
}
//# sourceMappingURL=connect.js.map