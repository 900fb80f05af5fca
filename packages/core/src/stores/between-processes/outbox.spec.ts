import { StoreError } from '../../model/errors.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import type { Fact, FactKind } from '../with-permits/facts.js';
import { linkOf } from '../../../../../test/support/link-of.js';
import { memoryStore } from '../memory/memory-store.js';
import { Outbox } from './outbox.js';

const away = new StoreError('STORE_UNAVAILABLE', 'no reply within 50 ms');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** An outbox of a store that may be away. */
function scene({ isVital = true } = {}) {
  const clock = fakeClock(0);
  const sent: string[][] = [];
  let problem: Error | undefined = away;
  let onAnswer!: () => void;
  const gone = new Set<string>();
  const outbox = new Outbox(
    {
      link: linkOf(memoryStore(), {
        onAnswer: (listener) => {
          onAnswer = listener;
          return () => undefined;
        },
      }),
      outageOf: ([{ key } = { key: '' }]) => (gone.has(key) ? away : undefined),
    },
    clock,
  );
  const refused = new Set<string>();
  const over = new Set<string>();
  const kindOf = (vital: boolean): FactKind<string> => ({
    isVital: vital,
    isOver: (about) => over.has(about),
    async send(about) {
      sent.push([...about]);
      if (problem) throw problem;
      return about.map((each) => (refused.has(each) ? away : undefined));
    },
  });
  const kind = kindOf(isVital);
  const factOf = (about: string, more: Partial<Fact<string>> = {}): Fact<string> => ({
    key: 'ada',
    name: about,
    until: 60_000,
    kind,
    about,
    ...more,
  });
  const answers = async () => {
    problem = undefined;
    onAnswer();
    await new Promise(setImmediate);
  };
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await jest.advanceTimersByTimeAsync(milliseconds);
  };
  const fails = (error: Error | undefined) => void (problem = error);
  return { outbox, sent, factOf, kindOf, answers, pass, fails, gone, refused, over };
}

const ada = [{ key: 'ada' }];

