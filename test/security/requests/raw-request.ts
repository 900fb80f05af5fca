import { connect } from 'node:net';

export interface RawRequest {
  /** Header lines as they are written, a character a byte: no library is in between that puts anything right. */
  readonly lines?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly body?: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  /** Units that the bucket of the request has spent, by the headers: 1 for the first request of a bucket. */
  readonly spent: number;
}

/** Nothing takes so long, not on a busy machine either: what does, hangs. */
const PATIENCE = 10_000;

/** Sends a request, and resolves with what came back when the server has closed. */
export function ask(port: number, request: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').setTimeout(PATIENCE);
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('timeout', () => socket.destroy(new Error(`no end of an answer to ${JSON.stringify(request)}`)));
    socket.on('end', () => resolve(answerOf(text)));
    socket.on('error', reject);
    socket.write(bytesOf(request), 'latin1');
  });
}

/** JSON of nothing but ASCII: what it means is the same, whatever it is written in. */
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

function answerOf(text: string): RawAnswer {
  const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'im').exec(text)?.[1]);
  return {
    status: Number(/^HTTP\/1.1 (\d{3})/.exec(text)?.[1]),
    spent: field('x-ratelimit-limit') - field('x-ratelimit-remaining'),
  };
}
