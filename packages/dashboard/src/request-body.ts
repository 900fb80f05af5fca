import type { IncomingMessage } from 'node:http';
import { HttpFailure } from './http-failure.js';

const MAX_BYTES = 8_192;
/** Milliseconds in which the body must have come. */
const PATIENCE_MS = 10_000;
/** What a regular expression finds in the text of JSON: its strings, with the colon after those that are keys. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * The JSON of a request. A parser of the application may have read it before, with a bound of its own.
 *
 * @throws HttpFailure 408, 413, 415, 400
 */
export async function readBody(request: IncomingMessage & { readonly body?: unknown }): Promise<object> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new HttpFailure(415, 'send application/json, in UTF-8');
  }
  const { body: parsed } = request;
  if (parsed !== undefined) return objectIn(bounded(textOfParsed(parsed)));
  if (coding !== 'identity') throw new HttpFailure(415, 'send the body as it is, without content-encoding');
  return objectIn(await textOf(request));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = new HttpFailure(408, `send the body within ${PATIENCE_MS / 1e3} seconds`);
    timer = setTimeout(() => reject(failure), PATIENCE_MS).unref();
  });
  try {
    const bytes = await Promise.race([bytesOf(request), late]);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof HttpFailure) throw error;
    throw notAnObject();
  } finally {
    clearTimeout(timer);
    // A client reads the answer when it has sent all of its request.
    request.resume();
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request that was destroyed would take the connection of the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

function objectIn(text: string): object {
  const value = parse(text);
  if (typeof value !== 'object' || value === null) throw notAnObject();
  const names = [...text.matchAll(STRING)].filter(([, colon]) => colon !== undefined).length;
  // A proxy or a log may have read the first of them, and JSON.parse takes the last.
  if (names > keysIn(value)) throw new HttpFailure(400, 'send each field once');
  return value;
}

/** In all objects. The stack has no room for a value as deep as a body can be. */
function keysIn(value: object): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const values: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += values.length;
    open.push(...values);
  }
  return count;
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
