// grpc/ serves Envoy's protocol of rate limits, and the health of the service. Calls of gRPC enter, and decisions leave.
// It imports rules, deciding and protobuf.
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Access } from '../access/access.js';
import { listening } from '../access/listening.js';
import { secureContextOf, type TlsFiles } from '../access/tls-files.js';
import { ServedResponse } from '../deciding/served-response.js';
import { type CallBounds, GrpcCall } from './grpc-call.js';
import { GrpcConnection } from './grpc-connection.js';
import { HealthService } from './health-service.js';
import type { RateLimitService } from './rate-limit-service.js';
import { type Failure, status, type StatusCode } from './status.js';
import { UntakenAnswers } from './untaken-answers.js';

const RATE_LIMIT = 'envoy.service.ratelimit.v3.RateLimitService';
const HEALTH = 'grpc.health.v1.Health';

type OnCall = (code: StatusCode, isOverLimit: boolean) => void;

export interface GrpcPortContext {
  readonly service: RateLimitService;
  readonly access: Access;
  readonly tls: TlsFiles | undefined;
  /** Is told the code of each call. */
  readonly onCall: OnCall;
  readonly onFailure: (error: unknown) => void;
  readonly bounds: CallBounds & { readonly connections: number };
}

/** Calls of a connection at the same time. */
const MAX_CALLS = 1_000;
/** Of unfinished messages of a connection. */
const MAX_KEPT_BYTES = 1_048_576;
const MAX_HEADER_BYTES = 16_384;
const LOOK_MS = 60_000;
const UNSUPPORTED = 415;

/** The port of gRPC, on the HTTP/2 of Node: a call costs half of what it costs with the server of `@grpc/grpc-js`. */
export class GrpcPort {
  readonly health = new HealthService([RATE_LIMIT]);
  readonly #context: GrpcPortContext;
  readonly #server: Http2Server | Http2SecureServer;
  readonly #connections = new Map<ServerHttp2Session, GrpcConnection>();
  readonly #sockets = new Set<Socket>();
  readonly #untaken: UntakenAnswers;
  readonly #looks: NodeJS.Timeout;
  #newest: GrpcConnection | undefined;
  #isClosing = false;

  constructor(context: GrpcPortContext) {
    const { bounds, tls } = context;
    this.#context = context;
    this.#untaken = new UntakenAnswers(bounds.timeout);
    const settings = { maxConcurrentStreams: MAX_CALLS, maxHeaderListSize: MAX_HEADER_BYTES, enablePush: false };
    this.#server =
      tls === undefined
        ? createServer({ settings })
        : createSecureServer({
            settings,
            ...secureContextOf(tls),
            requestCert: tls.clientCa !== undefined,
            handshakeTimeout: bounds.timeout,
          });
    this.#server.maxConnections = bounds.connections;
    this.#server.on('session', (session: ServerHttp2Session) => this.#take(session));
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // Node makes the session in the same turn, before it tells others of the socket.
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.#newest?.hold(socket);
      this.#newest = undefined;
    });
    this.#server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
      this.#serve(stream, headers),
    );
    this.#looks = setInterval(() => {
      this.#untaken.sweep();
      for (const connection of this.#connections.values()) connection.look();
    }, LOOK_MS).unref();
  }

  /** @returns the port that was taken */
  listen(port: number, host: string): Promise<number> {
    return listening(this.#server, port, host);
  }

  /** Connections from now on have these certificates. Only of a port that had some. */
  secure(tls: TlsFiles): void {
    (this.#server as Http2SecureServer).setSecureContext(secureContextOf(tls));
  }

  /** Takes no new connection, and ends the others when their calls have been answered. @param grace in milliseconds */
  async close(grace: number): Promise<void> {
    this.#isClosing = true;
    this.health.stop();
    clearInterval(this.#looks);
    const alarm = setTimeout(() => {
      this.#forEach((connection) => connection.destroy());
      for (const socket of this.#sockets) socket.destroy();
    }, grace).unref();
    const drained = Promise.all([...this.#connections.keys()].map(endOf));
    this.#forEach((connection) => connection.drain());
    await drained;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    clearTimeout(alarm);
  }

  #take(session: ServerHttp2Session): void {
    const { bytes, timeout } = this.#context.bounds;
    const connection = new GrpcConnection(session, Math.max(MAX_KEPT_BYTES, 4 * bytes));
    connection.awaitGreeting(timeout);
    this.#newest = connection;
    this.#connections.set(session, connection);
    session.once('close', () => this.#connections.delete(session));
    if (this.#isClosing) session.close();
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const connection = this.#connections.get(stream.session as ServerHttp2Session);
    if (connection === undefined) return;
    const { access, bounds } = this.#context;
    const call = new GrpcCall(stream, headers, { connection, untaken: this.#untaken });
    const type = headers['content-type'] ?? '';
    if (headers[':method'] !== 'POST' || !/^application\/grpc(\+proto)? *(;|$)/.test(type)) {
      call.refuse(UNSUPPORTED);
      return;
    }
    const path = headers[':path'] ?? '';
    const onCall = once(this.#context.onCall);
    const tell = ({ code }: Failure) => onCall(code, false);
    const fail = (failure: Failure) => {
      tell(failure);
      call.fail(failure);
    };
    const method = this.#methodOf(path, call, onCall);
    if (method === undefined) fail({ code: status.UNIMPLEMENTED, details: 'there is no such method' });
    else if (!path.startsWith(`/${HEALTH}/`) && !access.admits(headers.authorization)) {
      fail({
        code: status.UNAUTHENTICATED,
        details: 'the call needs the token of the service: authorization: Bearer TOKEN',
      });
    } else call.read(bounds, method, tell);
  }

  #methodOf(path: string, call: GrpcCall, onCall: OnCall): ((message: Buffer) => void) | undefined {
    if (path === `/${RATE_LIMIT}/ShouldRateLimit`) return (message) => this.#decide(message, call, onCall);
    if (path === `/${HEALTH}/Check`) return (message) => this.health.check(message, call);
    return path === `/${HEALTH}/Watch` ? (message) => this.health.watch(message, call) : undefined;
  }

  #decide(message: Buffer, call: GrpcCall, onCall: OnCall): void {
    const { service, onFailure } = this.#context;
    const response = new ServedResponse();
    call.onGone(() => response.close());
    service.shouldRateLimit(message, response).then(
      (answer) => {
        if ('bytes' in answer) {
          onCall(status.OK, answer.isOverLimit);
          call.answer(answer.bytes);
          return;
        }
        onCall(answer.code, false);
        call.fail(answer);
      },
      (error: unknown) => {
        onFailure(error);
        call.fail({ code: status.INTERNAL, details: 'the service has failed: its log says why' });
      },
    );
  }

  #forEach(act: (connection: GrpcConnection) => void): void {
    for (const connection of this.#connections.values()) act(connection);
  }
}

/** One that has passed its deadline ends again when it has left its queue. */
function once(tell: OnCall): OnCall {
  let isTold = false;
  return (code, isOverLimit) => {
    if (!isTold) tell(code, isOverLimit);
    isTold = true;
  };
}

function endOf(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => session.once('close', () => resolve()));
}
