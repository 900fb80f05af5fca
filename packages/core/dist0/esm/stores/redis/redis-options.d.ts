/**
 * Where the store's own client connects to: exactly one of `url`, `sentinels` and `cluster`. ioredis has to be
 * installed; its types are not needed.
 */
export interface RedisOptions {
    /** `redis://` or `rediss://` (TLS), with user, password and database as usual. */
    url?: string;
    /** Sentinels of a group, and the group's name. */
    sentinels?: readonly {
        host: string;
        port: number;
    }[];
    /** The name that Sentinels know the primary by. */
    name?: string;
    /** Some nodes of a Cluster: URLs, or hosts and ports. */
    cluster?: readonly (string | {
        host: string;
        port: number;
    })[];
    /**
     * What else ioredis takes to connect: `username`, `password`, `tls`, `db`, `sentinelPassword` and so on. What decides
     * how a limiter fails (time limits, retries, queues) cannot be overridden here.
     */
    connection?: Readonly<Record<string, unknown>>;
}
/**
 * Checks how to connect.
 *
 * @param fixed names of what the store decides itself
 * @throws ConfigError that names the option and the rule, and never a text: most of them hold passwords
 */
export declare function checkOptions(options: RedisOptions, fixed: readonly string[]): void;
//# sourceMappingURL=redis-options.d.ts.map