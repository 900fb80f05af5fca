import { mounts } from '../dashboard/mounts.js';
import { followDeniedClient } from './denied-client.js';

// denied-client.long.spec.ts has the other frameworks, whose routes test/dashboard examines.
followDeniedClient(mounts.filter(([name]) => name === 'Express 5'));
