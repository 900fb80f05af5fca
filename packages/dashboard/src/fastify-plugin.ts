import type { IncomingMessage, ServerResponse } from 'node:http';
import { partsOf, type Mounted } from './mounted.js';

/** The members of Fastify that the dashboard needs: it does not depend on Fastify. */
interface FastifyLike {
  readonly prefix: string;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  all(path: string, handler: (request: { raw: IncomingMessage }, reply: FastifyReplyLike) => void): unknown;
}

interface FastifyReplyLike {
  readonly raw: ServerResponse;
  hijack(): unknown;
  callNotFound(): unknown;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
}

/** `await app.register(dashboard.fastify, { prefix: '/sluice' })`. */
export type FastifyPlugin = (app: FastifyLike, options: unknown, done: () => void) => void;

/** Serves all paths below the prefix of a registration. */
export function fastifyPlugin(serve: (mounted: Mounted) => void): FastifyPlugin {
  return (app, _options, done) => {
    // The dashboard reads bodies itself.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, end) => end(null));
    const handle = ({ raw: request }: { raw: IncomingMessage }, reply: FastifyReplyLike) => {
      const { raw: response } = reply;
      const begin = () => {
        reply.hijack();
        // Headers of hooks, such as those of @fastify/helmet, are in the reply until it is sent.
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) response.setHeader(name, value);
      };
      const { path: mounted, query } = partsOf(request.url!);
      const path = mounted.slice(app.prefix.length) || '/';
      if (response.headersSent) reply.hijack();
      else serve({ request, response, path, mounted, query, begin, refuse: () => reply.callNotFound() });
    };
    app.all('/', handle);
    app.all('/*', handle);
    done();
  };
}
