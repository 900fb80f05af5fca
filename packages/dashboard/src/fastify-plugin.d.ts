import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mounted } from './mounted.js';
/** The members of Fastify that the dashboard needs: it does not depend on Fastify. */
interface FastifyLike {
    readonly prefix: string;
    removeAllContentTypeParsers(): void;
    addContentTypeParser(type: string, parser: (request: unknown, payload: unknown, done: (error: null) => void) => void): unknown;
    all(path: string, handler: (request: {
        raw: IncomingMessage;
    }, reply: FastifyReplyLike) => void): unknown;
}
interface FastifyReplyLike {
    readonly raw: ServerResponse;
    hijack(): unknown;
    getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
}
/** `await app.register(dashboard.fastify, { prefix: '/sluice' })`. */
export type FastifyPlugin = (app: FastifyLike, options: unknown, done: () => void) => void;
/** Serves all paths below the prefix of a registration. */
export declare function fastifyPlugin(serve: (mounted: Mounted) => Promise<void>): FastifyPlugin;
export {};
