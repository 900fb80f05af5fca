import { limited as limitedOnExpress } from '@sluice/express';
import { limited as limitedOnFastify } from '@sluice/fastify';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { fastify, type RouteHandlerMethod } from 'fastify';
import { versions } from '../express/frameworks.js';
import { siteOpener as expressOpener, type Answer, type Question } from '../express/site.js';
import { siteOpener as fastifyOpener } from '../fastify/site.js';
import type { Limited } from './fixtures/apis.js';

/** Objects and the names of their methods, by the path at which those are served. */
export type Handlers = Readonly<Record<string, readonly [object: object, name: string]>>;

export interface Served {
  /** What the error handler was given. */
  readonly handled: unknown[];
  ask(path: string): Promise<Answer>;
  askEach(...paths: readonly string[]): Promise<Answer[]>;
}

/** A framework and its decorator. `opener` is called where tests are described. */
export interface Adapter {
  readonly limited: Limited;
  readonly opener: () => (handlers: Handlers) => Promise<Served>;
}

export const adapters: readonly [name: string, adapter: Adapter][] = [
  ...versions.map(([version, express]): [string, Adapter] => [
    version,
    {
      limited: limitedOnExpress as Limited,
      opener() {
        const open = expressOpener();
        return async (handlers) => {
          const handled: unknown[] = [];
          const app = express();
          for (const [path, [object, name]] of Object.entries(handlers)) {
            app.get(path, methodOf(object, name) as RequestHandler);
          }
          const onError: ErrorRequestHandler = (error, _request, response, _next) => {
            handled.push(error);
            response.status(500).send('handled');
          };
          app.use(onError);
          return served(await open(app), handled);
        };
      },
    },
  ]),
  [
    'Fastify 5',
    {
      limited: limitedOnFastify as Limited,
      opener() {
        const open = fastifyOpener();
        return async (handlers) => {
          const handled: unknown[] = [];
          const app = fastify();
          app.setErrorHandler((error, _request, reply) => {
            handled.push(error);
            return reply.code(500).send('handled');
          });
          for (const [path, [object, name]] of Object.entries(handlers)) {
            app.get(path, methodOf(object, name) as RouteHandlerMethod);
          }
          return served(await open(app), handled);
        };
      },
    },
  ],
];

/** A method as it is handed to a router: `object.name`, without its object. */
export function methodOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function served(site: { ask(question: Question): Promise<Answer> }, handled: unknown[]): Served {
  const ask = (path: string) => site.ask({ path });
  return {
    handled,
    ask,
    async askEach(...paths) {
      const answers: Answer[] = [];
      for (const path of paths) answers.push(await ask(path));
      return answers;
    },
  };
}
