import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';

@Controller()
class Api {
  @Get('module')
  module(): string {
    return 'module';
  }

  @Throttle({ default: { ttl: 60_000, limit: 1 } })
  @Get('own')
  own(): string {
    return 'own';
  }
}

@Module({
  imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }])],
  controllers: [Api],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
