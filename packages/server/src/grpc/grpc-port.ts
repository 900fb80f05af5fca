// grpc/ serves Envoy's protocol of rate limits, and the health of the service. Calls of gRPC enter, and decisions leave.
// It imports rules, deciding and protobuf.
import { createServer } from 'node:net';
import {
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import type { Access } from '../access/access.js';
import { listening } from '../access/listening.js';
import type { TlsFiles } from '../access/tls-files.js';
import { ServedResponse } from '../deciding/served-response.js';
import { HealthService } from './health-service.js';
import type { RateLimitService } from './rate-limit-service.js';

export const RATE_LIMIT = 'envoy.service.ratelimit.v3.RateLimitService';
const HEALTH = 'grpc.health.v1.Health';

const bytesOf = (bytes: Buffer): Buffer => bytes;
/** Bytes as they are, because an error of a serializer has no message for the client. */
const BYTES = {
  requestSerialize: bytesOf,
  requestDeserialize: bytesOf,
  responseSerialize: bytesOf,
  responseDeserialize: bytesOf,
} as const;

const RATE_LIMIT_METHODS: ServiceDefinition = {
  ShouldRateLimit: { path: `/${RATE_LIMIT}/ShouldRateLimit`, requestStream: false, responseStream: false, ...BYTES },
};
const HEALTH_METHODS: ServiceDefinition = {
  Check: { path: `/${HEALTH}/Check`, requestStream: false, responseStream: false, ...BYTES },
  Watch: { path: `/${HEALTH}/Watch`, requestStream: false, responseStream: true, ...BYTES },
};

export interface GrpcPortContext {
  readonly service: RateLimitService;
  readonly access: Access;
  readonly tls: TlsFiles | undefined;
  /** Is told the code of each call. */
  readonly onCall: (code: status, isOverLimit: boolean) => void;
  readonly onFailure: (error: unknown) => void;
  readonly bounds: {
    readonly bytes: number;
    readonly connections: number;
    /** Milliseconds in which a call must have sent its message. */
    readonly timeout: number;
  };
}

/** Streams of a connection at the same time. Each holds at most one message. */
const MAX_STREAMS = 1_000;
const IDLE_MS = 300_000;
const KEEPALIVE_MS = 60_000;

/** The port of gRPC. The connections are of its own, because the server of gRPC bounds only their streams. */
export class GrpcPort {
  readonly health = new HealthService([RATE_LIMIT]);
  readonly #server: Server;
  readonly #net;
  readonly #injector;

  constructor(context: GrpcPortContext) {
    const { bounds, tls } = context;
    this.#server = new Server({
      'grpc.max_receive_message_length': bounds.bytes,
      'grpc.max_concurrent_streams': MAX_STREAMS,
      'grpc.max_connection_idle_ms': IDLE_MS,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.enable_channelz': 0,
      interceptors: [guard(context)],
    });
    this.#server.addService(RATE_LIMIT_METHODS, { ShouldRateLimit: handlerOf(context) });
    this.#server.addService(HEALTH_METHODS, { Check: this.health.check, Watch: this.health.watch });
    this.#injector = this.#server.createConnectionInjector(credentialsOf(tls));
    this.#net = createServer({ noDelay: true }, (socket) => {
      // A client that resets its connection is no error of the service.
      socket.on('error', () => socket.destroy());
      this.#injector.injectConnection(socket);
    });
    this.#net.maxConnections = bounds.connections;
  }

  /** @returns the port that was taken */
  listen(port: number, host: string): Promise<number> {
    return listening(this.#net, port, host);
  }

  /** Takes no new connection, and ends the others when their calls have been answered. @param grace in milliseconds */
  async close(grace: number): Promise<void> {
    this.health.stop();
    const ended = new Promise<void>((resolve) => this.#net.close(() => resolve()));
    this.#injector.drain(grace);
    await ended;
    this.#server.forceShutdown();
  }
}

function handlerOf({ service, onCall, onFailure }: GrpcPortContext): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const response = new ServedResponse();
    let controller: AbortController | undefined;
    let isAnswered = false;
    // It is told of calls that were answered, too.
    call.on('cancelled', () => {
      if (isAnswered) return;
      response.close();
      controller?.abort();
    });
    const facts = { signal: () => (controller ??= new AbortController()).signal, response };
    service.shouldRateLimit(call.request, facts).then(
      (answer) => {
        isAnswered = true;
        if ('bytes' in answer) {
          onCall(status.OK, answer.isOverLimit);
          callback(null, answer.bytes);
          return;
        }
        onCall(answer.code, false);
        callback(answer);
      },
      (error: unknown) => {
        onFailure(error);
        callback({ code: status.INTERNAL, details: 'the service has failed: its log says why' });
      },
    );
  };
}

/** Refuses calls without the token, before their message is read, and calls whose message does not come. */
function guard({ access, bounds, onCall }: GrpcPortContext): ServerInterceptor {
  return (method, call) => {
    const isHealth = method.path.startsWith(`/${HEALTH}/`);
    let alarm: NodeJS.Timeout | undefined;
    const refuse = (code: status, details: string) => {
      clearTimeout(alarm);
      onCall(code, false);
      call.sendStatus({ code, details });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            if (!isHealth && !access.admits(authorizationOf(metadata))) {
              refuse(status.UNAUTHENTICATED, 'the call needs the token of the service: authorization: Bearer TOKEN');
              return;
            }
            alarm = setTimeout(
              () => refuse(status.DEADLINE_EXCEEDED, `no message came in ${bounds.timeout} ms`),
              bounds.timeout,
            ).unref();
            nextMetadata(metadata);
          },
          onReceiveMessage: (message, nextMessage) => {
            clearTimeout(alarm);
            nextMessage(message);
          },
          onCancel: () => clearTimeout(alarm),
        }),
    });
  };
}

function authorizationOf(metadata: Metadata): string | undefined {
  const [value] = metadata.get('authorization');
  return typeof value === 'string' ? value : undefined;
}

function credentialsOf(tls: TlsFiles | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { cert, key, clientCa } = tls;
  return ServerCredentials.createSsl(
    clientCa ?? null,
    [{ cert_chain: cert, private_key: key }],
    clientCa !== undefined,
  );
}
