import { definePolicy, type PolicyOptions } from '../algorithms/named/policy-options.js';
import { balance, notices } from '../../../quotas/src/index.js';
import { countedPolicy } from '../../../quotas/src/usage/counted-policy.js';
import { fastPath } from './compose.js';

const fixedWindow: PolicyOptions = { algorithm: 'fixed-window', limit: 100, window: '1m' };
const log: PolicyOptions = { limit: 10, window: '1s' };
const slots: PolicyOptions = { limit: 1_000, window: '1h' };
const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 };
const permits: PolicyOptions = { algorithm: 'concurrency', limit: 5 };

describe('fastPath', () => {
  it.each<[string, PolicyOptions[]]>([
    ['a fixed window', [fixedWindow]],
    ['a sliding window that stores a log', [log]],
    ['a sliding window that stores counts', [slots]],
    ['a token bucket', [bucket]],
    ['permits', [permits]],
    ['a rate and permits', [fixedWindow, permits]],
    ['three tiers', [slots, fixedWindow, bucket]],
  ])('is this Lua for %s', (_name, options) => {
    expect(`\n${fastPath(options.map((each) => definePolicy(each)))}\n`).toMatchSnapshot();
  });

  it('is this Lua for a fixed window, permits and requests of any costs', () => {
    const policies = [fixedWindow, permits].map((each) => definePolicy(each));

    expect(`\n${fastPath(policies, undefined, true)}\n`).toMatchSnapshot();
  });

  it('is this Lua for a fixed window with usage and a bucket', () => {
    const policies = [countedPolicy(definePolicy(fixedWindow)), definePolicy(bucket)];

    expect(`\n${fastPath(policies)}\n`).toMatchSnapshot();
  });

  it('is that of a fixed window for one with notices', () => {
    const noticed = definePolicy({ ...fixedWindow, notices: notices(0.5, 1) });

    expect(fastPath([noticed])).toBe(fastPath([definePolicy(fixedWindow)]));
  });

  it('is this Lua for a fixed window and credits in its place', () => {
    const credits: PolicyOptions = { algorithm: balance({ covers: ['month'] }) };
    const policies = [fixedWindow, credits].map((each) => definePolicy(each));

    expect(`\n${fastPath(policies, [-1, 1])}\n`).toMatchSnapshot();
  });
});
