import { createContext, runInContext } from 'node:vm';
import * as fc from 'fast-check';
import { claim } from '../testing/internal/claim.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { chain } from '../async/chain.js';
import { Asking, passing, type Station } from './asking.js';
import type { Answer } from './store.js';

const group = [claim()];

/** The numbers of the stations that an answer has passed are written in it, one after the other. */
const answer = (trail = 0): Answer => ({ outcomes: [], receipts: [], source: 'redis', asked: trail });

const lost = (error: unknown): never => {
  throw error;
};

function station(number: number, recover: Station['recover'] = lost): Station {
  return { pass: (each) => answer(each.asked! * 10 + number), recover };
}

const broken: Station = {
  pass() {
    throw new Error('the station broke');
  },
  recover: lost,
};

const past = (first: MaybePromise<Answer>, stations: readonly Station[]) =>
  stations.reduce((whole, each) => passing(whole, group, each), first);

/** A group that has been asked by way of stations, and what has come of it so far. */
function asked(...stations: Station[]) {
  const asking = new Asking(group, false);
  const came: unknown[] = [];
  void chain(
    past(asking, stations),
    (each) => came.push(each.asked),
    (error) => came.push((error as Error).message),
  );
  return { asking, came };
}

const turn = () => new Promise(setImmediate);

describe('an answer on its way', () => {
  it('passes two stations in their order, in the turn in which it arrives', () => {
    const { asking, came } = asked(station(1), station(2));

    asking.arrive(answer());

    expect(came).toEqual([12]);
  });

  it('is told as it came to whoever waited before a station was added', async () => {
    const asking = new Asking(group, false);
    const before = asking.then((each) => each.asked);
    const after = passing(asking, group, station(1));

    asking.arrive(answer(7));

    expect([await before, (await after).asked]).toEqual([7, 71]);
  });

  it('fails whoever waited before a station was added that recovers', async () => {
    const asking = new Asking(group, false);
    const before = asking.catch((error: unknown) => (error as Error).message);
    const after = passing(
      asking,
      group,
      station(1, () => answer(5)),
    );

    asking.fail(new Error('lost'));

    expect([await before, (await after).asked]).toEqual(['lost', 5]);
  });

  it('passes as many as there are', () => {
    const { asking, came } = asked(station(1), station(2), station(3), station(4));

    asking.arrive(answer());

    expect(came).toEqual([1234]);
  });

  it('passes those that are added when it has come', () => {
    const { asking } = asked(station(1));
    const came: unknown[] = [];
    asking.arrive(answer());

    void chain(past(asking, [station(2), station(3)]), (each) => came.push(each.asked));

    expect(came).toEqual([123]);
  });

  it('passes those that are added while a failure of it is recovered from', async () => {
    const { asking } = asked(station(1, async () => answer(9)));
    asking.fail(new Error('lost'));

    const whole = past(asking, [station(2), station(3)]);

    await expect(whole).resolves.toEqual(answer(923));
  });

  it('is shown with the group that it is of', () => {
    const recover = jest.fn(() => answer(9));
    const pass = jest.fn((each: Answer) => each);
    const { asking } = asked(station(1, recover), { pass, recover });

    asking.fail('lost');

    expect(recover.mock.calls).toEqual([['lost', group]]);
    expect(pass.mock.calls).toEqual([[answer(9), group]]);
  });

  it('comes once, and is shown to each station once', () => {
    const shown: unknown[] = [];
    const first: Station = {
      pass: (each) => answer(shown.push('an answer') + each.asked!),
      recover: (error) => answer(shown.push((error as Error).message)),
    };
    const [good, bad] = [asked(first), asked(first)];

    good.asking.arrive(answer());
    good.asking.arrive(answer());
    good.asking.fail(new Error('lost too late'));
    bad.asking.fail(new Error('lost'));
    bad.asking.fail(new Error('lost again'));
    bad.asking.arrive(answer());

    expect(shown).toEqual(['an answer', 'lost']);
    expect([good.came, bad.came]).toEqual([[1], [2]]);
  });

  it('comes once, though its failure is still being recovered from', async () => {
    const { asking, came } = asked(station(1, async () => answer(9)));

    asking.fail(new Error('lost'));
    asking.arrive(answer(8));
    await turn();

    expect(came).toEqual([9]);
  });
});

