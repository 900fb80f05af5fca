import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { RateLimitGuard, RateLimitModule } from '@sluice/nestjs';
import { printAnswersOf } from './answers.mjs';

class Home {
  home() {
    return 'home';
  }
}
Get()(Home.prototype, 'home', Object.getOwnPropertyDescriptor(Home.prototype, 'home'));
Controller()(Home);

/** Decorators are called, because JavaScript has no syntax for them. */
export async function printLimited(options) {
  class App {}
  Module({
    imports: [RateLimitModule.forRoot(options)],
    controllers: [Home],
    providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
  })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0, '127.0.0.1');
  await printAnswersOf(app.getHttpServer());
}
