import { Controller, Get, Head, Post, Version, VersioningType } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import {
  RateLimit,
  RateLimitModule,
  SkipRateLimit,
  type HttpRequest,
  type RateLimitModuleOptions,
} from '@sluice/nestjs';

import { applicationsOn, catsWith, entryGuard, moduleOf, platforms, type Answer } from './application.js';

const HOURLY: RateLimitModuleOptions = {
  tiers: [{ name: 'hour', limit: 100, window: '1d' }],
  headers: ['draft-11'],
};

@Controller('cats')
@RateLimit({ limit: 3, window: '1h' })
class Cats {
  @Get()
  all(): void {}

  @Get(':id')
  @RateLimit({ limit: 2, window: '1m' })
  find(): void {}

  @Post()
  @RateLimit({ limit: 1, window: '1h', override: true })
  create(): void {}

  @Get(':id/name')
  @SkipRateLimit()
  name(): void {}

  @Get(':id/picture')
  @SkipRateLimit('hour')
  picture(): void {}

  @Get(':id/purr')
  @SkipRateLimit('* /cats')
  @RateLimit({ name: 'purrs', limit: 7, window: '1s' })
  purr(): void {}
}

@Controller('dogs')
class Dogs {
  @Get()
  all(): void {}
}

@Controller('cubs')
class Cubs {
  @Get()
  @RateLimit({ limit: 5, window: '1h' })
  all(): void {}
}

@Controller()
class Menu {
  @Get(['tea', 'milk'])
  @RateLimit({ limit: 9, window: '1h' })
  drinks(): void {}
  @Head('tea/kind')
  kind(): void {}
}