describe('Outbox', () => {
  it('sends a fact once that the store has heard', async () => {
    const { outbox, sent, factOf, answers, pass } = scene();
    outbox.keep([factOf('runs')]);

    await answers();
    await answers();
    await pass(10_000);

    expect(sent).toEqual([['runs']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps a fact whose own call has failed, and none whose call was answered', async () => {
    const { outbox, sent, factOf, answers } = scene();
    await outbox.tell([factOf('failed')], () => Promise.reject(away));
    void outbox.tell([factOf('threw')], () => {
      throw away;
    });
    await outbox.tell([factOf('answered')], async () => []);

    await answers();

    expect(sent).toEqual([['failed', 'threw']]);
  });

  it('keeps of several facts in one call those that failed', async () => {
    const { outbox, sent, factOf, answers } = scene();
    await outbox.tell([factOf('answered'), factOf('failed')], async () => [undefined, away]);

    await answers();

    expect(sent).toEqual([['failed']]);
  });

  it('sends again of several facts those that failed', async () => {
    const { outbox, sent, factOf, answers, refused } = scene();
    outbox.keep([factOf('heard'), factOf('refused', { key: 'bob' })]);
    refused.add('refused');

    await answers();
    await answers();

    expect(sent).toEqual([['heard', 'refused'], ['refused']]);
  });

  it('neither keeps nor sends a fact that is over', async () => {
    const { outbox, sent, factOf, answers, over } = scene();
    outbox.keep([factOf('runs'), factOf('ended')]);
    over.add('ended').add('ended before');
    outbox.keep([factOf('ended before')], away);

    expect(outbox.before([{ key: 'ada' }])).toBeInstanceOf(Promise);
    await answers();

    expect(sent[0]).toEqual(['runs']);
    expect(sent.flat()).not.toContain('ended');
  });

  it('sends first what the store needs before it decides', async () => {
    const { outbox, sent, factOf, kindOf, answers } = scene();
    outbox.keep([factOf('ended', { kind: kindOf(false) }), factOf('runs')]);

    await answers();

    expect(sent).toEqual([['runs'], ['ended']]);
  });

  it('keeps at most 10 000 facts, and more only of those without which the store admits too much', async () => {
    const { outbox, sent, factOf, kindOf, answers } = scene();
    const kind = kindOf(false);
    outbox.keep(Array.from({ length: 10_001 }, (_, index) => factOf(`end ${index}`, { kind })));
    outbox.keep([factOf('runs')]);

    await answers();
    outbox.keep([factOf('end of the next', { kind })]);
    await answers();

    expect(sent.map(({ length }) => length)).toEqual([1, 10_000, 1]);
  });

  it('tells when each fact was heard or has failed', async () => {
    const { outbox, factOf, fails } = scene();
    outbox.keep([factOf('runs')]);
    fails(undefined);

    await outbox.sendAll();

    expect(outbox.sendAll()).toBeUndefined();
  });

  it('sends facts again each second while the store has not heard them', async () => {
    const { outbox, sent, factOf, pass } = scene();
    outbox.keep([factOf('runs')]);

    await pass(1_000);
    await pass(1_000);

    expect(sent).toHaveLength(2);
  });

  it('sends no fact that is out of date, and none while its server is known to be away', async () => {
    const { outbox, sent, factOf, pass, gone } = scene();
    gone.add('bob');
    outbox.keep([factOf('short', { until: 1_500 }), factOf('far', { key: 'bob' })]);

    await pass(1_000);
    await pass(1_000);
    gone.clear();
    await pass(1_000);

    expect(sent).toEqual([['short'], ['far']]);
  });

  it('keeps the fact that lasts longer of two with one name', async () => {
    const { outbox, sent, factOf, answers } = scene();
    const paused = (about: string, until: number) => factOf(about, { name: 'pause', until });

    outbox.keep([paused('long', 20_000), paused('short', 10_000)]);
    outbox.keep([paused('short', 10_000), paused('longer', 30_000)]);
    await answers();

    expect(sent).toEqual([['longer']]);
  });

  it('sends what a call that has had no answer may undo once more, a second after the store has heard it', async () => {
    const { outbox, sent, factOf, kindOf, answers, pass } = scene();
    const kind = { ...kindOf(false), isRepeated: true };
    outbox.keep([factOf('failed', { kind })], away);
    await outbox.tell([factOf('certain', { kind }), factOf('uncertain', { kind, isUncertain: true })], async () => []);

    await answers();
    await answers();
    const first = sent.splice(0);
    await pass(1_000);
    await pass(10_000);

    expect([first, sent]).toEqual([[['failed']], [['failed', 'uncertain']]]);
  });

  it('forgets a fact by its name', async () => {
    const { outbox, sent, factOf, answers } = scene();
    outbox.keep([factOf('pause'), factOf('runs')]);

    outbox.forget(['ada', 'bob'], 'pause');
    await answers();

    expect(sent).toEqual([['runs']]);
  });

  it('drops facts of a store that is closed', async () => {
    const { outbox, sent, factOf, pass, fails } = scene();
    fails(new StoreError('STORE_CLOSED', 'this store is closed'));
    outbox.keep([factOf('runs')]);

    await pass(1_000);
    await pass(10_000);

    expect(sent).toEqual([['runs']]);
  });
});

describe('Outbox, before a check', () => {
  it('sends the facts of its keys, and no others', () => {
    const { outbox, sent, factOf } = scene();
    outbox.keep([factOf('ours'), factOf('theirs', { key: 'bob' })]);

    void outbox.before(ada);

    expect(sent).toEqual([['ours']]);
  });

  it('resolves with the problem of a fact that goes before the check, and with none if the store hears it', async () => {
    const { outbox, factOf, fails } = scene();
    outbox.keep([factOf('runs')]);
    const failing = outbox.before(ada);
    const problem = await failing;
    outbox.forget(['ada'], 'runs');
    outbox.keep([factOf('runs')]);
    fails(undefined);

    expect([problem, await outbox.before(ada), outbox.before(ada)]).toEqual([away, undefined, undefined]);
  });

  it('has a check wait for a fact in flight, which it sends once', async () => {
    const { outbox, sent, factOf } = scene();
    outbox.keep([factOf('runs')]);

    const problems = await Promise.all([outbox.before(ada), outbox.before(ada)]);

    expect(problems).toEqual([away, away]);
    expect(sent).toEqual([['runs']]);
  });

  it('returns the problem of the last attempt immediately, until the store has received the fact', async () => {
    const { outbox, factOf, fails } = scene();
    outbox.keep([factOf('runs')], away);
    fails(undefined);

    const first = outbox.before(ada);
    await new Promise(setImmediate);

    expect([first, outbox.before(ada)]).toEqual([away, undefined]);
  });

  it('lets the store decide about a key when only a fact of another key has failed', async () => {
    const { outbox, factOf, fails, refused } = scene();
    outbox.keep([factOf('ours'), factOf('theirs', { key: 'bob' })]);
    fails(undefined);
    refused.add('theirs');

    void outbox.sendAll();

    expect([await outbox.before(ada), await outbox.before([{ key: 'bob' }])]).toEqual([undefined, away]);
  });

  it('sends with no check that something ended, and lets the store decide', async () => {
    const { outbox, sent, factOf, answers } = scene({ isVital: false });
    outbox.keep([factOf('ended')], away);

    expect(outbox.before(ada)).toBeUndefined();
    expect(sent).toEqual([]);
    await answers();
    expect(sent).toEqual([['ended']]);
  });
});
