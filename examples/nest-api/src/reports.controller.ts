import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { RateLimit } from '@sluice/nestjs';
import { reportLimit } from './limits.js';

@Controller('report')
export class ReportsController {
  @Get()
  @RateLimit(reportLimit)
  async report(): Promise<object> {
    // Stands for an expensive database query.
    await delay(100);
    return { report: 'All is well.' };
  }
}
