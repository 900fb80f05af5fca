import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { RateLimitFilter, RateLimitGuard, RateLimitModule, type Store } from '@sluice/nestjs';
import { CatalogController } from './catalog.controller.js';
import { ErrorFilter } from './error.filter.js';
import { HomeController } from './home.controller.js';
import { ReportsController } from './reports.controller.js';
import { UsersController } from './users.controller.js';

@Module({
  controllers: [HomeController, CatalogController, UsersController, ReportsController],
  providers: [
    { provide: APP_GUARD, useExisting: RateLimitGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_FILTER, useClass: RateLimitFilter },
  ],
})
// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class
export class AppModule {
  /** @param store counts the requests */
  static withStore(store: Store): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // Limits nothing itself: handlers define their limits and inherit these options.
        // Most clients read X-RateLimit-*. The draft standard, RateLimit and RateLimit-Policy, reports all tiers.
        RateLimitModule.forRoot({ store, headers: ['x-ratelimit', 'draft-11'] }),
      ],
    };
  }
}
