import { startCluster, type RedisCluster } from '../support/cluster.js';
import { describeLineCommands } from './line-scene.js';

describe('The commands about a client of a tier with a line, on a Cluster', () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await startCluster({ primaries: 2 });
  });
  afterAll(() => cluster.stop());

  describeLineCommands(() => ({ options: { cluster: cluster.startupNodes }, servers: cluster.nodes }));
});
