import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { GateResponse, HttpRequest } from '@sluice/http';
import {
  expressTrust,
  FastifyResponse,
  fastifyTrust,
  warnOfTrust,
  type ExpressAppLike,
  type ProxyTrust,
  type FastifyReplyLike,
} from '@sluice/http/adapter';

/** The parts of requests of Express and of Fastify that are used here. An application need not install both. */
interface PlatformRequest extends HttpRequest {
  readonly app?: ExpressAppLike;
  readonly server?: object;
}

/** The platform of an application, Express or Fastify. */
export class Platform {
  readonly #host: HttpAdapterHost;

  constructor(host: HttpAdapterHost) {
    this.#host = host;
  }

  response(response: object): GateResponse {
    return this.#type === 'fastify' ? new FastifyResponse(response as FastifyReplyLike) : (response as GateResponse);
  }

  /** Warns of unsafe proxy settings, before the first request. */
  warnOfTrust(): void {
    if (this.#type === 'fastify') warnOfTrust(fastifyTrust(this.#host.httpAdapter.getInstance<object>()));
    if (this.#type === 'express') warnOfTrust(expressTrust(this.#host.httpAdapter.getInstance<ExpressAppLike>()));
  }

  get #type(): string | undefined {
    // An application without HTTP has no adapter.
    const adapter = this.#host.httpAdapter as AbstractHttpAdapter | undefined;
    return adapter?.getType();
  }
}

/** The setting `trust proxy` of Express, or the option `trustProxy` of Fastify. */
export function trustOf({ app, server }: PlatformRequest): ProxyTrust {
  if (server) return fastifyTrust(server);
  return app ? expressTrust(app) : 'none';
}
