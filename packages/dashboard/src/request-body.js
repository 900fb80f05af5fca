import { HttpFailure } from './http-failure.js';
const MAX_BYTES = 8_192;
/**
 * The JSON of a request. A framework may have parsed it before.
 *
 * @throws HttpFailure 413, 415, 400
 */
export async function readBody(request) {
    const type = request.headers['content-type'] ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type))
        throw new HttpFailure(415, 'send application/json');
    const body = request.body === undefined ? parse(await textOf(request)) : request.body;
    if (typeof body !== 'object' || body === null)
        throw new HttpFailure(400, 'send a JSON object');
    return body;
}
async function textOf(request) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of request) {
        bytes += chunk.length;
        if (bytes > MAX_BYTES)
            throw new HttpFailure(413, `send at most ${MAX_BYTES} bytes`);
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        throw new HttpFailure(400, 'send a JSON object');
    }
}
