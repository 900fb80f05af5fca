import { balances } from './balances.js';
import { desk } from './desk.js';
import { lines } from './lines.js';
import type { MeasuredFeature } from './measured-feature.js';
import { queues } from './queues.js';
import { service } from './service.js';
import { shedding } from './shedding.js';

/** The features that bring their instruments, panels and alerts along. */
export const measuredFeatures: readonly MeasuredFeature[] = [shedding, queues, lines, balances, service, desk];
