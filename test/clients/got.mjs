import { got } from 'got';
import { report, statusOf, url } from './report.mjs';

const waits = /** @type {number[]} */ ([]);
const client = got.extend({
  prefixUrl: url,
  retry: {
    calculateDelay({ computedValue }) {
      if (computedValue > 0) waits.push(computedValue);
      return computedValue;
    },
  },
});

report({
  statuses: [(await client.get('limited')).statusCode, (await client.get('limited')).statusCode],
  waits,
  never: await statusOf(client.get('never')),
});
