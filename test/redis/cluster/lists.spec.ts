import { ipList } from '@sluice/http/lists';
import { redisStore } from '@sluice/redis';
import { patient } from '../../support/patient.js';
import { startCluster, type RedisCluster } from '../../support/cluster.js';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.stop());

describe('a list of addresses on a Cluster', () => {
  it('is shared, wherever its keys are, and is read in pages', async () => {
    const stores = [1, 2].map(() => redisStore({ cluster: cluster.startupNodes }, patient));
    const added = Array.from({ length: 1_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);

    const seen: unknown[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const [list, other] = stores.map((store) => ipList({ name, store, refresh: '1h' }));
      await list!.add(added);
      await other!.ready();
      await list!.remove('10.0.0.7');
      await other!.refresh();
      seen.push([other!.entries().length, other!.has('10.0.0.7'), other!.has('10.0.3.231')]);
      for (const each of [list!, other!]) each.close();
    }
    await Promise.all(stores.map((store) => store.close()));

    expect(seen).toEqual(Array.from({ length: 4 }, () => [999, false, true]));
  });
});
