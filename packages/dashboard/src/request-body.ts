import type { IncomingMessage } from 'node:http';
import { HttpFailure } from './http-failure.js';

const MAX_BYTES = 8_192;

/**
 * The JSON of a request. A parser of the application may have read it before, with a bound of its own.
 *
 * @throws HttpFailure 413, 415, 400
 */
export async function readBody(request: IncomingMessage & { readonly body?: unknown }): Promise<object> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new HttpFailure(415, 'send application/json');
  const { body: parsed } = request;
  const body = parse(parsed === undefined ? await textOf(request) : bounded(textOfParsed(parsed)));
  if (typeof body !== 'object' || body === null) throw notAnObject();
  return body;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // A request that was destroyed would take the connection of the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw tooLong();
      chunks.push(chunk);
    }
  } finally {
    // A client reads the answer when it has sent all of its request.
    request.resume();
  }
  return Buffer.concat(chunks).toString();
}

/** What a parser has made: a value of JSON, or the text itself. */
function textOfParsed(parsed: unknown): string {
  if (typeof parsed === 'string' || Buffer.isBuffer(parsed)) return parsed.toString();
  try {
    return JSON.stringify(parsed) ?? '';
  } catch {
    throw notAnObject();
  }
}

function bounded(text: string): string {
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLong();
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notAnObject();
  }
}

function tooLong(): HttpFailure {
  return new HttpFailure(413, `send at most ${MAX_BYTES} bytes`);
}

function notAnObject(): HttpFailure {
  return new HttpFailure(400, 'send a JSON object');
}
