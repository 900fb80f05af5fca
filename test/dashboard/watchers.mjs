// Ten open pages, in a process of their own: node test/dashboard/watchers.mjs http://localhost:3000/sluice/
import { once } from 'node:events';
import { get } from 'node:http';

const PAGES = 10;

const requests = Array.from({ length: PAGES }, () => get(`${process.argv[2]}api/events`, { agent: false }));
const responses = await Promise.all(requests.map((request) => once(request, 'response')));
for (const [response] of responses) response.on('error', () => process.exit()).resume();
process.once('disconnect', () => process.exit());
process.send?.('open');
