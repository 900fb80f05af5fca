import { Controller, Get, Header, Req } from '@nestjs/common';
import { usage } from '@sluice/example-shared';
import type { HttpRequest } from '@sluice/nestjs';

@Controller()
export class HomeController {
  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  home(@Req() { headers }: HttpRequest): string {
    return usage(String(headers?.['host']));
  }

  @Get('health')
  health(): object {
    return { healthy: true };
  }
}
