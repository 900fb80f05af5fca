import { ipList } from './ip-list.js';

describe('a list of this process', () => {
  it('has what its seed and its additions hold, until they end', async () => {
    jest.useFakeTimers();
    const list = ipList({ name: 'blocked', seed: ['203.0.113.0/24'] });
    await list.add('198.51.100.7', { for: '1h', note: 'scraper' });
    await list.add(['192.0.2.0/24', '2001:db8::/32']);
    const addresses = ['203.0.113.9', '198.51.100.7', '::ffff:192.0.2.1', '2001:db8::9', '8.8.8.8', 'no address'];

    const before = addresses.map((address) => list.has(address));
    const entries = list.entries();
    jest.advanceTimersByTime(3_600_000);
    const after = addresses.map((address) => list.has(address));
    jest.useRealTimers();

    expect(before).toEqual([true, true, true, true, false, false]);
    expect(after).toEqual([true, false, true, true, false, false]);
    expect(entries).toEqual([
      { network: '203.0.113.0/24', for: Infinity, note: '', isSeed: true },
      { network: '198.51.100.7', for: 3_600_000, note: 'scraper', isSeed: false },
      { network: '192.0.2.0/24', for: Infinity, note: '', isSeed: false },
      { network: '2001:db8::/32', for: Infinity, note: '', isSeed: false },
    ]);
  });

  it('loses what is removed, and keeps its seed', async () => {
    const list = ipList({ name: 'blocked', seed: ['203.0.113.7'] });
    await list.add('198.51.100.7');

    await list.remove(['198.51.100.7', '203.0.113.7']);

    expect(['198.51.100.7', '203.0.113.7'].map((address) => list.has(address))).toEqual([false, true]);
  });

  it.each<[string, Parameters<ReturnType<typeof ipList>['add']>, string]>([
    ['a host name', ['example.com'], 'ipList "blocked": add: a network must be an address or a network'],
    [
      'a wrong duration',
      ['10.0.0.1', { for: '1ms' }],
      'ipList "blocked": add: for must be a duration from 1 s to 400 days',
    ],
    ['a long note', ['10.0.0.1', { note: 'x'.repeat(201) }], 'add: note must be a string of at most 200 characters'],
  ])('rejects %s at run time', async (_case, given, message) => {
    await expect(ipList({ name: 'blocked' }).add(...given)).rejects.toThrow(message);
  });

  it.each<[unknown, string]>([
    ['1h', `options must be { for, note }, got "1h"`],
    [3_600_000, 'options must be { for, note }, got 3600000'],
    [null, 'options must be { for, note }, got null'],
    [['1h'], 'options must be { for, note }, got an array of 1'],
    [new Date(0), 'options must be { for, note }, got an object'],
    [{ ttl: '1h' }, 'options must be { for, note }, got the option "ttl"'],
    [{ duration: '1h' }, 'options must be { for, note }, got the option "duration"'],
    [{ note: 'scraper', For: '1h' }, 'options must be { for, note }, got the option "For"'],
  ])('lists nothing for the options %p', async (options, rule) => {
    const list = ipList({ name: 'blocked' });

    const added = list.add('198.51.100.7', options as object);

    await expect(added).rejects.toMatchObject({
      name: 'UsageError',
      code: 'USAGE_INVALID',
      message: `ipList "blocked": add: ${rule}`,
    });
    expect(list.entries()).toEqual([]);
  });

  it('lists for good without options', async () => {
    const list = ipList({ name: 'blocked' });

    await list.add('192.0.2.1', undefined);
    await list.add('192.0.2.2', {});
    await list.add('192.0.2.3', { ttl: undefined } as object);

    expect(list.entries().map((entry) => entry.for)).toEqual([Infinity, Infinity, Infinity]);
  });

  it('takes at most 100 000 networks', async () => {
    const list = ipList({ name: 'blocked' });
    const many = Array.from(
      { length: 100_000 },
      (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    );
    await list.add(many);

    await expect(list.add('192.0.2.1')).rejects.toThrow('ipList "blocked": add: a list has at most 100000 networks');
    await list.add('10.0.0.0');
    expect([list.has('10.1.134.159'), list.has('192.0.2.1')]).toEqual([true, false]);
  });
});
