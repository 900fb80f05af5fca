import 'reflect-metadata';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { minutes, SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

@Controller()
class AppController {
  @Get('module')
  module(): string {
    return 'module';
  }

  @Throttle({ default: { limit: 1, ttl: minutes(2) } })
  @Get('own')
  own(): string {
    return 'own';
  }

  @SkipThrottle()
  @Get('free')
  free(): string {
    return 'free';
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot({
      throttlers: [{ ttl: 60_000, limit: 2 }],
      // All processes count there.
      storage: new ThrottlerStorageRedisService(process.env['REDIS_URL']!),
      errorMessage: 'Too many, sorry.',
    }),
  ],
  controllers: [AppController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
