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
  /** @param store where requests are counted */
  static countingIn(store: Store): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // Limits nothing by itself: handlers say what limits them, and have from here what they do not say.
        // X-RateLimit-* is what most clients read; RateLimit and RateLimit-Policy are the coming standard, with all tiers.
        RateLimitModule.forRoot({ store, headers: ['x-ratelimit', 'draft-11'] }),
      ],
    };
  }
}
