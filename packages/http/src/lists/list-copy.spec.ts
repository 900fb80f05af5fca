import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListPage, ListStore, StoredItem } from '@sluice/core/internal';
import { ListCopy } from './list-copy.js';
import { ListedNetworks } from './listed-networks.js';

const FIRST = { epoch: 7, added: 1, removed: 0 };

/** A page that begins the list. */
function pageOf(items: readonly StoredItem[], more: Partial<ListPage> = {}): ListPage {
  const from = { epoch: 0, added: 0, removed: 0 };
  return { now: 0, from, position: FIRST, floor: 0, hasMore: false, isRestoring: false, items, ...more };
}

function added(name: string, number: number): StoredItem {
  return { name, number, until: 0, note: '' };
}

/** A store that answers the readings of a list. */
function storeOf(...readings: (() => Promise<ListPage>)[]): ListStore {
  return { readList: jest.fn(async () => readings.shift()!()) } as unknown as ListStore;
}

/** Each turn of long work is over at once. */
function shortTurns(): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
}

describe('ListCopy', () => {
  afterEach(() => jest.restoreAllMocks());

  describe('whose store is lost while it works on a page', () => {
    const unhandled = jest.fn<void, [unknown]>();

    beforeEach(() => {
      unhandled.mockClear();
      process.on('unhandledRejection', unhandled);
    });
    afterEach(() => process.off('unhandledRejection', unhandled));

    const items = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((name, index) => added(name, index + 1));
    const lost = new Error('lost');
    const store = () =>
      storeOf(
        async () => pageOf(items, { hasMore: true }),
        () => Promise.reject(lost),
      );

    it('rejects, and leaves no rejection that nobody handles', async () => {
      shortTurns();
      const copy = new ListCopy(store(), 'list', new ListedNetworks());

      await expect(copy.refresh()).rejects.toBe(lost);

      expect(unhandled).not.toHaveBeenCalled();
    });

    it('reads no further after its end, and leaves no rejection that nobody handles', async () => {
      shortTurns();
      const copy = new ListCopy(store(), 'list', new ListedNetworks());

      const refreshed = copy.refresh();
      await nextTurn();
      copy.close();
      await refreshed;
      await nextTurn();
      await nextTurn();

      expect(unhandled).not.toHaveBeenCalled();
    });
  });

  it('forgets an old removal whose place newer removals have taken', async () => {
    const networks = new ListedNetworks();
    networks.apply({ name: '192.0.2.1', number: 10_000, until: undefined, note: '' }, 0, 0);
    const removals = Array.from({ length: 5_000 }, (_, index) => ({
      name: `10.0.${index >> 8}.${index & 255}`,
      number: index + 2,
      until: undefined,
      note: '',
    }));
    const page = pageOf([added('192.0.2.1', 1), ...removals]);
    const copy = new ListCopy(
      storeOf(async () => page),
      'list',
      networks,
    );

    expect(await copy.refresh()).toEqual([]);
    expect(copy.isComplete).toBe(true);
  });
});

describe('ListedNetworks', () => {
  afterEach(() => jest.restoreAllMocks());

  it('loses a network that is removed while it looks for what the store does not have', async () => {
    shortTurns();
    const networks = new ListedNetworks();
    for (const [index, name] of ['10.0.0.1', '10.0.0.2', '10.0.0.3'].entries()) {
      networks.apply(added(name, index + 1), 0, 0);
    }

    const swept = networks.sweep(1, 0);
    networks.apply({ name: '10.0.0.1', number: 4, until: undefined, note: '' }, 0, 1);
    const lost = await swept;

    expect(lost.map(({ name }) => name).slice(-2)).toEqual(['10.0.0.2', '10.0.0.3']);
    expect(networks.size).toBe(2);
  });
});
