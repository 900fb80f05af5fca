import { Octokit } from '@octokit/core';
import { throttling } from '@octokit/plugin-throttling';
import { report, statusOf, url } from './report.mjs';

const waits = /** @type {number[]} */ ([]);
const client = new (Octokit.plugin(throttling))({
  baseUrl: url,
  // Silent, because Octokit logs each retry.
  log: { debug() {}, info() {}, warn() {}, error() {} },
  throttle: {
    onRateLimit(retryAfter) {
      waits.push(retryAfter * 1_000);
      return true;
    },
    onSecondaryRateLimit: () => false,
  },
});

report({
  statuses: [(await client.request('GET /limited')).status, (await client.request('GET /limited')).status],
  waits,
  never: await statusOf(client.request('GET /never')),
});
