import { mounts } from '../dashboard/mounts.js';
import { followDeniedClient } from './denied-client.js';

// One framework for each way to serve a page; denied-client.long.spec.ts has the others.
followDeniedClient(mounts.filter(([name]) => /^(Express 5|Fastify)/.test(name)));