/** The tiers that the header RateLimit reports, with the units left. */
function reported({ headers }: Answer): Record<string, number> {
  const members = (headers.get('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+)/g);
  return Object.fromEntries([...members].map(([, name, left]) => [name, Number(left)]));
}

describe.each(platforms)('RateLimit on $name', (platform) => {
  const { open, start } = applicationsOn(platform);

  it.each<[string, string, Record<string, number>]>([
    ['are those of the module without one', 'GET /dogs', { hour: 99 }],
    ['add those of the controller', 'GET /cats', { hour: 99, '* /cats': 2 }],
    ['add those of the handler', 'GET /cats/1', { hour: 99, '* /cats': 2, 'GET /cats/:id': 1 }],
    ['replace all with override', 'POST /cats', { 'POST /cats': 0 }],
    ['are all removed by SkipRateLimit()', 'GET /cats/1/name', {}],
    ['lack those that SkipRateLimit names', 'GET /cats/1/picture', { '* /cats': 2 }],
    ['of the handler join those that SkipRateLimit leaves', 'GET /cats/1/purr', { hour: 99, purrs: 6 }],
    ['are named by the path of RouterModule', 'GET /zoo/cubs', { hour: 99, 'GET /zoo/cubs': 4 }],
    ['are named by all paths of the handler', 'GET /milk', { hour: 99, 'GET /tea,/milk': 8 }],
  ])('limits %s: %s', async (_what, request, expected) => {
    const zoo = moduleOf({ controllers: [Cubs] });
    const routes = RouterModule.register([{ path: 'zoo', module: zoo }]);
    const { send } = await open({
      imports: [RateLimitModule.forRoot(HOURLY), zoo, routes],
      controllers: [Cats, Dogs, Menu],
      providers: [entryGuard],
    });
    const [method = '', path = ''] = request.split(' ');

    expect(reported(await send(path, { method }))).toEqual(expected);
  });

  it('charges the tiers of all levels together, or none', async () => {
    const { send, statuses } = await start(HOURLY, Cats);

    await statuses(2, '/cats/1');
    const denied = await send('/cats/2');

    expect(denied.status).toBe(429);
    expect(JSON.parse(denied.text)).toMatchObject({ 'violated-policies': ['GET /cats/:id'] });
    expect(reported(denied)).toEqual({ hour: 98, '* /cats': 1, 'GET /cats/:id': 0 });
    expect(reported(await send('/cats'))).toEqual({ hour: 97, '* /cats': 0 });
  });

  it('applies several limits of one handler in source order', async () => {
    const first = RateLimit({ name: 'first', limit: 5, window: '1h' });
    const second = RateLimit({ name: 'second', limit: 5, window: '1h' });
    class Some {
      @Get()
      @first
      @second
      find(): void {}
    }
    Controller()(Some);
    const { send } = await start(HOURLY, Some);

    expect(Object.keys(reported(await send()))).toEqual(['hour', 'first', 'second']);
  });

  it('decides a limit with its own skip separately', async () => {
    const skip = ({ headers }: HttpRequest) => headers?.['x-skip'] !== undefined;
    const { send, statuses } = await start(HOURLY, catsWith(RateLimit({ limit: 1, window: '1h', skip })));

    expect(reported(await send('/', { headers: { 'x-skip': '1' } }))).toEqual({ hour: 99 });
    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('gives two handlers with the same options object separate budgets', async () => {
    const strict = { limit: 1, window: '1h' } as const;
    @Controller()
    class Site {
      @Get('one')
      @RateLimit(strict)
      one(): void {}
      @Get('other')
      @RateLimit(strict)
      other(): void {}
    }
    const { statuses } = await start(HOURLY, Site);

    expect(await statuses(2, '/one')).toEqual([200, 429]);
    expect(await statuses(2, '/other')).toEqual([200, 429]);
  });

  it('on a base class limits each controller that extends it separately', async () => {
    @RateLimit({ limit: 9, window: '1h' })
    abstract class Resource {
      @Get()
      @RateLimit({ limit: 1, window: '1h' })
      all(): void {}
    }
    @Controller('lions')
    class Lions extends Resource {}
    @Controller('bears')
    @RateLimit({ limit: 8, window: '1h', name: 'bears' })
    class Bears extends Resource {}
    const { send, statuses } = await start(HOURLY, Lions, Bears);

    expect(await statuses(2, '/lions')).toEqual([200, 429]);
    expect(reported(await send('/bears'))).toEqual({ hour: 98, '* /bears': 8, bears: 7, 'GET /bears': 0 });
  });

  it('does not apply to a method that overrides the decorated one', async () => {
    @Controller('dogs')
    class Puppies extends catsWith(RateLimit({ limit: 9, window: '1h' })) {
      @Get()
      find(): void {}
    }
    const { send } = await start({}, Puppies);

    expect((await send('/dogs')).headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('names the tiers of two versions of a route differently', async () => {
    @Controller('cats')
    class Versions {
      @Get()
      @Version('1')
      @RateLimit({ limit: 5, window: '1h' })
      first(): void {}
      @Get()
      @Version('2')
      @RateLimit({ limit: 9, window: '1h' })
      second(): void {}
    }
    const { send } = await open(
      { imports: [RateLimitModule.forRoot(HOURLY)], controllers: [Versions], providers: [entryGuard] },
      (app) => app.enableVersioning({ type: VersioningType.URI }),
    );

    expect(reported(await send('/v1/cats'))).toEqual({ hour: 99, 'GET /cats v1': 4 });
    expect(reported(await send('/v2/cats'))).toEqual({ hour: 98, 'GET /cats v2': 8 });
  });

  it('percent-encodes characters that a tier name cannot have', async () => {
    // Express supports only ASCII paths, with braces around optional parts. Fastify supports all characters.
    const [path, urlPath, name] =
      platform.name === 'Fastify' ? ['caf\u00e9', 'caf%C3%A9', 'caf%C3%A9'] : ['tea{/:kind}', 'tea', 'tea%7B/:kind%7D'];
    @Controller()
    class Encoded {
      @Get(path)
      @RateLimit({ limit: 9, window: '1h' })
      drinks(): void {}
    }
    const { send } = await start(HOURLY, Encoded);

    expect(Object.keys(reported(await send(`/${urlPath}`)))).toEqual(['hour', `GET /${name}`]);
  });

  it('of a handler stays when SkipRateLimit is on its controller', async () => {
    @Controller()
    @SkipRateLimit()
    class Site {
      @Get()
      home(): void {}
      @Get('search')
      @RateLimit({ limit: 9, window: '1h' })
      search(): void {}
    }
    const { send } = await start(HOURLY, Site);

    expect(reported(await send('/'))).toEqual({});
    expect(reported(await send('/search'))).toEqual({ 'GET /search': 8 });
  });
});
