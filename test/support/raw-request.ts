import { connect } from 'node:net';

export interface RawRequest {
  /** Header lines as bytes, a character each. No library corrects them. */
  readonly lines?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly body?: string | undefined;
}

export interface RawResponse {
  readonly status: number;
  /** Units that the budget of the request has spent, by its headers: 1 for the first request. */
  readonly spent: number;
}

/** More than a busy machine needs: a response that takes longer never comes. */
const MAX_WAIT_MS = 30_000;

/** Sends a request, and resolves with the response when the server has closed the connection. */
export function sendRaw(port: number, request: RawRequest = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').setTimeout(MAX_WAIT_MS);
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('timeout', () => socket.destroy(new Error(`no end of a response to ${JSON.stringify(request)}`)));
    socket.on('end', () => resolve(parse(text)));
    socket.on('error', reject);
    socket.write(bytesOf(request), 'latin1');
  });
}

/** JSON in ASCII alone, so that a header can carry it. */
export function asciiJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escape);
}

/** A request as it goes over the wire. */
export function bytesOf({ lines = [], target = '/', body }: RawRequest): string {
  const own = lines.some((line) => /^connection:/i.test(line)) ? [] : ['Connection: close'];
  const content = body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'Host: site',
    ...lines,
    ...own,
    ...content,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function parse(text: string): RawResponse {
  const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'im').exec(text)?.[1]);
  return {
    status: Number(/^HTTP\/1.1 (\d{3})/.exec(text)?.[1]),
    spent: field('x-ratelimit-limit') - field('x-ratelimit-remaining'),
  };
}
