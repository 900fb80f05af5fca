import { Controller, Get, Injectable, Scope, UseGuards, type ExecutionContext } from '@nestjs/common';
import { RateLimit, RateLimitGuard, RateLimitModule } from '@sluice/nestjs';

import { applicationOpener, platforms } from './applications.js';
import { atEntry } from './guards.js';

const ONCE = { limit: 1, window: '1h' } as const;

/** Puts another function in the place of a method, as decorators for traces and caches do. */
function Traced(): MethodDecorator {
  return (_target, _name, descriptor) => {
    const { value } = descriptor as { value: (...args: never[]) => unknown };
    // An arrow would have another `this`.
    function traced(this: unknown, ...args: never[]): unknown {
      return value.apply(this, args);
    }
    (descriptor as { value: unknown }).value = traced;
  };
}

/** Does so on an object. */
function replaceOn(object: object, other: (method: () => string) => unknown): void {
  const methods = object as Record<string, unknown>;
  methods['find'] = other(methods['find'] as () => string);
}

describe.each(platforms)('a handler that was replaced in $name', (platform) => {
  const open = applicationOpener(platform);
  const start = (controller: new () => object) =>
    open({ imports: [RateLimitModule.forRoot()], controllers: [controller], providers: [atEntry] });

  it('by a decorator above keeps its limit', async () => {
    @Controller()
    class Cats {
      @Get()
      @Traced()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const { statuses } = await start(Cats);

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('in a class that extends its own has the limits that stand there alone', async () => {
    class Animals {
      @Get()
      @RateLimit({ limit: 9, window: '1h' })
      find(): string {
        return 'an animal';
      }
    }
    @Controller('cats')
    class Cats extends Animals {
      @Get()
      @RateLimit({ limit: 1, window: '1h', name: 'cats' })
      override find(): string {
        return 'a cat';
      }
    }
    @Controller('dogs')
    class Dogs extends Animals {
      @Get()
      override find(): string {
        return 'a dog';
      }
    }

    const { ask, statuses } = await open({
      imports: [RateLimitModule.forRoot()],
      controllers: [Cats, Dogs],
      providers: [atEntry],
    });

    expect(await statuses(2, '/cats')).toEqual([200, 429]);
    expect((await ask('/dogs')).headers.has('x-ratelimit-limit')).toBe(false);
  });

  it.each([
    ['of one object', Scope.DEFAULT],
    ['of an object for each request', Scope.REQUEST],
  ])('by itself, bound, keeps its limit in a controller %s', async (_name, scope) => {
    @Controller({ scope })
    class Cats {
      constructor() {
        this.find = this.find.bind(this);
      }
      @Get()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const { statuses } = await start(Cats);

    expect(await statuses(3)).toEqual([200, 429, 429]);
  });

  it('by any function on its object keeps its limit', async () => {
    @Controller()
    class Cats {
      constructor() {
        replaceOn(this, (find) => () => find.call(this));
      }
      @Get()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const { statuses } = await start(Cats);

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('by a function that nobody knows, on an object for each request, answers nobody', async () => {
    @Controller({ scope: Scope.REQUEST })
    class Cats {
      constructor() {
        replaceOn(this, (find) => () => find.call(this));
      }
      @Get()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const { app, statuses } = await start(Cats);
    const context = { getType: () => 'http', getClass: () => Cats, getHandler: () => () => {} };
    const guard = app.get(RateLimitGuard);

    expect(await statuses(2)).toEqual([500, 500]);
    expect(() => guard.canActivate(context as unknown as ExecutionContext)).toThrow(
      'Cats: a handler must be a method of its class',
    );
  });

  it('by a function that has its name and its metadata keeps its limit', async () => {
    @Controller({ scope: Scope.REQUEST })
    class Cats {
      constructor() {
        replaceOn(this, (find) => {
          const other = () => find.call(this);
          for (const key of Reflect.getMetadataKeys(find)) {
            Reflect.defineMetadata(key, Reflect.getMetadata(key, find), other);
          }
          return Object.defineProperty(other, 'name', { value: 'find' });
        });
      }
      @Get()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const { statuses } = await start(Cats);

    expect(await statuses(3)).toEqual([200, 429, 429]);
  });

  it('and has lost its guard with it stops the start', async () => {
    @Controller()
    class Cats {
      constructor() {
        this.find = this.find.bind(this);
      }
      @Get()
      @UseGuards(RateLimitGuard)
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }

    const started = open({ imports: [RateLimitModule.forRoot()], controllers: [Cats] });

    await expect(started).rejects.toThrow('Cats.find: no RateLimitGuard enforces the limit at "entry"');
  });
});

describe('A handler that was not there at the start', () => {
  const open = applicationOpener(platforms[0]!);

  it('fails for its own mistake every time', async () => {
    @Injectable()
    class Late {
      @Get()
      @RateLimit({ limit: 1, window: 'soon' as '1h' })
      find(): void {}
    }
    const { app } = await open({ imports: [RateLimitModule.forRoot()], providers: [atEntry] });
    const guard = app.get(RateLimitGuard);
    const context = {
      getType: () => 'http',
      getClass: () => Late,
      getHandler: (): unknown => Reflect.get(Late.prototype, 'find'),
    };
    const ask = () => guard.canActivate(context as unknown as ExecutionContext);

    expect(ask).toThrow('Late.find: tier "GET /" (sliding-window): window must be');
    expect(ask).toThrow('Late.find: tier "GET /" (sliding-window): window must be');
  });
});
