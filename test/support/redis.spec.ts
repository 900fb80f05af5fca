import { Cluster, Redis } from 'ioredis';
import { startCluster } from './cluster.js';
import { startRedis, type RedisServer } from './redis.js';

describe('startRedis', () => {
  let server: RedisServer;
  let client: Redis;

  beforeEach(async () => {
    server = await startRedis({ args: ['--maxmemory', '64mb'] });
    client = new Redis(server.url);
  });

  afterEach(async () => {
    client.disconnect();
    await server.stop();
  });

  it('resolves with a server that answers, over TCP and over its socket', async () => {
    const local = new Redis(server.path);

    const answers = await Promise.all([client.ping(), local.ping()]);

    local.disconnect();
    expect(answers).toEqual(['PONG', 'PONG']);
  });

  it('passes its arguments on and writes nothing to disk', async () => {
    const settings = await Promise.all(['maxmemory', 'save', 'appendonly'].map((name) => client.config('GET', name)));

    expect(settings).toEqual([
      ['maxmemory', String(64 * 1024 * 1024)],
      ['save', ''],
      ['appendonly', 'no'],
    ]);
  });

  it('starts an empty server on the same port', async () => {
    const { port, process: before } = server;
    await client.set('key', 'value');

    await server.restart();
    const value = await client.get('key');

    expect(value).toBeNull();
    expect(server.port).toBe(port);
    expect(server.process.pid).not.toBe(before.pid);
  });

  it('gives every server a port of its own', async () => {
    const others = await Promise.all([startRedis(), startRedis(), startRedis()]);

    const ports = new Set([server, ...others].map(({ port }) => port));

    await Promise.all(others.map((other) => other.stop()));
    expect(ports.size).toBe(4);
  });

  it('leaves no process behind', async () => {
    const { process: child } = server;

    await server.stop();

    expect(child.signalCode).toBe('SIGKILL');
  });

  it('says why a server does not start', async () => {
    await expect(startRedis({ args: ['--no-such-option', 'yes'] })).rejects.toThrow(/redis-server did not start/);
  });
});

describe('startCluster', () => {
  it('starts primaries that share all slots', async () => {
    const cluster = await startCluster();
    const client = new Cluster(cluster.startupNodes);

    const writes = await Promise.all(['a', 'b', 'c', 'd'].map((key) => client.set(key, key)));

    client.disconnect();
    await cluster.stop();
    expect(writes).toEqual(['OK', 'OK', 'OK', 'OK']);
    expect(cluster.nodes).toHaveLength(3);
  });

  it('gives each primary its replicas', async () => {
    const cluster = await startCluster({ replicas: 1 });
    const clients = cluster.nodes.map(({ port }) => new Redis(port));

    const roles = await Promise.all(clients.map(async (client) => (await client.role())[0]));

    for (const client of clients) client.disconnect();
    await cluster.stop();
    expect(roles).toEqual(['master', 'master', 'master', 'slave', 'slave', 'slave']);
  });
});
