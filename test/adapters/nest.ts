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
import { served, type Adapter, type Definition, type Route } from './adapter.js';

type Claimed = HttpRequest & { user?: unknown };

const METHODS = { GET: Get, POST: Post, OPTIONS: Options };

/** Limits are decorators of handlers, and those for everything the module's. */
export function nestAdapter(name: string, platform: (behindProxy: boolean) => AbstractHttpAdapter): Adapter {
  return {
    name,
    countsUnknownPaths: false,
    async start({ behindProxy = true, ...definition }) {
      const errors: unknown[] = [];
      const app = await NestFactory.create(moduleOf(definition, errors), platform(behindProxy), {
        abortOnError: false,
        logger: false,
        forceCloseConnections: true,
      });
      await app.listen(0, '127.0.0.1');
      return { port: Number(new URL(await app.getUrl()).port), errors, close: () => app.close() };
    },
  };
}

function moduleOf({ store, everywhere, routes }: Omit<Definition, 'behindProxy'>, errors: unknown[]): new () => object {
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
        useFactory: ({ httpAdapter }: HttpAdapterHost) => new ErrorKeeper(httpAdapter, errors),
      },
      { provide: APP_FILTER, useClass: RateLimitFilter },
    ],
  })(Root);
  return Root;
}

/** A class with one handler, decorated as source code would be: what stands on top is applied last. */
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

/** Leaves claims where passport does. */
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

class ErrorKeeper extends BaseExceptionFilter {
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

Catch()(ErrorKeeper);
