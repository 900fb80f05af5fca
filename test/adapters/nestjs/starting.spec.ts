import { Controller, Get, Injectable, UseGuards, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import {
  AuthenticatedRateLimitGuard,
  createLimiter,
  RateLimit,
  RateLimitGuard,
  RateLimitModule,
  SkipRateLimit,
} from '@sluice/nestjs';

import { applicationOpener, moduleOf, platforms } from './applications.js';
import { atEntry } from './guards.js';

const limiter = createLimiter({ limit: 1, window: '1h', key: () => 'all' });

describe.each(platforms)('the start of $name', (platform) => {
  const open = applicationOpener(platform);
  const start = (controller: new () => object, options = {}) =>
    open({ imports: [RateLimitModule.forRoot(options)], controllers: [controller], providers: [atEntry] });

  it('fails for options of a handler, and names controller, handler and option', async () => {
    @Controller()
    class Cats {
      @Get()
      @RateLimit({ limit: 0.5, window: '1h' })
      find(): void {}
    }

    await expect(start(Cats)).rejects.toMatchObject({
      name: 'ConfigError',
      code: 'LIMIT_INVALID',
      option: 'limit',
      message: expect.stringContaining('Cats.find: tier "GET /" (sliding-window): limit must be') as string,
    });
  });

  it('fails for options of a controller', async () => {
    @Controller()
    @RateLimit({ limit: 5, window: 'soon' as '1h' })
    class Cats {
      @Get()
      find(): void {}
    }

    await expect(start(Cats)).rejects.toThrow('Cats.find: tier "* /" (sliding-window): window must be');
  });

  it.each([
    ['at', { at: 'never' }, 'at must be one of "entry", "authenticated", got "never"'],
    ['override', { override: 'yes' }, 'override must be one of true, false, got "yes"'],
    [
      'onDenied',
      { onDenied: () => {} },
      'onDenied is not an option in Nest: catch RateLimitException in an exception filter',
    ],
    ['headers', { headers: ['x'] }, 'headers[0] must be one of'],
    ['tiers', { tiers: [] }, 'tiers must be an array of 1 to 32 tiers'],
    ['limiter', { limiter: {} }, 'limiter must be a limiter'],
    ['limits', { limits: 3 }, 'limits is not an option here: did you mean limit?'],
  ])('fails for the option %s', async (_name, wrong, message) => {
    @Controller()
    class Cats {
      @Get()
      @RateLimit({ limit: 1, window: '1h', ...(wrong as object) })
      find(): void {}
    }
    const { limit: _limit, window: _window, ...others } = { limit: 1, window: '1h', ...(wrong as object) };
    @Controller()
    class Others {
      @Get()
      @RateLimit(others as never)
      find(): void {}
    }

    await expect(start('tiers' in wrong || 'limiter' in wrong ? Others : Cats)).rejects.toThrow(message);
  });

  it('fails for what is no object', async () => {
    @Controller()
    class Cats {
      @Get()
      @RateLimit(5 as never)
      find(): void {}
    }

    await expect(start(Cats)).rejects.toThrow('Cats.find: rateLimit: options must be an object, got 5');
  });

  it('fails for a name to skip that no tier has', async () => {
    @Controller()
    class Cats {
      @Get()
      @SkipRateLimit('hours')
      find(): void {}
    }
    const tiers = [{ name: 'hour', limit: 1, window: '1h' }];

    await expect(start(Cats, { tiers })).rejects.toThrow(
      'Cats.find: SkipRateLimit: names must be inherited tiers (hour), got "hours". To skip a plan or a shared limiter, give no names',
    );
  });

  it('fails for two limits of one route, which must not share a budget', async () => {
    @Controller('cats')
    class Cats {
      @Get()
      @RateLimit({ limit: 1, window: '1s' })
      @RateLimit({ limit: 9, window: '1h' })
      find(): void {}
    }

    await expect(start(Cats)).rejects.toThrow(
      'Cats.find: tier: name must be given, because another limit is named by the same route, "GET /cats", got undefined',
    );
  });

  it('tells routes apart that RouterModule has put under other paths', async () => {
    @Controller('cats')
    class One {
      @Get()
      @RateLimit({ limit: 1, window: '1h' })
      find(): string {
        return 'here';
      }
    }
    @Controller('cats')
    class Other {
      @Get()
      @RateLimit({ limit: 1, window: '1h' })
      find(): string {
        return 'there';
      }
    }
    const [here, there] = [moduleOf({ controllers: [One] }), moduleOf({ controllers: [Other] })];
    const routes = RouterModule.register([
      { path: 'here', module: here },
      { path: 'there', module: there },
    ]);
    const module = RateLimitModule.forRoot({ headers: ['draft-11'] });

    const { ask, statuses } = await open({ imports: [module, here, there, routes], providers: [atEntry] });

    expect((await ask('/here/cats')).headers.get('ratelimit')).toMatch(/^"GET \/here\/cats";r=0/);
    expect(await statuses(2, '/there/cats')).toEqual([200, 429]);
  });

  it('fails for a tier of one name in two limiters of a handler, which would be charged twice', async () => {
    const minute = { name: 'minute', limit: 5, window: '1m' } as const;
    @Controller()
    class Cats {
      @Get()
      @RateLimit({ ...minute, skip: () => false })
      find(): void {}
    }

    await expect(start(Cats, minute)).rejects.toMatchObject({
      code: 'TIER_NAME_TAKEN',
      message: 'Cats.find: tier "minute": name must be unique among the limits of a handler, got "minute" twice',
    });
  });

  it('fails for a second forRoot, whose limits would be none', async () => {
    const [one, other] = [RateLimitModule.forRoot({ limit: 1, window: '1h' }), RateLimitModule.forRoot()];
    const feature = moduleOf({ imports: [other] });

    await expect(open({ imports: [one, feature], providers: [atEntry] })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'RateLimitModule: must be imported once, in the root module, got 2 imports with different options',
    });
  });

  it('takes one forRoot that two modules import', async () => {
    const module = RateLimitModule.forRoot({ limit: 1, window: '1h' });
    const feature = moduleOf({ imports: [module] });

    await expect(open({ imports: [module, feature], providers: [atEntry] })).resolves.toBeDefined();
  });

  it.each<[string, unknown, string]>([
    ['a number', 5, 'options must be an object, got 5'],
    ['an array', [], 'options must be an object, got an array of 0'],
    ['a text', 'limit', 'options must be an object, got "limit"'],
    ['null', null, 'options must be an object, got null'],
    ['a limiter', limiter, 'options must be an object that holds the limiter: { limiter }, got an object'],
    ['at', { at: 'authenticated' }, 'at is not an option here: only @RateLimit has it, got "authenticated"'],
    ['override', { override: true }, 'override is not an option here: only @RateLimit has it, got true'],
    [
      'onDenied',
      { onDenied: () => {} },
      'onDenied is not an option in Nest: catch RateLimitException in an exception filter',
    ],
    ['authenticated of a text', { authenticated: '' }, 'authenticated must be an object, got ""'],
    ['authenticated of a number', { authenticated: 5 }, 'authenticated must be an object, got 5'],
    ['authenticated at', { authenticated: { at: 'entry' } }, 'authenticated.at is not an option here'],
  ])('fails for %s instead of options of the module', async (_name, options, message) => {
    const startWith = (module: DynamicModule) => open({ imports: [module], providers: [atEntry] });
    const useFactory = () => options as object;

    await expect(startWith(RateLimitModule.forRoot(options as object))).rejects.toThrow(`RateLimitModule: ${message}`);
    await expect(startWith(RateLimitModule.forRootAsync({ useFactory }))).rejects.toThrow(
      `RateLimitModule: ${message}`,
    );
  });

  it('fails for a factory that makes nothing', async () => {
    const module = RateLimitModule.forRootAsync({ useFactory: () => undefined as never });

    await expect(open({ imports: [module] })).rejects.toThrow(
      'RateLimitModule: options must be an object, got undefined',
    );
  });

  it('fails for two tiers of one name with other numbers', async () => {
    @Controller()
    class Cats {
      @Get()
      @RateLimit({ name: 'cats', limit: 1, window: '1h' })
      find(): void {}
      @Get('all')
      @RateLimit({ name: 'cats', limit: 2, window: '1h' })
      all(): void {}
    }

    await expect(start(Cats)).rejects.toThrow('Cats.all: tier "cats": name must belong to one tier of a store');
  });

  it('fails for a limit that no HTTP request comes to', async () => {
    @Injectable()
    class Gateway {
      @RateLimit({ limit: 1, window: '1h' })
      receive(): void {}
    }
    @Injectable()
    @RateLimit({ limit: 1, window: '1h' })
    class Resolver {
      resolve(): void {}
    }
    @Controller()
    class Cats {
      @RateLimit({ limit: 1, window: '1h' })
      find(): void {}
    }
    const startWith = (provider: new () => object) =>
      open({ imports: [RateLimitModule.forRoot()], providers: [atEntry, provider] });

    await expect(startWith(Gateway)).rejects.toThrow('Gateway.receive: @RateLimit works only on a controller');
    await expect(startWith(Resolver)).rejects.toThrow('Resolver: @RateLimit works only on a controller');
    await expect(start(Cats)).rejects.toThrow('Cats.find: @RateLimit works only on');
  });

  it('fails for a guard that no HTTP request comes to', async () => {
    @Injectable()
    @UseGuards(RateLimitGuard)
    class Gateway {
      receive(): void {}
    }
    @Injectable()
    class Resolver {
      @UseGuards(new AuthenticatedRateLimitGuard({} as never))
      resolve(): void {}
    }
    @Controller()
    class Messages {
      @UseGuards(RateLimitGuard)
      receive(): void {}
      @Get()
      find(): void {}
    }
    const startWith = (provider: new () => object) =>
      open({ imports: [RateLimitModule.forRoot()], providers: [atEntry, provider] });

    await expect(startWith(Gateway)).rejects.toThrow('Gateway: RateLimitGuard works only on a controller');
    await expect(startWith(Resolver)).rejects.toThrow('Resolver.resolve: AuthenticatedRateLimitGuard works only on');
    await expect(start(Messages)).rejects.toThrow('Messages.receive: RateLimitGuard works only on');
  });
});
