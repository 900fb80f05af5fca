import { join } from 'node:path';
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { root } from '../../scripts/root.mjs';

/** As clients in Node read the protocol: by the file that the package has for them. */
const definition = loadSync(join(root, 'packages', 'server', 'ratelimit.proto'), {
  keepCase: true,
  enums: String,
  longs: Number,
  defaults: true,
});
const { envoy } = loadPackageDefinition(definition) as unknown as {
  readonly envoy: { readonly service: { readonly ratelimit: { readonly v3: Services } } };
};

interface Services {
  readonly RateLimitService: new (...args: ConstructorParameters<typeof Client>) => Client;
}

export interface RateLimitReply {
  readonly overall_code: string;
  readonly statuses: readonly {
    readonly code: string;
    readonly current_limit: { readonly requests_per_unit: number; readonly unit: string; readonly name: string } | null;
    readonly limit_remaining: number;
    readonly duration_until_reset: { readonly seconds: number; readonly nanos: number } | null;
    readonly quota: unknown;
  }[];
  readonly response_headers_to_add: readonly { readonly key: string; readonly value: string }[];
  readonly request_headers_to_add: readonly { readonly key: string; readonly value: string }[];
  readonly raw_body: Buffer;
  readonly dynamic_metadata: { readonly fields: Readonly<Record<string, unknown>> } | null;
  readonly quota: unknown;
}

/** Entries of a descriptor: `{ remote_address: '192.0.2.1' }`. */
export type Entries = Readonly<Record<string, string>>;

/** A client of Envoy's protocol. */
export class RateLimitClient {
  readonly #client: Client;

  constructor(port: number, channel = credentials.createInsecure(), host = '127.0.0.1') {
    this.#client = new envoy.service.ratelimit.v3.RateLimitService(`${host}:${port}`, channel);
  }

  /** @param request as the protocol has it */
  send(request: object, headers: Readonly<Record<string, string>> = {}): Promise<RateLimitReply> {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const { path, requestSerialize, responseDeserialize } = methodOf('ShouldRateLimit');
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize as (value: object) => Buffer,
        responseDeserialize as (bytes: Buffer) => RateLimitReply,
        request,
        metadata,
        { deadline: Date.now() + 30_000 },
        (error: ServiceError | null, reply?: RateLimitReply) => (error ? reject(error) : resolve(reply!)),
      );
    });
  }

  /** Sends bytes that may be no message. */
  sendBytes(bytes: Buffer): Promise<Buffer> {
    const { path } = methodOf('ShouldRateLimit');
    const same = (each: Buffer) => each;
    return new Promise((resolve, reject) => {
      const deadline = Date.now() + 30_000;
      this.#client.makeUnaryRequest(path, same, same, bytes, new Metadata(), { deadline }, (error, reply) =>
        error ? reject(error) : resolve(reply!),
      );
    });
  }

  check(domain: string, ...descriptors: readonly Entries[]): Promise<RateLimitReply> {
    return this.send({ domain, descriptors: descriptors.map((entries) => ({ entries: entriesOf(entries) })) });
  }

  close(): void {
    this.#client.close();
  }
}

export function entriesOf(entries: Entries): readonly { readonly key: string; readonly value: string }[] {
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}

/** What writes requests and reads replies by the file of the package. */
export function methodOf(name: string) {
  const service = definition['envoy.service.ratelimit.v3.RateLimitService'] as Readonly<
    Record<
      string,
      {
        readonly path: string;
        readonly requestSerialize: unknown;
        readonly requestDeserialize: unknown;
        readonly responseSerialize: unknown;
        readonly responseDeserialize: unknown;
      }
    >
  >;
  return service[name]!;
}
