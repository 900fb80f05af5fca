import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';

export const METHOD = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';

/** What a service has said to bytes that may be no call. */
export interface GrpcAnswer {
  /** Of HTTP. Undefined if the stream was reset before. */
  readonly http: number | undefined;
  /** `grpc-status`. */
  readonly status: number | undefined;
  readonly message: string | undefined;
  /** The bytes of a reply. Undefined without one. */
  readonly reply: Buffer | undefined;
  /** The code with which the stream was reset: 0 for one that has ended by itself. */
  readonly reset: number;
}

/** Headers of a call. Undefined for a header that is left out. */
export type GrpcHeaders = Readonly<Record<string, string | undefined>>;

/** Sends a call of gRPC as it is given, over HTTP/2 that is right. */
export async function callWith(port: number, body: Buffer, headers: GrpcHeaders = {}): Promise<GrpcAnswer> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  try {
    return await streamOf(session, body, headers);
  } finally {
    session.destroy();
  }
}

async function streamOf(session: ClientHttp2Session, body: Buffer, headers: GrpcHeaders): Promise<GrpcAnswer> {
  const all = {
    ':method': 'POST',
    ':path': METHOD,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const stream = session.request(sent);
  let first: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
  let last: IncomingHttpHeaders = {};
  stream.on('response', (given) => (first = given));
  stream.on('trailers', (given) => (last = given));
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.end(body);
  await once(stream, 'close').catch(() => undefined);
  const status = last['grpc-status'] ?? first['grpc-status'];
  const message = last['grpc-message'] ?? first['grpc-message'];
  return {
    http: first[':status'],
    status: status === undefined ? undefined : Number(status),
    message: message === undefined ? undefined : decodeURIComponent(String(message)),
    reply: chunks.length === 0 ? undefined : Buffer.concat(chunks).subarray(5),
    reset: stream.rstCode ?? constants.NGHTTP2_NO_ERROR,
  };
}

/** A message as gRPC frames it: a flag, four bytes of length, and the bytes. */
export function framed(message: Buffer, { flag = 0, length = message.length } = {}): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}
