import { pipeline, type Readable } from 'node:stream';
import { Controller, Get, Res, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RateLimitModule } from '@sluice/nestjs';
import { interval } from 'rxjs';
import { siteAt } from '../../support/site.js';
import { streamSuite } from '../endings/stream-suite.js';
import { ticks } from '../endings/ticks.js';
import { entryGuard, moduleOf, platforms } from './application.js';

@Controller()
class Streams {
  @Sse('sse')
  events() {
    return interval(1);
  }

  @Get('endless')
  endless(@Res() reply: unknown) {
    send(reply, ticks());
  }

  @Get('failing')
  failing(@Res() reply: unknown) {
    send(reply, ticks(3));
  }
}

/** As Fastify and as Express send a stream. */
function send(reply: unknown, stream: Readable): void {
  const fastifyReply = reply as { raw?: unknown; send(body: unknown): unknown };
  if (fastifyReply.raw) fastifyReply.send(stream);
  else pipeline(stream, reply as NodeJS.WritableStream, () => undefined);
}

for (const { name, adapter } of platforms) {
  streamSuite(`Nest on ${name}`, async (limiter) => {
    const root = moduleOf({
      imports: [RateLimitModule.forRoot({ limiter })],
      controllers: [Streams],
      providers: [entryGuard],
    });
    const app = await NestFactory.create(root, adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const { port } = new URL(await app.getUrl());
    return siteAt({ host: '127.0.0.1', port: Number(port) }, () => app.close());
  });
}
