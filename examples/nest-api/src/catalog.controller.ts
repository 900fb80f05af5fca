import { Controller, Get, Query, Req, UseGuards } from '@nestjs/common';
import { RateLimit, type HttpRequest } from '@sluice/nestjs';
import { ApiKeyGuard, keyHolder } from './api-key.guard.js';
import { itemsLimit, publicLimit, searchLimit } from './limits.js';

@Controller()
export class CatalogController {
  @Get('public')
  @RateLimit(publicLimit)
  news(): object {
    return { news: 'Everyone can read this.' };
  }

  @Get('search')
  @RateLimit(searchLimit)
  search(@Query('q') query: unknown = ''): object {
    return { query, found: [] };
  }

  @Get('items')
  @RateLimit(itemsLimit)
  @UseGuards(ApiKeyGuard)
  items(@Req() request: HttpRequest): object {
    return { plan: keyHolder(request)?.plan, items: [] };
  }
}
