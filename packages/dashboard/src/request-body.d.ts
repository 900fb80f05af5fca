import type { IncomingMessage } from 'node:http';
/**
 * The JSON of a request. A framework may have parsed it before.
 *
 * @throws HttpFailure 413, 415, 400
 */
export declare function readBody(request: IncomingMessage & {
    readonly body?: unknown;
}): Promise<object>;
