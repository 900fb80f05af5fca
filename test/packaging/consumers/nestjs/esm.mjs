import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { RateLimit, RateLimitGuard, RateLimitModule } from '@sluice/nestjs';

class Home {
  home() {
    return 'home';
  }
}
const descriptor = Object.getOwnPropertyDescriptor(Home.prototype, 'home');
Get()(Home.prototype, 'home', descriptor);
RateLimit({ limit: 2, window: '1m' })(Home.prototype, 'home', descriptor);
Controller()(Home);

class App {}
Module({
  imports: [RateLimitModule.forRoot()],
  controllers: [Home],
  providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
})(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(0, '127.0.0.1');
const answers = [];
for (let request = 0; request < 3; request++) answers.push(await fetch(await app.getUrl()));
await app.close();

console.log(JSON.stringify(answers.map(({ status }) => status)));
