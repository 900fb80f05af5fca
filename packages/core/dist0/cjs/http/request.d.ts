/**
 * What identities and gates read of a request. Those of Express, Fastify and Node have it all, so one definition of
 * tiers serves every adapter; and an operator's `{ ip: '203.0.113.7' }` is enough for `limiter.reset`.
 */
export interface HttpRequest {
    readonly method?: string | undefined;
    readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
    /** The client's address as the framework tells it, which knows the proxies that are trusted. */
    readonly ip?: string | undefined;
    /** The peer, for requests that no framework has seen, such as an upgrade to WebSocket. */
    readonly socket?: HttpSocket | undefined;
    readonly query?: unknown;
    /** What express-jwt and others leave of a token that they have verified. */
    readonly auth?: unknown;
    /** What passport and @fastify/jwt leave of a caller that they have verified. */
    readonly user?: unknown;
    readonly session?: unknown;
    readonly sessionID?: unknown;
}
/** What is used of a connection. */
export interface HttpSocket {
    readonly remoteAddress?: string | undefined;
    readonly destroyed?: boolean;
    once?(event: 'close', listener: () => void): unknown;
}
/** The value of a header; of a field that came several times, as Node joins them. */
export declare function headerOf({ headers }: HttpRequest, name: string): string | undefined;
/**
 * A browser asks before it sends what it was told to: nothing is asked of the application yet. What has a body asks it
 * for something, whatever else it says.
 */
export declare function isPreflight(request: HttpRequest): boolean;
//# sourceMappingURL=request.d.ts.map