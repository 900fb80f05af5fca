import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { GateResponse, HttpRequest, ProxyTrust } from '@sluice/core';
import { fastifyTrust, ReplyResponse, warnOfTrust, type FastifyReplyLike } from '@sluice/core/adapter';

/** What this package uses of the requests of Express and of Fastify, which need not be installed both. */
interface PlatformRequest extends HttpRequest {
  readonly app?: ExpressLike;
  readonly server?: object;
}

interface ExpressLike {
  get(setting: string): unknown;
}

/** Express or Fastify, whichever an application runs on; known when it starts. */
export class Platform {
  readonly #host: HttpAdapterHost;

  constructor(host: HttpAdapterHost) {
    this.#host = host;
  }

  /** A response as a gate sees it. */
  response(response: object): GateResponse {
    return this.#type === 'fastify' ? new ReplyResponse(response as FastifyReplyLike) : (response as GateResponse);
  }

  /** Warns of what can be told before any request has come. */
  warnOfTrust(): void {
    if (this.#type === 'fastify') warnOfTrust(fastifyTrust(this.#host.httpAdapter.getInstance<object>()));
    if (this.#type === 'express') warnOfTrust(trustOf({ app: this.#host.httpAdapter.getInstance<ExpressLike>() }));
  }

  get #type(): string | undefined {
    // An application without HTTP has none.
    const adapter = this.#host.httpAdapter as AbstractHttpAdapter | undefined;
    return adapter?.getType();
  }
}

/** What the setting `trust proxy` of Express says, or the option `trustProxy` of Fastify. */
export function trustOf({ app, server }: PlatformRequest): ProxyTrust {
  if (server) return fastifyTrust(server);
  const setting = app?.get('trust proxy');
  if (setting === true) return 'all';
  return setting ? 'some' : 'none';
}
