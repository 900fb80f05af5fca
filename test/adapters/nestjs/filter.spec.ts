import {
  Catch,
  Controller,
  Get,
  Scope,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type HttpException,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { RateLimitException, RateLimitFilter, RateLimitModule, type RateLimitModuleOptions } from '@sluice/nestjs';
import { OverloadError } from '@sluice/overload/queues';

import { applicationsOn, catsWith, entryGuard, moduleOf, platforms, type Application } from './application.js';

const ONCE = { limit: 1, window: '1h' } as const;
const Cats = catsWith();

interface Reply {
  status(code: number): this;
  header(name: string, value: string): this;
  send(body: unknown): void;
}

const replyOf = (context: ArgumentsHost) => context.switchToHttp().getResponse<Reply>();

@Catch()
class HtmlFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, context: ArgumentsHost): void {
    const reply = replyOf(context).status(exception.getStatus());
    // Express sends text as HTML by default, Fastify as plain text.
    if ('raw' in reply) reply.header('content-type', 'text/html');
    reply.send('<h1>no</h1>');
  }
}

@Catch()
class JsonFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, context: ArgumentsHost): void {
    const status = exception.getStatus();
    replyOf(context).status(status).send({ own: status });
  }
}

interface Denied {
  readonly options?: RateLimitModuleOptions;
  readonly request?: RequestInit;
  readonly prepare?: ((app: Application) => void) | undefined;
}

describe.each(platforms)('RateLimitFilter on $name', (platform) => {
  const { open } = applicationsOn(platform);

  it('answers what a queue of @sluice/overload refuses in a handler with 503 and Retry-After', async () => {
    @Controller()
    class Orders {
      @Get()
      find(): never {
        throw new OverloadError('database');
      }
    }
    const { send } = await open({ imports: [RateLimitModule.forRoot()], controllers: [Orders] });

    const { status, headers, text } = await send();

    expect([status, JSON.parse(text)]).toEqual([
      503,
      { statusCode: 503, message: 'The queue "database" is overloaded' },
    ]);
    expect(headers.get('retry-after')).toMatch(/^[1-5]$/);
  });

  /** Starts an application with these filters, and resolves with its answer to a request above the limit. */
  async function denied(
    { providers = [], controllers = [Cats], imports = [] }: ModuleMetadata,
    { options = {}, request, prepare }: Denied = {},
  ) {
    const module = RateLimitModule.forRoot({ ...ONCE, ...options });
    const root = { imports: [module, ...imports], controllers, providers: [entryGuard, ...providers] };
    const { send } = await open(root, prepare);
    await send();
    return send('/', request);
  }

  it.each<[string, Denied, RegExp, RegExp]>([
    ['problem details', {}, /^application\/problem\+json/, /"violated-policies":\["default"\]/],
    ['the value of the option body', { options: { body: { slow: 1 } } }, /^application\/json/, /^\{"slow":1\}$/],
  ])('sends %s without a filter of the application', async (_what, options, type, body) => {
    const { status, headers, text } = await denied({}, options);

    expect(status).toBe(429);
    expect(headers.get('content-type')).toMatch(type);
    expect(text).toMatch(body);
  });

  it('answers before a filter that catches everything, if it is provided after it', async () => {
    const filters = [HtmlFilter, RateLimitFilter].map((useClass) => ({ provide: APP_FILTER, useClass }));

    const { headers } = await denied({ providers: filters });

    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  const html = { provide: APP_FILTER, useClass: HtmlFilter };
  it.each<[string, ModuleMetadata, ((app: Application) => void) | undefined]>([
    ['provided as APP_FILTER', { providers: [html] }, undefined],
    ['provided for each request', { providers: [{ ...html, scope: Scope.REQUEST }] }, undefined],
    ['provided by another module', { imports: [moduleOf({ providers: [html] })] }, undefined],
    ['named in @UseFilters', { controllers: [catsWith(UseFilters(HtmlFilter))] }, undefined],
    ['given to useGlobalFilters', {}, (app) => app.useGlobalFilters(new HtmlFilter())],
  ])('leaves a denial to a filter that is %s, with its own media type', async (_how, metadata, prepare) => {
    const { status, headers, text } = await denied(metadata, { prepare });

    expect([status, text]).toEqual([429, '<h1>no</h1>']);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.has('retry-after')).toBe(true);
  });

  it('leaves a value that another filter sends as JSON', async () => {
    const { headers, text } = await denied({ providers: [{ provide: APP_FILTER, useClass: JsonFilter }] });

    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(text).toBe('{"own":429}');
  });
});

describe.each(platforms)('RateLimitException on $name', (platform) => {
  const { open } = applicationsOn(platform);

  it('reaches the filters of the application with decision, problem and status', async () => {
    const seen: RateLimitException[] = [];
    @Catch(RateLimitException)
    class Filter implements ExceptionFilter<RateLimitException> {
      catch(exception: RateLimitException, context: ArgumentsHost): void {
        seen.push(exception);
        replyOf(context).status(420).send({ slow: 'down' });
      }
    }
    const { send } = await open({
      imports: [RateLimitModule.forRoot(ONCE)],
      controllers: [Cats],
      providers: [entryGuard, { provide: APP_FILTER, useClass: Filter }],
    });

    await send();
    const { status, text } = await send();

    expect([status, text]).toEqual([420, '{"slow":"down"}']);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      name: 'RateLimitException',
      message: expect.stringMatching(/^Too many requests/) as string,
      decision: { allowed: false, deniedBy: ['default'] },
      problem: { status: 429 },
    });
    expect(seen[0]!.getStatus()).toBe(429);
    expect(seen[0]!.getResponse()).toEqual(seen[0]!.problem);
  });
});
