import { Controller, Get, Injectable, Scope, UseGuards, type ExecutionContext } from '@nestjs/common';
import { RateLimit, RateLimitGuard, RateLimitModule } from '@sluice/nestjs';

import { applicationsOn, platforms } from './application.js';

const ONCE = { limit: 1, window: '1h' } as const;

/** Replaces the function of a method, as decorators for tracing and caching do. */
function Traced(): MethodDecorator {
  return (_target, _name, descriptor) => {
    const { value } = descriptor as { value: (...args: never[]) => unknown };
    function traced(this: unknown, ...args: never[]): unknown {
      return value.apply(this, args);
    }
    (descriptor as { value: unknown }).value = traced;
  };
}

interface Finding {
  find(): string;
}

/** A controller that replaces `find` on each instance in its constructor. */
function catsWithOwn(find: (cats: Finding) => unknown, scope = Scope.DEFAULT) {
  @Controller({ scope })
  class Cats implements Finding {
    constructor() {
      Object.assign(this, { find: find(this) });
    }
    @Get()
    @RateLimit(ONCE)
    find(): string {
      return 'a cat';
    }
  }
  return Cats;
}

const bind = (cats: Finding) => cats.find.bind(cats);
const wrap = (cats: Finding) => {
  const find = bind(cats);
  return () => find();
};
const wrapWithMetadata = (cats: Finding) => {
  const [method, wrapped] = [Reflect.get<Finding, 'find'>(cats, 'find'), wrap(cats)];
  for (const key of Reflect.getMetadataKeys(method)) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), wrapped);
  }
  return Object.defineProperty(wrapped, 'name', { value: 'find' });
};

describe.each(platforms)('A limited handler on $name', (platform) => {
  const { open, start } = applicationsOn(platform);

  it('keeps its limit when a decorator replaces its function', async () => {
    @Controller()
    class Cats {
      @Get()
      @Traced()
      @RateLimit(ONCE)
      find(): string {
        return 'a cat';
      }
    }
    const { statuses } = await start({}, Cats);

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it.each([
    ['bound on a singleton', catsWithOwn(bind)],
    ['bound on a request-scoped instance', catsWithOwn(bind, Scope.REQUEST)],
    ['replaced on a singleton by any function', catsWithOwn(wrap)],
    ['replaced on a request-scoped instance with its name and metadata', catsWithOwn(wrapWithMetadata, Scope.REQUEST)],
  ])('keeps its limit when it is %s', async (_how, Cats) => {
    const { statuses } = await start({}, Cats);

    expect(await statuses(3)).toEqual([200, 429, 429]);
  });

  it('answers 500 when a request-scoped instance has an unknown function in its place', async () => {
    const Cats = catsWithOwn(wrap, Scope.REQUEST);
    const { app, statuses } = await start({}, Cats);

    expect(await statuses(2)).toEqual([500, 500]);
    expect(() => app.get(RateLimitGuard).canActivate(contextOf(Cats, () => {}))).toThrow(
      'Cats: a handler must be a method of its class',
    );
  });

  it('stops the start when the replaced function has lost its guard', async () => {
    @Controller()
    class Cats {
      constructor() {
        this.find = this.find.bind(this);
      }
      @Get()
      @UseGuards(RateLimitGuard)
      @RateLimit(ONCE)
      find(): void {}
    }

    await expect(open({ imports: [RateLimitModule.forRoot()], controllers: [Cats] })).rejects.toThrow(
      'Cats.find: no RateLimitGuard enforces the limit at "entry"',
    );
  });

  it('reports invalid options at each request when it was loaded after the start', async () => {
    @Injectable()
    class Late {
      @Get()
      @RateLimit({ limit: 1, window: 'soon' as '1h' })
      find(): void {}
    }
    const { app } = await start({});
    const context = contextOf(Late, Reflect.get<Late, 'find'>(Late.prototype, 'find'));
    const send = () => app.get(RateLimitGuard).canActivate(context);

    expect(send).toThrow('Late.find: tier "GET /" (sliding-window): window must be');
    expect(send).toThrow('Late.find: tier "GET /" (sliding-window): window must be');
  });
});

function contextOf(controller: unknown, handler: () => void): ExecutionContext {
  const context = { getType: () => 'http', getClass: () => controller, getHandler: () => handler };
  return context as unknown as ExecutionContext;
}
