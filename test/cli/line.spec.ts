import { withRedis } from '../support/redis-store.js';
import { describeLineCommands } from './line-scene.js';

describe('The commands about a client of a tier with a line, on one Redis', () => {
  const redis = withRedis();

  describeLineCommands(() => ({ options: { url: redis.server.url }, servers: [redis.server] }));
});
