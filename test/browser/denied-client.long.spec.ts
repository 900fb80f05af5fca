import { mounts } from '../dashboard/mounts.js';
import { followDeniedClient } from './denied-client.js';
import { Scenes } from './scenes.js';

followDeniedClient(mounts.slice(1), new Scenes());
