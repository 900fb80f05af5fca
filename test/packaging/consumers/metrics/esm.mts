import { createLimiter, memoryStore } from '@sluice/core';
import { startMetrics } from '@sluice/opentelemetry';
import { exposeMetrics } from '@sluice/prometheus';
import { count } from './count.mjs';

await count({ createLimiter, memoryStore, startMetrics, exposeMetrics });
