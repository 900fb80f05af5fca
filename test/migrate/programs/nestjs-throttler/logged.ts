import 'reflect-metadata';
import { Controller, Get, Injectable, Logger, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory, Reflector } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule, type ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';

@Injectable()
class OwnGuard extends ThrottlerGuard {
  private readonly logger = new Logger(OwnGuard.name);

  constructor(options: ThrottlerModuleOptions, storage: ThrottlerStorage, reflector: Reflector) {
    super(options, storage, reflector);
  }

  // Users, and else the address.
  protected getTracker = async (request: Record<string, any>): Promise<string> => {
    this.logger.debug('counts');
    return request['headers']['x-user'] ?? request['ip'];
  };
}

@Controller()
class Api {
  @Get()
  one(): string {
    return 'one';
  }
}

@Module({
  imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
  controllers: [Api],
  providers: [{ provide: APP_GUARD, useClass: OwnGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(3000);
