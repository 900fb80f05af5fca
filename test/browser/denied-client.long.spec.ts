import { mounts } from '../dashboard/mounts.js';
import { followDeniedClient } from './denied-client.js';

followDeniedClient(mounts.filter(([name]) => !/^(Express 5|Fastify)/.test(name)));
