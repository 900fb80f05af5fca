import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { RateLimitGuard, RateLimitModule } from '@sluice/nestjs';
import { cost, limiter, serving } from './process.mjs';

class Home {
  home() {
    return {};
  }
}
// Decorators by hand, for this file is run as it is.
Controller()(Home);
Get()(
  Home.prototype,
  'home',
  /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Home.prototype, 'home')),
);

// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
class Root {}
Module({
  imports: [RateLimitModule.forRoot({ limiter, cost })],
  controllers: [Home],
  providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
})(Root);

const app = await NestFactory.create(Root, { logger: false });
await app.listen(0, '127.0.0.1');
serving(app.getHttpServer().address().port);
