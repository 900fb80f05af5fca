import {
  applyDecorators,
  Controller,
  Get,
  Module,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  AuthenticatedRateLimitGuard,
  RateLimitGuard,
  RateLimitModule,
  type NestRequest,
  type RateLimitModuleOptions,
} from '@sluice/nestjs';

export interface Platform {
  readonly name: string;
  readonly adapter: () => AbstractHttpAdapter;
}

export const platforms: readonly [Platform, Platform] = [
  { name: 'Express', adapter: () => new ExpressAdapter() },
  { name: 'Fastify', adapter: () => new FastifyAdapter() },
];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Application = Awaited<ReturnType<typeof NestFactory.create>>;

/** An application that listens, and a client of it. */
export interface Running {
  readonly app: Application;
  readonly send: (path?: string, request?: RequestInit) => Promise<Answer>;
  /** Sends requests one after the other, and resolves with their statuses. */
  readonly statuses: (count: number, path?: string, request?: RequestInit) => Promise<number[]>;
}

export interface Applications {
  /** Starts an application with this root module. */
  readonly open: (root: ModuleMetadata, prepare?: (app: Application) => void) => Promise<Running>;
  /** Starts an application with these limits, `RateLimitGuard` as APP_GUARD and these controllers. */
  readonly start: (options: RateLimitModuleOptions, ...controllers: readonly Class[]) => Promise<Running>;
}

type Class = new (...args: never[]) => object;

/** Starts applications, and closes them after each test. Call it inside `describe`. */
export function applicationsOn({ adapter }: Platform): Applications {
  const running: Application[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });

  const open: Applications['open'] = async (root, prepare) => {
    const app = await NestFactory.create(moduleOf(root), adapter(), { abortOnError: false, logger: false });
    running.push(app);
    prepare?.(app);
    await app.listen(0, '127.0.0.1');
    return clientOf(app, await app.getUrl());
  };
  const start: Applications['start'] = (options, ...controllers) =>
    open({ imports: [RateLimitModule.forRoot(options)], controllers: [...controllers], providers: [entryGuard] });
  return { open, start };
}

export function moduleOf(metadata: ModuleMetadata): Class {
  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
  class AnyModule {}
  Module(metadata)(AnyModule);
  return AnyModule;
}

/** A controller with one handler, `GET /`, that has these decorators. */
export function catsWith(...decorators: readonly MethodDecorator[]): Class {
  @Controller()
  class Cats {
    @Get()
    @applyDecorators(...decorators)
    find(): string {
      return 'a cat';
    }
  }
  return Cats;
}

/** Authenticates requests by the header `x-name`. */
class NameGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<NestRequest & { user?: { id: unknown } }>();
    const id = request.headers?.['x-name'];
    if (id !== undefined) request.user = { id };
    return id !== undefined;
  }
}

export const entryGuard: Provider = { provide: APP_GUARD, useExisting: RateLimitGuard };
export const nameGuard: Provider = { provide: APP_GUARD, useClass: NameGuard };
export const authenticatedGuard: Provider = { provide: APP_GUARD, useExisting: AuthenticatedRateLimitGuard };

/** A request that NameGuard authenticates. */
export function from(name: string): RequestInit {
  return { headers: { 'x-name': name } };
}

function clientOf(app: Application, url: string): Running {
  const send = async (path = '/', request: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url + path, request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const statuses = async (count: number, path?: string, request?: RequestInit) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await send(path, request)).status);
    return found;
  };
  return { app, send, statuses };
}