describe('a failure on its way', () => {
  it('is recovered from by the first station that can, and the next one sees an answer', () => {
    const { asking, came } = asked(
      station(1),
      station(2, () => answer(9)),
      station(3, () => answer(8)),
    );

    asking.fail(new Error('lost'));

    expect(came).toEqual([93]);
  });

  it('is what comes where no station recovers from it', () => {
    const { asking, came } = asked(station(1), station(2));

    asking.fail(new Error('lost'));

    expect(came).toEqual(['lost']);
  });

  it('is recovered from by promise, also of another realm', async () => {
    const foreign = runInContext('Promise.resolve(value)', createContext({ value: answer(9) })) as Promise<Answer>;
    const own = asked(
      station(1, async () => answer(9)),
      station(2),
    );
    const other = asked(
      station(1, () => foreign),
      station(2),
    );

    own.asking.fail(new Error('lost'));
    other.asking.fail(new Error('lost'));
    await turn();

    expect([own.came, other.came]).toEqual([[92], [92]]);
  });

  it.each([
    ['throws', () => lost(new Error('worse'))],
    ['rejects', () => Promise.reject(new Error('worse'))],
  ])('is replaced by that of a recovery that %s, from which the next one can recover', async (_how, recover) => {
    const told = jest.fn(() => answer(9));
    const { asking, came } = asked(station(1, recover), station(2, told));

    asking.fail(new Error('lost'));
    await turn();

    expect(came).toEqual([9]);
    expect(told.mock.calls).toEqual([[new Error('worse'), group]]);
  });

  it('is what a station makes of an answer by throwing: the next one can recover, and that one cannot', () => {
    const recover = jest.fn(() => answer(9));
    const first = asked({ ...broken, recover }, station(2));
    const second = asked(broken, station(2, recover));

    first.asking.arrive(answer());
    second.asking.arrive(answer());

    expect([first.came, second.came]).toEqual([['the station broke'], [9]]);
    expect(recover.mock.calls).toEqual([[new Error('the station broke'), group]]);
  });
});

describe('passing a station', () => {
  it('is done at once by an answer that is there', () => {
    expect(passing(answer(), group, station(1))).toEqual(answer(1));
    expect(() => passing(answer(), group, broken)).toThrow('the station broke');
  });

  it('is done by whatever comes of a promise of another realm', async () => {
    const context = createContext({ value: answer() });
    const good = runInContext('Promise.resolve(value)', context) as Promise<Answer>;
    const bad = runInContext('Promise.reject(value)', context) as Promise<Answer>;

    const passed = [
      passing(good, group, station(1)),
      passing(
        bad,
        group,
        station(1, (came) => came as Answer),
      ),
    ];

    await expect(Promise.all(passed)).resolves.toEqual([answer(1), answer(0)]);
  });

  it('is of the group that it is asked for, and none of whoever has asked for another', () => {
    const { asking, came } = asked(station(1));
    const other = [claim()];
    const pass = jest.fn((each: Answer) => each);

    void passing(asking, other, { pass, recover: lost });
    asking.arrive(answer());

    expect(came).toEqual([1]);
    expect(pass.mock.calls).toEqual([[answer(1), other]]);
  });

  it('does what waiting for the answer would do, whatever stations there are and whenever it comes', async () => {
    const stations = fc.array(fc.tuple(fc.constantFrom(...passes), fc.constantFrom(...recoveries)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(stations, fc.boolean(), fc.nat(5), async (made, fails, before) => {
        const [here, there]: [Station[], Station[]] = [made.map(stationOf), made.map(stationOf)];
        const asking = new Asking(group, false);
        const began = past(asking, here.slice(0, before));
        if (fails) asking.fail(new Error('lost'));
        else asking.arrive(answer());
        const ours = past(began, here.slice(before));

        const theirs = there.reduce(waiting, fails ? Promise.reject(new Error('lost')) : Promise.resolve(answer()));

        const settled = await Promise.allSettled([ours, theirs]);
        expect(settled[0]).toEqual(settled[1]);
      }),
    );
  });
});

const passes = ['passes', 'breaks'] as const;
const recoveries = ['answers', 'promises', 'rethrows', 'throws', 'rejects'] as const;

function stationOf([passed, recovery]: [(typeof passes)[number], (typeof recoveries)[number]], index: number): Station {
  const kind = passed === 'passes' ? station(index + 1) : broken;
  const worse = (error: unknown) => new Error(`${(error as Error).message}, and worse at ${index}`);
  switch (recovery) {
    case 'answers':
      return { ...kind, recover: () => answer(90 + index) };
    case 'promises':
      return { ...kind, recover: async () => answer(80 + index) };
    case 'throws':
      return { ...kind, recover: (error) => lost(worse(error)) };
    case 'rejects':
      return { ...kind, recover: async (error) => lost(worse(error)) };
    default:
      return kind;
  }
}

async function waiting(whole: Promise<Answer>, each: Station): Promise<Answer> {
  let came: Answer;
  try {
    came = await whole;
  } catch (error) {
    return each.recover(error, group);
  }
  return each.pass(came, group);
}
