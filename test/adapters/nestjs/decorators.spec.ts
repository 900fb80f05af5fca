import { Controller, Get, Head, Post, Version, VersioningType } from '@nestjs/common';
import {
  createLimiter,
  memoryStore,
  RateLimit,
  RateLimitModule,
  SkipRateLimit,
  type HttpRequest,
} from '@sluice/nestjs';

import { applicationOpener, platforms, type Answer } from './applications.js';
import { atEntry } from './guards.js';

const CATS = { limit: 3, window: '1h' } as const;

@Controller('cats')
@RateLimit(CATS)
class Cats {
  @Get()
  all(): string {
    return 'cats';
  }

  @Get(':id')
  @RateLimit({ limit: 2, window: '1m' })
  find(): string {
    return 'a cat';
  }

  @Post()
  @RateLimit({ limit: 1, window: '1h', override: true })
  create(): string {
    return 'a new cat';
  }

  @Get(':id/name')
  @SkipRateLimit()
  name(): string {
    return 'a name';
  }

  @Get(':id/picture')
  @SkipRateLimit('hour')
  picture(): string {
    return 'a picture';
  }

  @Get(':id/purr')
  @SkipRateLimit('* /cats')
  @RateLimit({ name: 'purrs', limit: 7, window: '1s' })
  purr(): string {
    return 'purr';
  }
}

@Controller('dogs')
class Dogs {
  @Get()
  all(): string {
    return 'dogs';
  }
}

