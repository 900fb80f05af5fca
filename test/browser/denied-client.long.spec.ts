import { mounts } from '../dashboard/mounts.js';
import { followDeniedClient } from './denied-client.js';

followDeniedClient(mounts.filter(([name]) => name !== 'Express 5'));
