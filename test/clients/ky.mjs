import ky from 'ky';
import { report, statusOf, url } from './report.mjs';

let deniedAt = 0;
const waits = /** @type {number[]} */ ([]);
const client = ky.create({
  prefixUrl: url,
  hooks: {
    afterResponse: [
      (_request, _options, response) => {
        if (response.status === 429) deniedAt = performance.now();
      },
    ],
    // Called after the wait.
    beforeRetry: [() => void waits.push(performance.now() - deniedAt)],
  },
});

report({
  statuses: [(await client.get('limited')).status, (await client.get('limited')).status],
  waits,
  never: await statusOf(client.get('never')),
});