/** Names of the tiers that a response tells of, with what is left. */
function told({ headers }: Answer): Record<string, number> {
  const members = (headers.get('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+)/g);
  return Object.fromEntries([...members].map(([, name, left]) => [name, Number(left)]));
}

describe.each(platforms)('decorators in $name', (platform) => {
  const open = applicationOpener(platform);
  const hourly = () =>
    RateLimitModule.forRoot({ tiers: [{ name: 'hour', limit: 100, window: '1d' }], headers: ['draft-11'] });
  const openZoo = () => open({ imports: [hourly()], controllers: [Cats, Dogs], providers: [atEntry] });

  it('leave what is not decorated to the module', async () => {
    const { ask } = await openZoo();

    expect(told(await ask('/dogs'))).toEqual({ hour: 99 });
  });

  it('limit a controller beside the module', async () => {
    const { ask } = await openZoo();

    expect(told(await ask('/cats'))).toEqual({ hour: 99, '* /cats': 2 });
  });

  it('limit a handler beside the controller and the module, named by its route', async () => {
    const { ask } = await openZoo();

    expect(told(await ask('/cats/1'))).toEqual({ hour: 99, '* /cats': 2, 'GET /cats/:id': 1 });
  });

  it('share the budget of the controller between its handlers', async () => {
    const { ask, statuses } = await openZoo();

    await ask('/cats');
    await ask('/cats/1');

    expect(await statuses(2, '/cats')).toEqual([200, 429]);
  });

  it('share the budget of the module between all handlers', async () => {
    const { ask } = await openZoo();

    await ask('/cats');
    await ask('/cats/1');

    expect(told(await ask('/dogs'))).toEqual({ hour: 97 });
  });

  it('are decided together: what one denies costs nothing of another', async () => {
    const { ask, statuses } = await openZoo();

    await statuses(2, '/cats/1');
    const denied = await ask('/cats/2');

    expect(denied.status).toBe(429);
    expect(JSON.parse(denied.text)).toMatchObject({ 'violated-policies': ['GET /cats/:id'] });
    expect(told(denied)).toEqual({ hour: 98, '* /cats': 1, 'GET /cats/:id': 0 });
    expect(told(await ask('/cats'))).toEqual({ hour: 97, '* /cats': 0 });
  });

  it('stand instead of what is above, with override', async () => {
    const { ask } = await openZoo();

    expect(told(await ask('/cats', { method: 'POST' }))).toEqual({ 'POST /cats': 0 });
    expect(told(await ask('/dogs'))).toEqual({ hour: 99 });
  });

  it('skip all limits', async () => {
    const { ask } = await openZoo();

    const { status, headers } = await ask('/cats/1/name');

    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });

  it('skip tiers by their names', async () => {
    const { ask } = await openZoo();

    expect(told(await ask('/cats/1/picture'))).toEqual({ '* /cats': 2 });
    expect(told(await ask('/cats/1/purr'))).toEqual({ hour: 99, purrs: 6 });
  });

  it('skip for a controller, and limit a handler of it', async () => {
    @Controller()
    @SkipRateLimit()
    class Site {
      @Get()
      home(): string {
        return 'home';
      }
      @Get('search')
      @RateLimit({ limit: 9, window: '1h' })
      search(): string {
        return 'found';
      }
    }

    const { ask } = await open({ imports: [hourly()], controllers: [Site], providers: [atEntry] });

    expect(told(await ask('/'))).toEqual({});
    expect(told(await ask('/search'))).toEqual({ 'GET /search': 8 });
  });

  it('limit a handler in several ways, in the order in which they are written', async () => {
    @Controller()
    class Site {
      @Get()
      @RateLimit({ name: 'first', limit: 5, window: '1h' })
      @RateLimit({ name: 'second', limit: 5, window: '1h' })
      home(): string {
        return 'home';
      }
    }

    const { ask } = await open({ imports: [hourly()], controllers: [Site], providers: [atEntry] });

    expect(Object.keys(told(await ask()))).toEqual(['hour', 'first', 'second']);
  });

  it('decide one after the other where a limit has a skip of its own, and only it is skipped', async () => {
    @Controller()
    class Site {
      @Get()
      @RateLimit({ limit: 1, window: '1h', skip: ({ headers }) => headers?.['x-skip'] !== undefined })
      home(): string {
        return 'home';
      }
    }
    const { ask, statuses } = await open({ imports: [hourly()], controllers: [Site], providers: [atEntry] });

    expect(told(await ask('/', { headers: { 'x-skip': '1' } }))).toEqual({ hour: 99 });
    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('limit with a limiter that is shared, at a cost of their own', async () => {
    const limiter = createLimiter<HttpRequest>({ limit: 10, window: '1h', key: () => 'all' });
    @Controller()
    class Site {
      @Get('cheap')
      @RateLimit({ limiter })
      cheap(): string {
        return 'cheap';
      }
      @Get('dear')
      @RateLimit({ limiter, cost: 5 })
      dear(): string {
        return 'dear';
      }
    }
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ headers: ['draft-11'] })],
      controllers: [Site],
      providers: [atEntry],
    });

    expect(told(await ask('/cheap'))).toEqual({ default: 9 });
    expect(told(await ask('/dear'))).toEqual({ default: 4 });
  });

  it('limit in a store of their own', async () => {
    const store = memoryStore();
    @Controller()
    class Site {
      @Get()
      @RateLimit({ store, name: 'own', limit: 5, window: '1h' })
      home(): string {
        return 'home';
      }
    }
    const { ask } = await open({ imports: [hourly()], controllers: [Site], providers: [atEntry] });

    await ask();

    const limiter = createLimiter<object>({
      store,
      tiers: [{ name: 'own', limit: 5, window: '1h', key: () => ({ kind: 'ip', parts: ['127.0.0.1'] }) }],
    });
    expect(await limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 4 }] });
  });

  it('give two handlers with one object of options a budget each', async () => {
    const strict = { limit: 1, window: '1h' } as const;
    @Controller()
    class Site {
      @Get('one')
      @RateLimit(strict)
      one(): string {
        return 'one';
      }
      @Get('other')
      @RateLimit(strict)
      other(): string {
        return 'other';
      }
    }

    const { statuses } = await open({ imports: [hourly()], controllers: [Site], providers: [atEntry] });

    expect(await statuses(2, '/one')).toEqual([200, 429]);
    expect(await statuses(2, '/other')).toEqual([200, 429]);
  });

  it('of a base class limit the controllers that extend it, each by itself', async () => {
    @RateLimit({ limit: 9, window: '1h' })
    abstract class Resource {
      @Get()
      @RateLimit({ limit: 1, window: '1h' })
      all(): string {
        return 'all';
      }
    }
    @Controller('lions')
    class Lions extends Resource {}
    @Controller('bears')
    @RateLimit({ limit: 8, window: '1h', name: 'bears' })
    class Bears extends Resource {}

    const { ask, statuses } = await open({ imports: [hourly()], controllers: [Lions, Bears], providers: [atEntry] });

    expect(await statuses(2, '/lions')).toEqual([200, 429]);
    expect(told(await ask('/bears'))).toEqual({ hour: 98, '* /bears': 8, bears: 7, 'GET /bears': 0 });
  });

  it('tell versions of a route apart', async () => {
    @Controller('cats')
    class Versions {
      @Get()
      @Version('1')
      @RateLimit({ limit: 5, window: '1h' })
      first(): string {
        return 'first';
      }
      @Get()
      @Version('2')
      @RateLimit({ limit: 9, window: '1h' })
      second(): string {
        return 'second';
      }
    }
    const { ask } = await open({ imports: [hourly()], controllers: [Versions], providers: [atEntry] }, (app) =>
      app.enableVersioning({ type: VersioningType.URI }),
    );

    expect(told(await ask('/v1/cats'))).toEqual({ hour: 99, 'GET /cats v1': 4 });
    expect(told(await ask('/v2/cats'))).toEqual({ hour: 98, 'GET /cats v2': 8 });
  });

  it('name a handler of several paths by all of them', async () => {
    @Controller('menu')
    class Menu {
      @Get(['tea', 'milk'])
      @RateLimit({ limit: 9, window: '1h' })
      drinks(): string {
        return 'drinks';
      }
      @Head('tea/kind')
      kind(): void {}
    }

    const { ask } = await open({ imports: [hourly()], controllers: [Menu], providers: [atEntry] });

    expect(Object.keys(told(await ask('/menu/milk')))).toEqual(['hour', 'GET /menu/tea,/menu/milk']);
  });

  it('encode what a name of a tier cannot have', async () => {
    // Express knows no paths but of ASCII, and takes braces for what may be missing. Fastify knows all characters.
    const [path, asked, name] =
      platform.name === 'Nest on Fastify'
        ? ['caf\u00e9', 'caf%C3%A9', 'caf%C3%A9']
        : ['tea{/:kind}', 'tea', 'tea%7B/:kind%7D'];
    @Controller()
    class Menu {
      @Get(path)
      @RateLimit({ limit: 9, window: '1h' })
      drinks(): string {
        return 'drinks';
      }
    }

    const { ask } = await open({ imports: [hourly()], controllers: [Menu], providers: [atEntry] });

    expect(Object.keys(told(await ask(`/${asked}`)))).toEqual(['hour', `GET /${name}`]);
  });

  it('count HEAD with GET', async () => {
    const { ask, statuses } = await openZoo();

    await statuses(2, '/cats/1', { method: 'HEAD' });
    const denied = await ask('/cats/1', { method: 'HEAD' });

    expect(denied.status).toBe(429);
    expect(denied.text).toBe('');
    expect((await ask('/cats/1')).status).toBe(429);
  });
});
