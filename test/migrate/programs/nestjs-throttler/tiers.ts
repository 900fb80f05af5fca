import 'reflect-metadata';
import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { minutes, seconds, SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

@UseGuards(ThrottlerGuard)
@Controller('limited')
class LimitedController {
  @Get()
  get(): string {
    return 'limited';
  }

  @SkipThrottle({ short: true })
  @Get('long')
  long(): string {
    return 'long';
  }
}

@Controller('free')
class FreeController {
  @Get()
  get(): string {
    return 'free';
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot([
      { name: 'short', ttl: seconds(30), limit: 1 },
      { name: 'long', ttl: minutes(10), limit: 3 },
    ]),
  ],
  controllers: [LimitedController, FreeController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
