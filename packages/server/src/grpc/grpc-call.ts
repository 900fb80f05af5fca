import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  type ServerStreamResponseOptions,
} from 'node:http2';
import type { GrpcConnection } from './grpc-connection.js';
import { FrameProblem, frameOf, messageIn, PREFIX_BYTES } from './message-frame.js';
import { type Failure, status } from './status.js';
import type { UntakenAnswers } from './untaken-answers.js';

export interface CallBounds {
  /** Of a message. */
  readonly bytes: number;
  /** Milliseconds in which a call must have sent its message. */
  readonly timeout: number;
}

/** What a call shares with others. */
interface CallPlace {
  readonly connection: GrpcConnection;
  readonly untaken: UntakenAnswers;
}

const CONTENT = { ':status': 200, 'content-type': 'application/grpc+proto' } as const;
const OPEN: ServerStreamResponseOptions = { waitForTrailers: true };
const LAST: ServerStreamResponseOptions = { endStream: true };
const UNIT_MS: Readonly<Record<string, number>> = { H: 3.6e6, M: 6e4, S: 1e3, m: 1, u: 1e-3, n: 1e-6 };
/** What a piece of a message takes beside its bytes: a client may send each byte alone. */
const CHUNK_BYTES = 256;
/** Of a timer of Node. */
const MAX_MS = 2 ** 31 - 1;

/** A call of gRPC on a stream of HTTP/2: one message comes in, and messages or a failure go out. */
export class GrpcCall {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #connection: GrpcConnection;
  readonly #untaken: UntakenAnswers;
  #alarm: NodeJS.Timeout | undefined;
  #isDone = false;
  #onGone: (() => void) | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, { connection, untaken }: CallPlace) {
    this.#stream = stream;
    this.#headers = headers;
    this.#connection = connection;
    this.#untaken = untaken;
    connection.begin();
    // A client that resets a stream is no error of the service.
    stream.on('error', () => undefined);
    stream.once('close', () => this.#close());
  }

  /** Is told once when the client no longer waits: it has gone, or the call has failed. */
  onGone(listener: () => void): void {
    this.#onGone = listener;
  }

  /** Reads the message of the call. A call that sends none in time, or a wrong one, fails. */
  read(bounds: CallBounds, take: (message: Buffer) => void, onFailure: (failure: Failure) => void): void {
    const fail = (failure: Failure) => {
      onFailure(failure);
      this.fail(failure);
    };
    const deadline = deadlineIn(this.#headers['grpc-timeout']);
    if (Number.isNaN(deadline)) {
      fail({
        code: status.INTERNAL,
        details: 'grpc-timeout must be a number of at most 8 digits with a unit, such as 20m',
      });
      return;
    }
    this.#arm(bounds.timeout, () =>
      fail({ code: status.DEADLINE_EXCEEDED, details: `no message came in ${bounds.timeout} ms` }),
    );
    this.#collect(bounds.bytes, fail, (bytes) => {
      clearTimeout(this.#alarm);
      // A queue may keep a request for longer than its client waits.
      if (deadline !== undefined) {
        const details = 'the deadline of the call has passed';
        this.#arm(deadline, () => fail({ code: status.DEADLINE_EXCEEDED, details }));
      }
      try {
        take(messageIn(bytes, this.#headers['grpc-encoding'], bounds.bytes));
      } catch (error) {
        if (!(error instanceof FrameProblem)) throw error;
        fail(error.failure);
      }
    });
  }

  /** Answers with one message. */
  answer(message: Uint8Array): void {
    if (!this.#open()) return;
    this.#onGone = undefined;
    this.#end(frameOf(message));
  }

  /** Sends one of several messages. */
  send(message: Uint8Array): void {
    if (this.#isDone || this.#stream.destroyed) return;
    if (!this.#stream.headersSent) this.#stream.respond(CONTENT, OPEN);
    this.#stream.write(frameOf(message));
  }

  /** Ends a call that has sent messages. */
  end(): void {
    if (this.#isDone || this.#stream.destroyed) return;
    this.#isDone = true;
    this.#end();
  }

  /** Ends the call with a code. What it still sends is not read. */
  fail({ code, details }: Failure): void {
    // One that has sent messages can only be cut.
    if (this.#stream.headersSent && !this.#isDone) this.#stream.close(constants.NGHTTP2_CANCEL);
    if (!this.#open(false)) return;
    const trailers = { 'grpc-status': String(code), 'grpc-message': encoded(details) };
    this.#stream.respond({ ...CONTENT, ...trailers }, LAST);
    this.#stop();
  }

  /** Answers what is no call of gRPC. */
  refuse(httpStatus: number): void {
    if (!this.#open(false)) return;
    this.#stream.respond({ ':status': httpStatus }, LAST);
    this.#stop();
  }

  /** Whether it may still be answered. Afterwards it may not. */
  #open(hasMessage = true): boolean {
    const { destroyed, headersSent } = this.#stream;
    if (this.#isDone || destroyed || headersSent) return false;
    this.#isDone = true;
    clearTimeout(this.#alarm);
    if (hasMessage) this.#stream.respond(CONTENT, OPEN);
    return true;
  }

  #end(frame?: Buffer): void {
    this.#untaken.add(this.#stream);
    this.#stream.once('wantTrailers', sendOk);
    this.#stream.end(frame);
  }

  #stop(): void {
    this.#stream.resume();
    this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #arm(milliseconds: number, act: () => void): void {
    this.#alarm = setTimeout(act, Math.min(milliseconds, MAX_MS)).unref();
  }

  #collect(most: number, fail: (failure: Failure) => void, done: (bytes: Buffer) => void): void {
    const chunks: Buffer[] = [];
    let length = 0;
    this.#stream.on('data', (chunk: Buffer) => {
      if (this.#isDone) return;
      length += chunk.length;
      chunks.push(chunk);
      const problem = this.#connection.keep(chunk.length + CHUNK_BYTES) ?? sizeProblem(length, most);
      if (problem !== undefined) fail({ code: status.RESOURCE_EXHAUSTED, details: problem });
    });
    const drop = () => {
      this.#connection.drop(length + chunks.length * CHUNK_BYTES);
      length = 0;
      return chunks.splice(0);
    };
    this.#stream.once('close', drop);
    this.#stream.once('end', () => {
      const [first, ...others] = drop();
      if (this.#isDone) return;
      done(first !== undefined && others.length === 0 ? first : Buffer.concat([first ?? Buffer.alloc(0), ...others]));
    });
  }

  #close(): void {
    clearTimeout(this.#alarm);
    this.#untaken.delete(this.#stream);
    this.#connection.end();
    this.#isDone = true;
    this.#onGone?.();
  }
}

function sendOk(this: ServerHttp2Stream): void {
  this.sendTrailers({ 'grpc-status': '0' });
}

function sizeProblem(length: number, most: number): string | undefined {
  return length > most + PREFIX_BYTES ? `a message must have at most ${most} bytes, and this one is larger` : undefined;
}

/** Milliseconds. Undefined without one, and NaN for what is none. */
function deadlineIn(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  return digits === undefined ? NaN : Number(digits) * UNIT_MS[unit!]!;
}

/** As gRPC has texts in headers: what is not printable, and percent signs, as UTF-8. */
function encoded(details: string): string {
  return details.toWellFormed().replaceAll(/[^ -$&-~]/gu, encodeURIComponent);
}
