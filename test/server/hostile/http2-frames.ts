import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { METHOD } from './grpc-call.js';

/** Types of frames of HTTP/2. */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Flags of frames. */
export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

interface FrameHead {
  readonly flags?: number;
  readonly stream?: number;
  /** As the frame says, which may be another than that of its bytes. */
  readonly length?: number;
}

export function frame(type: number, payload: Buffer, { flags = 0, stream = 0, length }: FrameHead = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The block of the headers of a call, each as a literal that no table keeps. */
export function headerBlock(headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': METHOD,
    ':authority': 'a',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  };
  return Buffer.concat(Object.entries(all).map(([name, value]) => literal(name, value)));
}

export function callHeaders(stream: number, flags = END_HEADERS): Buffer {
  return frame(HEADERS, headerBlock(), { flags, stream });
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** Without Huffman. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** An integer with a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** The value of a setting, by its number. */
export function settings(values: Readonly<Record<number, number>> = {}): Buffer {
  const payload = Object.entries(values).map(([id, value]) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt16BE(Number(id));
    bytes.writeUInt32BE(value, 2);
    return bytes;
  });
  return frame(SETTINGS, Buffer.concat(payload));
}

/** A connection that sends what it is given, and keeps what it gets only as far as its end. */
export class RawConnection {
  readonly socket: Socket;
  /** The types of the frames that it has got. */
  readonly got: number[] = [];
  readonly closed: Promise<void>;
  #left = Buffer.alloc(0);

  constructor(port: number, { reads = true } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => resolve());
      this.socket.once('end', () => resolve());
    });
    if (reads) this.socket.on('data', (bytes: Buffer) => this.#read(bytes));
  }

  /** Opens HTTP/2. */
  static http2(port: number, values: Readonly<Record<number, number>> = {}): RawConnection {
    const connection = new RawConnection(port);
    connection.send(PREFACE, settings(values));
    return connection;
  }

  send(...frames: readonly Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(frames));
  }

  /** Sends as fast as it is taken. @returns false if the connection has been closed */
  async pour(bytes: Buffer): Promise<boolean> {
    if (this.socket.destroyed || !this.socket.writable) return false;
    if (this.socket.write(bytes)) return true;
    // The service has closed its half: what is sent from now on is read by nobody.
    const isClosed = this.closed.then(() => false);
    return Promise.race([once(this.socket, 'drain').then(Boolean, () => false), isClosed]);
  }

  close(): void {
    this.socket.destroy();
  }

  #read(bytes: Buffer): void {
    let rest = Buffer.concat([this.#left, bytes]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      this.got.push(rest[3]!);
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
    this.#left = rest;
  }
}
