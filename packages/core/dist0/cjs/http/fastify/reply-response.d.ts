import type { GateResponse } from '../gate-response.js';
/** What a gate uses of a reply of Fastify, which NestJS may run on as well. */
export interface FastifyReplyLike {
    readonly raw: GateResponse;
    readonly sent: boolean;
    getHeader(name: string): number | string | readonly string[] | undefined;
    header(name: string, value: string): unknown;
}
/** A reply as a gate sees it: headers go the way of Fastify, and life is that of Node's response. */
export declare class ReplyResponse implements GateResponse {
    #private;
    constructor(reply: FastifyReplyLike);
    get statusCode(): number;
    /** A reply that was hijacked is somebody else's, and its headers are. */
    get headersSent(): boolean;
    get writableEnded(): boolean;
    get destroyed(): boolean;
    getHeader(name: string): number | string | readonly string[] | undefined;
    setHeader(name: string, value: string): void;
    end(): void;
    once(event: 'close' | 'finish', listener: () => void): void;
    off(event: 'close' | 'finish', listener: () => void): void;
}
//# sourceMappingURL=reply-response.d.ts.map