import { setTimeout } from 'node:timers/promises';
import { Catch, Controller, Get, Scope, type ExceptionFilter } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { createLimiter, RateLimitModule, type HttpRequest } from '@sluice/nestjs';

import { applicationOpener, platforms } from './applications.js';
import { atEntry } from './guards.js';

describe.each(platforms)('a request that waits for its turn in $name', (platform) => {
  const open = applicationOpener(platform);

  it('comes to no handler and no filter when its client leaves, and gives its place back', async () => {
    const seen: string[] = [];
    @Controller()
    class Home {
      @Get()
      home(): string {
        seen.push('handler');
        return 'home';
      }
    }
    @Catch()
    class All implements ExceptionFilter {
      catch(): void {
        seen.push('filter');
      }
    }
    const limiter = createLimiter<HttpRequest>({
      algorithm: 'leaky-bucket',
      limit: 1,
      window: '1h',
      queue: 1,
      key: () => 'all',
    });
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ limiter })],
      controllers: [Home],
      providers: [atEntry, { provide: APP_FILTER, useClass: All }],
    });

    await ask();
    await expect(ask('/', { signal: AbortSignal.timeout(200) })).rejects.toThrow('aborted');
    const left = await placesLeft();

    expect(left).toBe(1);
    expect(seen).toEqual(['handler']);

    /** The server sees a little later than the client that it has left. */
    async function placesLeft(): Promise<number | undefined> {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const { outcomes } = await limiter.peek({});
        if (outcomes[0]?.remaining === 1) break;
        await setTimeout(20);
      }
      return (await limiter.peek({})).outcomes[0]?.remaining;
    }
  });

  it('comes to the handler in its turn, whatever the scope of its controller is', async () => {
    @Controller({ scope: Scope.REQUEST })
    class Home {
      @Get()
      home(): string {
        return 'home';
      }
    }
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ algorithm: 'leaky-bucket', limit: 20, window: '1s', queue: 3 })],
      controllers: [Home],
      providers: [atEntry],
    });

    const answers = await Promise.all([ask(), ask(), ask()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
