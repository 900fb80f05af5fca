/** A file with a tier for each way to identify a client. */
export const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - { name: ip-minute, key: ip, limit: 3, window: 1m, algorithm: fixed-window }
      - { name: tenant-hour, key: tenant, limit: { free: 2, pro: 5, otherwise: 1 }, window: 1h }
  jobs:
    tiers:
      - { name: running, key: tenant, limit: 2, algorithm: concurrency, hold: 1s }
      - { name: tokens, key: tenant, limit: 100, window: 1h, unit: tokens }
extensions:
  server:
    identities: [tenant]
    descriptors:
      - { tier: ip-minute, from: [remote_address] }
      - { tier: tenant-hour, from: [tenant, plan], plan: plan }
      - { limiter: api, from: [path], unlimited: true }
      - { tier: tokens, from: [tenant] }
`;
