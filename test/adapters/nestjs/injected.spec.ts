import { once } from 'node:events';
import { Controller, Get, Inject, Injectable, Param } from '@nestjs/common';
import { ExternalContextCreator, HttpAdapterHost, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AUTHENTICATED_RATE_LIMITER,
  InjectRateLimiter,
  RATE_LIMITER,
  RateLimit,
  RateLimitDecision,
  RateLimitModule,
  SkipRateLimit,
  type Decision,
  type HttpRequest,
  type Limiter,
} from '@sluice/nestjs';
import { WebSocket, WebSocketServer } from 'ws';

import { applicationOpener, moduleOf, platforms } from './applications.js';
import { atEntry } from './guards.js';

@Controller()
class Home {
  @Get('left')
  left(@RateLimitDecision() decision: Decision): object {
    return { left: decision.outcomes.map(({ tier, remaining }) => [tier, remaining]) };
  }

  @Get('none')
  @SkipRateLimit()
  none(@RateLimitDecision() decision: Decision | undefined): object {
    return { decided: decision !== undefined };
  }

  @Get('both')
  @RateLimit({ limit: 3, window: '1h', cost: 2 })
  both(@RateLimitDecision() decision: Decision): object {
    return { left: decision.outcomes.map(({ tier, remaining }) => [tier, remaining]) };
  }
}

/** What a service, a job or a resolver does. */
@Injectable()
class Imports {
  constructor(@InjectRateLimiter() private readonly limiter: Limiter<HttpRequest>) {}

  async run(ip: string, rows: number): Promise<boolean> {
    const { allowed } = await this.limiter.consume({ ip }, { cost: rows });
    return allowed;
  }
}

@Controller('imports')
@SkipRateLimit()
class ImportsController {
  constructor(@Inject(Imports) private readonly imports: Imports) {}

  @Get(':rows')
  async run(@Param('rows') rows: string): Promise<object> {
    return { done: await this.imports.run('203.0.113.7', Number(rows)) };
  }
}

/** What a gateway does for each message, by the address that it has seen at the handshake. */
@Injectable()
class Gateway {
  constructor(
    @InjectRateLimiter() private readonly limiter: Limiter<HttpRequest>,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const server = new WebSocketServer({ server: this.host.httpAdapter.getHttpServer() as never });
    server.on('connection', (socket, { headers, socket: { remoteAddress } }) => {
      const answer = async () => {
        const { allowed } = await this.limiter.consume({ headers, ip: remoteAddress });
        socket.send(allowed ? 'done' : 'too many');
      };
      socket.on('message', () => void answer());
    });
  }
}

describe('An application without HTTP', () => {
  const hourly = RateLimitModule.forRoot({ tiers: [{ name: 'hour', limit: 5, window: '1h' }] });

  it.each([
    [
      'that Nest starts',
      () => NestFactory.createApplicationContext(moduleOf({ imports: [hourly] }), { logger: false }),
    ],
    ['in a test', async () => (await Test.createTestingModule({ imports: [hourly] }).compile()).init()],
  ])('%s has the limiter', async (_name, start) => {
    const app = await start();
    const limiter = app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    expect(await limiter.consume({ ip: '203.0.113.7' }, { cost: 5 })).toMatchObject({ allowed: true });
    expect(await limiter.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: false });
    await app.close();
  });
});

describe.each(platforms)('what is injected in $name', (platform) => {
  const open = applicationOpener(platform);
  const hourly = () => RateLimitModule.forRoot({ tiers: [{ name: 'hour', limit: 5, window: '1h' }] });

  it('is the decision, for handlers', async () => {
    const { ask } = await open({ imports: [hourly()], controllers: [Home], providers: [atEntry] });

    expect(JSON.parse((await ask('/left')).text)).toEqual({ left: [['hour', 4]] });
    expect(JSON.parse((await ask('/none')).text)).toEqual({ decided: false });
    expect(JSON.parse((await ask('/both')).text)).toEqual({ left: [['GET /both', 1]] });
  });

  it('is a limiter, for services, of the same budgets as the guard', async () => {
    const { app, ask } = await open({
      imports: [hourly()],
      controllers: [Home, ImportsController],
      providers: [atEntry, Imports],
    });
    const limiter = app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    expect(JSON.parse((await ask('/imports/4')).text)).toEqual({ done: true });
    expect(JSON.parse((await ask('/imports/2')).text)).toEqual({ done: false });
    await limiter.consume({ ip: '127.0.0.1' }, { cost: 5 });
    expect((await ask('/left')).status).toBe(429);
    await limiter.reset({ ip: '127.0.0.1' });
    expect((await ask('/left')).status).toBe(200);
  });

  it('is a limiter, for WebSocket gateways', async () => {
    const { app } = await open({ imports: [hourly()], providers: [Gateway] });
    const url = (await app.getUrl()).replace('http', 'ws');
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const answers: string[] = [];

    for (let message = 0; message < 6; message += 1) {
      socket.send('work');
      const [answer] = (await once(socket, 'message')) as [Buffer];
      answers.push(answer.toString());
    }
    socket.terminate();

    expect(answers).toEqual(['done', 'done', 'done', 'done', 'done', 'too many']);
  });

  it('settles what the guard has reserved, where the module has all limits of a handler', async () => {
    const decisions: Decision[] = [];
    @Controller()
    class Model {
      @Get()
      ask(@RateLimitDecision() decision: Decision): string {
        decisions.push(decision);
        return 'answer';
      }
    }
    const { app, ask } = await open({
      imports: [RateLimitModule.forRoot({ tiers: [{ name: 'tokens', limit: 100, window: '1h' }], cost: () => 50 })],
      controllers: [Model],
      providers: [atEntry],
    });
    const limiter = app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    await ask();
    const charged = await limiter.settle(decisions[0]!, 20);

    expect(charged).toBe(-30);
  });

  it('says so where the module has no limits', async () => {
    const { app } = await open({ imports: [hourly()] });
    const limiter = app.get<Limiter<HttpRequest>>(AUTHENTICATED_RATE_LIMITER);

    await expect(limiter.consume({})).rejects.toThrow(
      'RateLimitModule: the option authenticated of forRoot must have limits before their limiter can be injected, got none',
    );
  });

  it.each(['ws', 'graphql', 'rpc'])('counts a call of the kind %s, which the guard lets pass', async (kind) => {
    @Injectable()
    class Resolver {
      constructor(@InjectRateLimiter() private readonly limiter: Limiter<HttpRequest>) {}
      async cats(client: HttpRequest): Promise<boolean> {
        const { allowed } = await this.limiter.consume(client, { cost: 3 });
        return allowed;
      }
    }
    const { app } = await open({ imports: [hourly()], controllers: [Home], providers: [atEntry, Resolver] });
    // What the packages for GraphQL and for WebSockets call the methods of an application by, with its global guards.
    const resolver = app.get(Resolver);
    const creator = app.get(ExternalContextCreator);
    const method = (...args: unknown[]) => resolver.cats(args[2] as HttpRequest);
    const options = { guards: true, interceptors: true, filters: true };
    const call = creator.create(
      resolver,
      method,
      'cats',
      undefined,
      undefined,
      undefined,
      undefined,
      options,
      kind,
    ) as (...args: unknown[]) => Promise<boolean>;
    const client = { ip: '203.0.113.7' };

    const answers = [await call({}, {}, client, {}), await call({}, {}, client, {})];

    expect(answers).toEqual([true, false]);
  });
});
