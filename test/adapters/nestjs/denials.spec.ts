import {
  Catch,
  Controller,
  Get,
  NotFoundException,
  Scope,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type HttpException,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import {
  RateLimit,
  RateLimitException,
  RateLimitFilter,
  RateLimitModule,
  type RateLimitModuleOptions,
} from '@sluice/nestjs';

import { applicationOpener, moduleOf, platforms } from './applications.js';
import { atEntry } from './guards.js';

@Controller()
class Home {
  @Get()
  home(): string {
    return 'home';
  }

  @Get('missing')
  missing(): never {
    throw new NotFoundException();
  }

  @Get('never')
  @RateLimit({ tiers: [{ name: 'small', limit: 2, window: '1h' }], cost: () => 3 })
  never(): string {
    return 'never';
  }
}

interface Replying {
  status(code: number): this;
  header(name: string, value: string): this;
  send(body: unknown): void;
}

@Catch()
class Page implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, context: ArgumentsHost): void {
    const response = context.switchToHttp().getResponse<Replying>().status(exception.getStatus());
    // Express takes text for HTML by itself, and Fastify for plain text.
    if ('raw' in response) response.header('content-type', 'text/html');
    response.send('<h1>no</h1>');
  }
}

@Catch()
class Own implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, context: ArgumentsHost): void {
    const status = exception.getStatus();
    context.switchToHttp().getResponse<Replying>().status(status).send({ own: status });
  }
}

const TEXT = { headers: { accept: 'text/plain' } };

describe.each(platforms)('a denial in $name', (platform) => {
  const open = applicationOpener(platform);
  const start = (options: RateLimitModuleOptions = {}, providers: object[] = []) =>
    open({
      imports: [RateLimitModule.forRoot({ limit: 1, window: '1h', ...options } as RateLimitModuleOptions)],
      controllers: [Home],
      providers: [atEntry, ...(providers as never[])],
    });

  it('is told in problem details and headers', async () => {
    const { ask } = await start();

    await ask();
    const { status, headers, text } = await ask();

    expect(status).toBe(429);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(text)).toMatchObject({ status: 429, 'violated-policies': ['default'] });
  });

  it('comes to the exception filters of the application, with its headers set', async () => {
    const seen: RateLimitException[] = [];
    @Catch(RateLimitException)
    class Filter implements ExceptionFilter<RateLimitException> {
      constructor(private readonly host: HttpAdapterHost) {}
      catch(exception: RateLimitException, context: ArgumentsHost): void {
        seen.push(exception);
        const response = context.switchToHttp().getResponse<object>();
        this.host.httpAdapter.reply(response, { slow: 'down' }, 420);
      }
    }
    const filter = {
      provide: APP_FILTER,
      inject: [HttpAdapterHost],
      useFactory: (host: HttpAdapterHost) => new Filter(host),
    };
    const { ask } = await start({}, [filter]);

    await ask();
    const { status, headers, text } = await ask();

    expect([status, text]).toEqual([420, '{"slow":"down"}']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
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

  it('comes to a filter that catches all', async () => {
    const seen: unknown[] = [];
    @Catch()
    class All extends BaseExceptionFilter {
      override catch(exception: unknown, context: ArgumentsHost): void {
        seen.push(exception);
        // oxlint-disable-next-line promise/valid-params -- that of a filter
        super.catch(exception, context);
      }
    }
    const filter = {
      provide: APP_FILTER,
      inject: [HttpAdapterHost],
      useFactory: (host: HttpAdapterHost) => new All(host.httpAdapter),
    };
    const { statuses } = await start({}, [filter]);

    expect(await statuses(2)).toEqual([200, 429]);
    expect(seen).toEqual([expect.any(RateLimitException)]);
  });

  it('is 422 for what can never fit', async () => {
    const { ask } = await start();

    const { status, headers, text } = await ask('/never');

    expect(status).toBe(422);
    expect(headers.has('retry-after')).toBe(false);
    expect(JSON.parse(text)).toMatchObject({ status: 422, 'violated-policies': ['small'] });
  });

  it('has the body that the application says', async () => {
    const { ask } = await start({ body: { slow: 'down' } });

    await ask();
    const { headers, text } = await ask();

    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(text).toBe('{"slow":"down"}');
  });

  it('has a text of the application as text', async () => {
    const { ask } = await start({
      body: ({ decision }: { decision: object }) => ('retryAfter' in decision ? 'slow down' : ''),
    });

    await ask();
    const { headers, text } = await ask();

    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toBe('slow down');
  });

  it('is plain text where the client accepts only that', async () => {
    const { ask } = await start();

    await ask();
    const { status, headers, text } = await ask('/', TEXT);

    expect(status).toBe(429);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/^Request cannot be satisfied .* Retry in \d+ seconds\.\n$/);
  });

  it('is left to RateLimitFilter by a filter that catches all, where it stands behind that', async () => {
    const { ask } = await start({}, [
      { provide: APP_FILTER, useClass: Page },
      { provide: APP_FILTER, useClass: RateLimitFilter },
    ]);

    await ask();
    const { headers, text } = await ask();

    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ status: 429 });
  });

  describe.each([
    ['text', Page, /^text\/html/, '<h1>no</h1>'],
    ['JSON', Own, /^application\/json/, '{"own":429}'],
  ])('is answered with %s of a filter that catches all, in its own media type,', (_what, Filter, type, body) => {
    @Controller()
    @UseFilters(Filter)
    class Filtered extends Home {}

    it.each<[string, ModuleMetadata]>([
      ['provided as APP_FILTER', { providers: [{ provide: APP_FILTER, useClass: Filter }] }],
      ['provided for each request', { providers: [{ provide: APP_FILTER, useClass: Filter, scope: Scope.REQUEST }] }],
      ['provided by a module', { imports: [moduleOf({ providers: [{ provide: APP_FILTER, useClass: Filter }] })] }],
      ['named in @UseFilters', { controllers: [Filtered] }],
    ])('%s', async (_how, { providers = [], controllers = [Home], imports = [] }) => {
      const { ask } = await open({
        imports: [RateLimitModule.forRoot({ limit: 1, window: '1h' }), ...imports],
        controllers,
        providers: [atEntry, ...providers],
      });

      await ask();
      const { status, headers, text } = await ask();

      expect([status, text]).toEqual([429, body]);
      expect(headers.get('content-type')).toMatch(type);
      expect(headers.has('retry-after')).toBe(true);
    });

    it('given to useGlobalFilters', async () => {
      const { ask } = await open(
        {
          imports: [RateLimitModule.forRoot({ limit: 1, window: '1h' })],
          controllers: [Home],
          providers: [atEntry],
        },
        (app) => app.useGlobalFilters(new Filter()),
      );

      await ask();
      const { status, headers, text } = await ask();

      expect([status, text]).toEqual([429, body]);
      expect(headers.get('content-type')).toMatch(type);
    });
  });

  it('never comes where the response gives the request back', async () => {
    const { statuses } = await start({ limit: 1, window: '1h', refundWhen: (status) => status === 404 });

    expect(await statuses(3, '/missing')).toEqual([404, 404, 404]);
  });

  it('is 500 where a function of the application fails', async () => {
    const { ask } = await start({
      limit: 1,
      window: '1h',
      key: () => {
        throw new Error('no key');
      },
    });

    const { status, text } = await ask();

    expect(status).toBe(500);
    expect(text).not.toContain('no key');
  });

  it('does not come while a request waits for its turn', async () => {
    const { ask } = await start({ algorithm: 'leaky-bucket', limit: 20, window: '1s', queue: 2 });

    const answers = await Promise.all([ask(), ask(), ask()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
