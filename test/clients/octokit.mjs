import { report, statusOf, url } from './report.mjs';

// By names that the compiler does not follow: the types of all routes of GitHub are a quarter of what it reads for the workspace.
const [core, plugin] = ['@octokit/core', '@octokit/plugin-throttling'];
const { Octokit } = await import(core);
const { throttling } = await import(plugin);

const waits = /** @type {number[]} */ ([]);
const client = new (Octokit.plugin(throttling))({
  baseUrl: url,
  // Silent, because Octokit logs each retry.
  log: { debug() {}, info() {}, warn() {}, error() {} },
  throttle: {
    onRateLimit(/** @type {number} */ retryAfter) {
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
