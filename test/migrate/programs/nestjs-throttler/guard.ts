import 'reflect-metadata';
import { Controller, Get, HttpException, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { seconds, SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

class OwnGuard extends ThrottlerGuard {
  protected override async getTracker(request: Record<string, any>): Promise<string> {
    return request['headers']['x-user'] ?? request['ip'];
  }

  protected override async throwThrottlingException(): Promise<void> {
    throw new HttpException({ failed: 'slow down' }, 429);
  }
}

@Controller()
class Api {
  @Get('both')
  both() {
    return 'ok';
  }

  @Throttle({ short: { limit: 1, ttl: 60_000 } })
  @Get('short')
  short() {
    return 'ok';
  }

  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  @Get('none')
  none() {
    return 'ok';
  }

  @SkipThrottle({ short: true, long: true })
  @Get('free')
  free() {
    return 'ok';
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot([
      { name: 'short', ttl: seconds(60), limit: 2 },
      { name: 'long', ttl: 3_600_000, limit: 3 },
    ]),
  ],
  controllers: [Api],
  providers: [{ provide: APP_GUARD, useClass: OwnGuard }],
})
class App {}

const app = await NestFactory.create(App, { logger: false });
await app.listen(3000);
