import keySlot from 'cluster-key-slot';
import { ManualClient, ManualNode } from '../../../testing/internal/manual-client.js';
import { subscribe, type BreakerEvent } from '../../../events/events.js';
import type { Endpoint } from './endpoint.js';
import { Endpoints } from './endpoints.js';

const [ada, bob] = ['rl:{ada}:hour:fw000', 'rl:{bob}:hour:fw000'];

/** A Cluster whose nodes hold the slots of one key each. */
function cluster(holders: Readonly<Record<string, number>>) {
  const client = new ManualClient();
  client.isCluster = true;
  client.manualNodes = Object.values(holders).map((port) => new ManualNode(port));
  const hold = (key: string, port: number) => (client.slots[keySlot(key)] = [`127.0.0.1:${port}`]);
  for (const [key, port] of Object.entries(holders)) hold(key, port);
  return { client, hold, primaries: new Endpoints(client), nodes: client.manualNodes };
}

function breakOpen({ breaker }: Endpoint): void {
  for (const now of [0, 1, 2, 3, 1_000]) breaker.fail(now, 'no reply');
}

describe('the servers of a client', () => {
  it('are one where it is no Cluster', () => {
    const primaries = new Endpoints(new ManualClient());

    expect(primaries.of(ada)).toBe(primaries.of(bob));
    expect(primaries.of(ada).name).toBeUndefined();
  });

  it('are the primaries that hold the slots of a Cluster', () => {
    const { primaries } = cluster({ [ada]: 7_001, [bob]: 7_002 });

    expect([ada, bob].map((key) => primaries.of(key).name)).toEqual(['127.0.0.1:7001', '127.0.0.1:7002']);
    expect(primaries.of(ada)).toBe(primaries.of(ada.replace('hour', 'day')));
  });

  it('are one for a Cluster that does not tell its slots', () => {
    const client = Object.assign(new ManualClient(), { isCluster: true, slots: undefined as never });
    const primaries = new Endpoints(client);

    expect(primaries.of(ada)).toBe(primaries.of(bob));
  });

  it('are one for a Cluster that is not ready', () => {
    const { client, primaries } = cluster({ [ada]: 7_001 });
    client.become('close');

    expect(primaries.of(ada)).toMatchObject({ name: undefined, readiness: 'down' });
  });
});

describe('the primaries of a Cluster', () => {
  it('are broken each on its own', () => {
    const { primaries } = cluster({ [ada]: 7_001, [bob]: 7_002 });

    breakOpen(primaries.of(ada));

    expect([ada, bob].map((key) => primaries.of(key).breaker.state)).toEqual(['open', 'closed']);
  });

  it('are named in what is told of their breakers', () => {
    const events: BreakerEvent[] = [];
    const unsubscribe = subscribe('sluice:breaker', (event) => events.push(event));
    const { primaries } = cluster({ [ada]: 7_001 });

    breakOpen(primaries.of(ada));
    unsubscribe();

    expect(events).toMatchObject([{ state: 'open', primary: '127.0.0.1:7001' }]);
  });

  it('are down each on its own, and closed when their own client is ready', () => {
    const { nodes, primaries } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    breakOpen(primaries.of(ada));
    const before = primaries.of(ada).readiness;

    nodes[0]!.become('close');
    const lost = [ada, bob].map((key) => primaries.of(key).readiness);
    nodes[0]!.become('ready');

    expect([before, lost]).toEqual(['ready', ['down', 'ready']]);
    expect(primaries.of(ada)).toMatchObject({ readiness: 'ready', breaker: { state: 'closed' } });
  });

  it('follow a slot that was moved at once', () => {
    const { hold, primaries } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    breakOpen(primaries.of(ada));

    hold(ada, 7_002);

    expect(primaries.of(ada)).toBe(primaries.of(bob));
  });

  it('are followed by a client that is made anew', () => {
    const { client, primaries } = cluster({ [ada]: 7_001 });
    const primary = primaries.of(ada);
    breakOpen(primary);
    const old = client.manualNodes[0]!;
    old.become('end');

    client.manualNodes = [new ManualNode(7_001, 'connecting')];
    client.emit('+node');
    const known = primaries.of(ada);
    client.manualNodes[0]!.become('ready');

    expect(known).toBe(primary);
    expect(primary).toMatchObject({ readiness: 'ready', breaker: { state: 'closed' } });
  });

  it('are looked for anew where one does not answer or is gone, and not at every call', () => {
    const { client, nodes } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    const refreshSlotsCache = jest.fn();
    const primaries = new Endpoints(Object.assign(client, { refreshSlotsCache }));
    jest.useFakeTimers();
    const looked = () => refreshSlotsCache.mock.calls.length;

    const atFirst = [primaries.of(ada).readiness, primaries.of(bob).readiness, looked()];
    breakOpen(primaries.of(ada));
    const whenOpen = looked();
    nodes[1]!.become('close');
    const soon = [primaries.of(bob).readiness, primaries.of(bob).readiness, looked()];
    jest.advanceTimersByTime(250);
    const later = [primaries.of(bob).readiness, looked()];
    jest.useRealTimers();

    expect([atFirst, whenOpen, soon, later]).toEqual([['ready', 'ready', 0], 1, ['down', 'down', 1], ['down', 2]]);
  });

  it('do not listen to a client that was replaced', () => {
    const { client, primaries } = cluster({ [ada]: 7_001 });
    const primary = primaries.of(ada);
    const old = client.manualNodes[0]!;
    client.manualNodes = [new ManualNode(7_001)];
    client.emit('+node');
    breakOpen(primary);

    old.become('ready');

    expect(primary.breaker.state).toBe('open');
  });

  it('are forgotten when they are gone and hold nothing', () => {
    const { client, hold, primaries } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    breakOpen(primaries.of(ada));

    hold(ada, 7_002);
    client.manualNodes = client.manualNodes.slice(1);
    client.emit('-node');
    hold(ada, 7_001);
    client.manualNodes = [new ManualNode(7_001), ...client.manualNodes];

    expect(primaries.of(ada).breaker.state).toBe('closed');
  });

  it('are remembered while they hold slots, though no client is connected to them', () => {
    const { client, primaries } = cluster({ [ada]: 7_001 });
    breakOpen(primaries.of(ada));

    client.manualNodes = [];
    client.emit('-node');

    expect(primaries.of(ada).breaker.state).toBe('open');
  });
});
