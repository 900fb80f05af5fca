import 'reflect-metadata';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

const LIMITS = 'LIMITS';

@Module({ providers: [{ provide: LIMITS, useValue: { ttl: 60_000, limit: 2 } }], exports: [LIMITS] })
class LimitsModule {}

@Throttle({ default: { limit: 1 } })
@Controller()
class AppController {
  @Get()
  get(): string {
    return 'get';
  }

  @Post()
  post(): string {
    return 'post';
  }
}

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [LimitsModule],
      inject: [LIMITS],
      useFactory: () => [{ ttl: 60_000, limit: 2 }],
    }),
  ],
  controllers: [AppController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
