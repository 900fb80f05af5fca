import keySlot from 'cluster-key-slot';
import { subscribe, type BreakerEvent } from '../../../core/src/events/events.js';
import { ManualClient, ManualNode } from '../../../../test/support/manual-client.js';
import { ClusterEndpoints } from './cluster-endpoints.js';
import type { Endpoint } from './endpoint.js';

const [ada, bob] = ['rl:{ada}:hour:fw000', 'rl:{bob}:hour:fw000'];

const DEADLINES = { deadline: 50, connectDeadline: 2_000 };

/** A Cluster. Each of its nodes holds the slot of one key. */
function cluster(owners: Readonly<Record<string, number>>, methods: object = {}) {
  const client = Object.assign(new ManualClient(), { isCluster: true, ...methods });
  client.manualNodes = Object.values(owners).map((port) => new ManualNode(port));
  const assign = (key: string, port: number) => (client.slots[keySlot(key)] = [`127.0.0.1:${port}`]);
  for (const [key, port] of Object.entries(owners)) assign(key, port);
  const endpoints = new ClusterEndpoints(client, DEADLINES, () => {});
  return { client, assign, endpointOf: (key: string) => endpoints.of(key)! };
}

function openBreaker({ breaker }: Endpoint): void {
  for (const now of [0, 1, 2, 3, 1_000]) breaker.record('call', now, 'no reply');
}

describe('ClusterEndpoints', () => {
  it('returns the primary of a slot', () => {
    const { endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 });

    expect([ada, bob].map((key) => endpointOf(key).name)).toEqual(['127.0.0.1:7001', '127.0.0.1:7002']);
    expect(endpointOf(ada)).toBe(endpointOf(ada.replace('hour', 'day')));
  });

  it('returns nothing without slots, or while the client is not ready', () => {
    const { client, endpointOf } = cluster({ [ada]: 7_001 });

    client.become('close');
    const notReady = endpointOf(ada);
    client.become('ready');

    expect(notReady).toBeUndefined();
    expect(endpointOf(ada)).toBeDefined();
    expect(endpointOf(bob)).toBeUndefined();
    expect(
      new ClusterEndpoints(Object.assign(client, { slots: undefined as never }), DEADLINES, () => {}).of(ada),
    ).toBeUndefined();
  });

  it('has one tag for each primary, and one for slots that no primary has', () => {
    const [one, other] = [['127.0.0.1:7001'], ['127.0.0.1:7002']];
    const slots = Array.from({ length: 16_384 }, (_, slot) => [undefined, one, other, [...one]][slot >> 12]!);
    const endpoints = new ClusterEndpoints(Object.assign(new ManualClient(), { slots }), DEADLINES, () => {});

    const owners = endpoints.tagsOfPrimaries().map((tag) => slots[keySlot(tag)]?.[0]);

    expect(owners).toHaveLength(3);
    expect(new Set(owners)).toEqual(new Set([...one, ...other, undefined]));
  });

  it('has a breaker for each primary, and names the primary in its events', () => {
    const events: BreakerEvent[] = [];
    const unsubscribe = subscribe('sluice:breaker', (event) => events.push(event));
    const { endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 });

    openBreaker(endpointOf(ada));
    unsubscribe();

    expect([ada, bob].map((key) => endpointOf(key).breaker.state)).toEqual(['open', 'closed']);
    expect(events).toMatchObject([{ state: 'open', primary: '127.0.0.1:7001' }]);
  });

  it('follows the status of each node, and closes its breaker when the node is ready', () => {
    const { client, endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    openBreaker(endpointOf(ada));

    client.manualNodes[0]!.become('close');
    const lost = [ada, bob].map((key) => endpointOf(key).ensureReady());
    client.manualNodes[0]!.become('ready');

    expect(lost).toEqual(['down', 'ready']);
    expect([endpointOf(ada).ensureReady(), endpointOf(ada).breaker.state]).toEqual(['ready', 'closed']);
  });

  it('follows a moved slot immediately', () => {
    const { assign, endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    openBreaker(endpointOf(ada));

    assign(ada, 7_002);

    expect(endpointOf(ada)).toBe(endpointOf(bob));
  });

  it('attaches the new client of a node, and ignores the old one', () => {
    const { client, endpointOf } = cluster({ [ada]: 7_001 });
    const endpoint = endpointOf(ada);
    const [old] = client.manualNodes;
    old!.become('end');
    client.manualNodes = [new ManualNode(7_001, 'connecting')];
    client.emit('+node');
    openBreaker(endpoint);

    old!.become('ready');
    const afterOld = endpoint.breaker.state;
    client.manualNodes[0]!.become('ready');

    expect(afterOld).toBe('open');
    expect(endpointOf(ada)).toBe(endpoint);
    expect([endpoint.ensureReady(), endpoint.breaker.state]).toEqual(['ready', 'closed']);
  });

  it('refreshes the slots when a primary fails or is gone, at most every 250 ms', () => {
    jest.useFakeTimers();
    const refreshSlotsCache = jest.fn();
    const { client, endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 }, { refreshSlotsCache });
    const refreshes: number[] = [];
    const count = () => refreshes.push(refreshSlotsCache.mock.calls.length);
    const ask = () => [ada, bob].map((key) => endpointOf(key).ensureReady());

    const first = ask();
    count();
    openBreaker(endpointOf(ada));
    count();
    client.manualNodes[1]!.become('close');
    const lost = [ask(), ask()];
    count();
    jest.advanceTimersByTime(250);
    ask();
    count();
    jest.useRealTimers();

    expect([first, lost]).toEqual([['ready', 'ready'], Array.from({ length: 2 }, () => ['ready', 'down'])]);
    expect(refreshes).toEqual([0, 1, 1, 2]);
  });

  it('forgets a node without a client and without slots', () => {
    const { client, assign, endpointOf } = cluster({ [ada]: 7_001, [bob]: 7_002 });
    openBreaker(endpointOf(ada));

    assign(ada, 7_002);
    client.manualNodes = client.manualNodes.slice(1);
    client.emit('-node');
    assign(ada, 7_001);

    expect(endpointOf(ada).breaker.state).toBe('closed');
  });

  it('remembers a node with slots and without a client', () => {
    const { client, endpointOf } = cluster({ [ada]: 7_001 });
    openBreaker(endpointOf(ada));

    client.manualNodes = [];
    client.emit('-node');

    expect(endpointOf(ada).breaker.state).toBe('open');
  });
});
