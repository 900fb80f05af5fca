import { limited as limitedOnExpress } from '@sluice/express';
import { limited as limitedOnFastify } from '@sluice/fastify';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { fastify, type RouteHandlerMethod } from 'fastify';
import { gets, siteOpener, type Site, type TestResponse } from '../../support/site.js';
import { versions } from '../stacks/express.js';
import type { Limited } from './fixtures/apis.js';

/** Methods, as an object and a name, by the paths that serve them. */
export type Methods = Readonly<Record<string, readonly [object: object, name: string]>>;

export interface Served {
  /** The errors that the error handler of the framework received. */
  readonly errors: unknown[];
  /** Sends requests one after the other. */
  readonly send: (...paths: readonly string[]) => Promise<TestResponse[]>;
}

export interface Framework {
  readonly limited: Limited;
  /** Serves methods as a user does: `app.get(path, object.method)`. */
  readonly serve: (methods: Methods) => Promise<Served>;
}

const openExpress = siteOpener();
const openFastify = siteOpener();

export const frameworks: readonly [name: string, framework: Framework][] = [
  ...versions.map(([version, express]): [string, Framework] => {
    const serve = async (methods: Methods) => {
      const app = express();
      const errors: unknown[] = [];
      for (const [path, method] of Object.entries(methods)) app.get(path, methodOf(...method) as RequestHandler);
      const onError: ErrorRequestHandler = (error, _request, response, _next) => {
        errors.push(error);
        response.status(500).send('failed');
      };
      app.use(onError);
      return served(await openExpress(app), errors);
    };
    return [version, { limited: limitedOnExpress as Limited, serve }];
  }),
  [
    'Fastify 5',
    {
      limited: limitedOnFastify as Limited,
      async serve(methods) {
        const app = fastify();
        const errors: unknown[] = [];
        for (const [path, method] of Object.entries(methods)) app.get(path, methodOf(...method) as RouteHandlerMethod);
        app.setErrorHandler((error, _request, reply) => {
          errors.push(error);
          return reply.code(500).send('failed');
        });
        return served(await openFastify(app), errors);
      },
    },
  ],
];

/** `object.name`, without its object. */
export function methodOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function served(site: Site, errors: unknown[]): Served {
  return { errors, send: (...paths) => site.sendEach(gets(...paths)) };
}
