import core = require('@sluice/core');
import opentelemetry = require('@sluice/opentelemetry');
import prometheus = require('@sluice/prometheus');

void import('./count.mjs').then(({ count }) => count({ ...core, ...opentelemetry, ...prometheus }));
