import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import type { Priority } from '../../packages/overload/src/index.js';
import { SHED } from '../../packages/http/src/gate/shedding.js';
import { usedHeap } from '../resilience/soak/samples.js';
import { manualShedder } from '../support/manual-loop.js';
import { until } from '../support/until.js';
import { startDoorServer, type DoorServer } from './door-server.js';

const MEGABYTE = 2 ** 20;

/** Opens connections that send nothing. At most a hundred wait in the kernel. */
async function silence(port: number, count: number): Promise<{ readonly allClosed: Promise<unknown> }> {
  const closed: Promise<unknown>[] = [];
  let left = count;
  const opener = async () => {
    while ((left -= 1) >= 0) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      closed.push(new Promise((resolve) => socket.resume().once('close', resolve)));
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: 100 }, opener));
  return { allClosed: Promise.all(closed) };
}

// Only Linux says how many descriptors a process has open.
(process.platform === 'linux' ? describe : describe.skip)('a server with a shedder', () => {
  let server: DoorServer;
  let clients = new AbortController();

  afterEach(async () => {
    clients.abort();
    await server.stop();
  });

  it('answers beside 10 000 silent connections, closes them after headersTimeout, and keeps nothing of them', async () => {
    server = await startDoorServer(15_000, 8_000);
    const agent = new Agent({ keepAlive: true });
    const before = await server.state();
    const heaps: number[] = [];
    let asked = 0;
    for (let round = 0; round < 3; round += 1) {
      clients = new AbortController();
      const { signal } = clients;
      const statuses: number[] = [];
      const asking = (async () => {
        while (!signal.aborted) for (const each of [agent, undefined]) statuses.push(await server.ask(each));
      })();
      const { allClosed } = await silence(server.port, 10_000);
      const { descriptors } = await server.state();
      await allClosed;
      clients.abort();
      await asking;
      asked += statuses.length;

      expect(descriptors).toBeGreaterThan(5_000);
      expect(new Set(statuses)).toEqual(new Set([200]));
      await until(async () => (await server.state()).descriptors <= before.descriptors + 2);
      heaps.push((await server.state()).heap);
    }
    const { served } = await server.state();
    agent.destroy();

    expect(served).toBe(asked);
    expect(heaps[2]! - heaps[0]!).toBeLessThan(MEGABYTE);
  }, 120_000);

  it('answers again when silent connections that took all its descriptors are over', async () => {
    server = await startDoorServer(512, 3_000);
    const { allClosed } = await silence(server.port, 2_000);
    await allClosed;
    await until(async () => (await server.ask()) === 200);
    const { descriptors } = await server.state();

    expect(descriptors).toBeLessThan(100);
  }, 60_000);
});

describe('a door', () => {
  it('keeps nothing of 1 000 000 requests on new connections, a tenth of whose clients leave', async () => {
    const { shed, loop } = manualShedder({ priority: () => kinds[requests % 3]! });
    const kinds: readonly Priority[] = ['critical', 'normal', 'sheddable'];
    let [requests, settled, first, leastHeld] = [0, 0, 0, Infinity];
    const settle = () => (settled += 1);
    for (let rush = 0; rush < 5_000; rush += 1) {
      loop.turn(1);
      for (let connection = 0; connection < 200; connection += 1) {
        loop.turn(1, 0.1);
        requests += 1;
        const socket = { destroyed: requests % 10 === 0 };
        const request = { ip: '203.0.113.9', headers: {}, url: `/${requests}`, socket };
        void Promise.resolve(shed[SHED]({ request, captureAddress() {} })).then(settle);
      }
      loop.turn(0);
      await new Promise((resolve) => setImmediate(resolve));
      leastHeld = Math.min(leastHeld, ...loop.released.splice(0).map(({ held }) => held));
      if (rush === 500) first = usedHeap();
    }

    expect(settled).toBe(1_000_000);
    expect(leastHeld).toBeGreaterThan(190);
    expect(usedHeap() - first).toBeLessThan(MEGABYTE);
  }, 120_000);
});
