import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

@Controller()
class AppController {
  @Get('one')
  one(): string {
    return 'one';
  }

  @Get('two')
  two(): string {
    return 'two';
  }

  @SkipThrottle()
  @Get('free')
  free(): string {
    return 'free';
  }

  @Throttle({ default: { limit: 3, ttl: 60000 } })
  @Get('more')
  more(): string {
    return 'more';
  }
}

@Module({
  imports: [ThrottlerModule.forRoot({ throttlers: [{ ttl: 60000, limit: 2 }] })],
  controllers: [AppController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
