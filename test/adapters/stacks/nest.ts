import {
  Catch,
  Controller,
  Get,
  Module,
  Options,
  Post,
  Req,
  Res,
  type ArgumentsHost,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  BaseExceptionFilter,
  HttpAdapterHost,
  NestFactory,
  type AbstractHttpAdapter,
} from '@nestjs/core';
import {
  AuthenticatedRateLimitGuard,
  RateLimit,
  RateLimitDecision,
  RateLimitFilter,
  RateLimitGuard,
  RateLimitModule,
  type Decision,
  type HttpRequest,
  type RateLimitOptions,
} from '@sluice/nestjs';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { served, type Definition, type Route, type Stack } from '../stack.js';

type Claimed = HttpRequest & { user?: unknown };

const METHODS = { GET: Get, POST: Post, OPTIONS: Options };

/** Limits are decorators of handlers. The limit for everything is the module's. */
export const nestOnExpress = nestStack('Nest on Express', (behindProxy) => {
  const platform = new ExpressAdapter();
  platform.set('trust proxy', behindProxy ? 'loopback' : false);
  return platform;
});

export const nestOnFastify = nestStack(
  'Nest on Fastify',
  (behindProxy) => new FastifyAdapter({ trustProxy: behindProxy ? 'loopback' : false }),
);

function nestStack(name: string, platform: (behindProxy: boolean) => AbstractHttpAdapter): Stack {
  return {
    name,
    countsUnknownPaths: false,
    async start({ behindProxy = true, socketPath, ...definition }) {
      const errors: unknown[] = [];
      const app = await NestFactory.create(moduleOf(definition, errors), platform(behindProxy), {
        abortOnError: false,
        logger: false,
        forceCloseConnections: true,
      });
      if (socketPath === undefined) await app.listen(0, '127.0.0.1');
      else await app.listen((name.endsWith('Fastify') ? { path: socketPath } : socketPath) as string);
      const address =
        socketPath === undefined
          ? { host: '127.0.0.1', port: Number(new URL(await app.getUrl()).port) }
          : { socketPath };
      return { address, errors, close: () => app.close() };
    },
  };
}

function moduleOf(
  { store, everywhere, routes }: Omit<Definition, 'behindProxy' | 'socketPath'>,
  errors: unknown[],
): new () => object {
  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class Root {}
  Module({
    imports: [RateLimitModule.forRoot({ store, ...everywhere })],
    controllers: routes.map(controllerOf),
    providers: [
      { provide: APP_GUARD, useExisting: RateLimitGuard },
      { provide: APP_GUARD, useValue: new ClaimsGuard(routes) },
      { provide: APP_GUARD, useExisting: AuthenticatedRateLimitGuard },
      {
        provide: APP_FILTER,
        inject: [HttpAdapterHost],
        useFactory: ({ httpAdapter }: HttpAdapterHost) => new ErrorRecorder(httpAdapter, errors),
      },
      { provide: APP_FILTER, useClass: RateLimitFilter },
    ],
  })(Root);
  return Root;
}

/** A class with one handler, decorated as source code would be: the uppermost decorator is applied last. */
function controllerOf({ method = 'GET', path, limits = [], authenticated = [], handle = served }: Route) {
  class Routes {
    async answer(request: HttpRequest, response: { status(code: number): void }, decision: Decision | undefined) {
      const { status, text } = await handle({ request, decision });
      response.status(status);
      return text;
    }
  }
  const place = [Routes.prototype, 'answer', Object.getOwnPropertyDescriptor(Routes.prototype, 'answer')!] as const;
  const options = [...limits, ...authenticated.map((limit) => ({ ...limit, at: 'authenticated' }))];
  for (const each of options.toReversed()) RateLimit(each as RateLimitOptions)(...place);
  METHODS[method](path)(...place);
  Req()(Routes.prototype, 'answer', 0);
  Res({ passthrough: true })(Routes.prototype, 'answer', 1);
  RateLimitDecision()(Routes.prototype, 'answer', 2);
  Controller()(Routes);
  return Routes;
}

/** Puts claims where passport does. */
class ClaimsGuard implements CanActivate {
  readonly #routes: readonly Route[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes;
  }

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Claimed & { url: string }>();
    const route = this.#routes.find(({ path }) => path === request.url.split('?', 1)[0]);
    if (route?.claims) request.user = route.claims(request);
    return true;
  }
}

class ErrorRecorder extends BaseExceptionFilter {
  readonly #errors: unknown[];

  constructor(httpAdapter: HttpAdapterHost['httpAdapter'], errors: unknown[]) {
    super(httpAdapter);
    this.#errors = errors;
  }

  override catch(exception: unknown, context: ArgumentsHost): void {
    this.#errors.push(exception);
    // oxlint-disable-next-line promise/valid-params -- that of a filter
    super.catch(exception, context);
  }
}

Catch()(ErrorRecorder);
