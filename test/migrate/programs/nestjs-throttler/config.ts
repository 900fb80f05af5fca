import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { minutes, seconds, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

const CONFIG = 'CONFIG';
const MINUTES = Number(process.env['MINUTES'] ?? 1);

interface Config {
  get(name: string): unknown;
}

const values: Readonly<Record<string, unknown>> = { TTL: '60', LIMIT: '2' };

@Module({ providers: [{ provide: CONFIG, useValue: { get: (name: string) => values[name] } }], exports: [CONFIG] })
class ConfigModule {}

@Controller()
class AppController {
  @Get('module')
  module(): string {
    return 'module';
  }

  @Throttle({ default: { limit: 1, ttl: minutes(MINUTES) } })
  @Get('own')
  own(): string {
    return 'own';
  }
}

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [ConfigModule],
      inject: [CONFIG],
      useFactory: (config: Config) => [
        { ttl: seconds(config.get('TTL') as number), limit: config.get('LIMIT') as number },
      ],
    }),
  ],
  controllers: [AppController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
