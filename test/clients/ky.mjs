import ky from 'ky';
import { report, statusOf, url } from './report.mjs';

let denied = 0;
const waits = /** @type {number[]} */ ([]);
const client = ky.create({
  prefixUrl: url,
  hooks: {
    afterResponse: [
      (_request, _options, response) => {
        if (response.status === 429) denied = performance.now();
      },
    ],
    // Called when the wait is over.
    beforeRetry: [() => void waits.push(performance.now() - denied)],
  },
});

report({
  statuses: [(await client.get('limited')).status, (await client.get('limited')).status],
  waits,
  never: await statusOf(client.get('never')),
});
