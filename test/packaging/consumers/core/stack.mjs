import { createLimiter } from '@sluice/core';

try {
  createLimiter({ tiers: [{ name: 'hourly', key: () => 'all', limit: 0.5, window: '1h' }] });
} catch (error) {
  const frames = error.stack.split('\n').map((line) => /^ +at (?:new )?(\S+) \(/.exec(line)?.[1]);
  console.log(JSON.stringify(frames.filter(Boolean)));
}
