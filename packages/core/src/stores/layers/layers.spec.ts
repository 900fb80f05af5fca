import * as fc from 'fast-check';
import { Deferred, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import { claim as claimOf } from '../../../../../test/support/claim.js';
import { RemoteStore } from '../../../../../test/support/remote-store.js';
import type { LayeredStore, PendingCheck } from '../store.js';
import type { Answer } from '../../model/answer.js';
import type { Layer } from '../layer.js';
import { Layers } from './layers.js';

/** What a layer or a store does when it is asked. `late` is by promise. */
type Act = 'none' | 'goes on' | 'answers' | 'answers late' | 'throws' | 'rejects';

interface Plan {
  readonly before: Act;
  readonly onAnswer: 'none' | 'marks' | 'throws';
  readonly onError: Act;
}

interface Scene {
  readonly layers: readonly Plan[];
  readonly store: Exclude<Act, 'none' | 'goes on'>;
  readonly isPeek: boolean;
  /** Whether the store takes checks. */
  readonly takesChecks: boolean;
}

const group = [claimOf()];

const answerOf = (name: string): Answer => ({ outcomes: [], receipts: [], source: 'redis', reached: [markOf(name)] });
const markOf = (tier: string) => ({ tier, key: '', mark: 1, used: 0, limit: 0, endsAt: 0 });
const marked = (answer: Answer, name: string): Answer => ({ ...answer, reached: [...answer.reached!, markOf(name)] });

/** Does so in the name of somebody. */
function act(kind: Act, name: string): MaybePromise<Answer> | undefined {
  if (kind === 'none' || kind === 'goes on') return undefined;
  if (kind === 'throws') throw new Error(name);
  if (kind === 'rejects') return Promise.reject(new Error(name));
  return kind === 'answers' ? answerOf(name) : Promise.resolve(answerOf(name));
}

/** A layer, which writes down what it is asked. */
function layerOf({ before, onAnswer, onError }: Plan, at: number, heard: string[]): Layer {
  return {
    ...(before !== 'none' && {
      before(passage) {
        heard.push(`before ${at} ${passage.group === group} ${passage.facts?.labels?.get('hour')}`);
        return act(before, `before ${at}`);
      },
    }),
    ...(onAnswer !== 'none' && {
      onAnswer(_passage, answer) {
        heard.push(`answer ${at}`);
        if (onAnswer === 'throws') throw new Error(`answer ${at}`);
        return marked(answer, `answer ${at}`);
      },
    }),
    ...(onError !== 'none' && {
      onError(_passage, error) {
        heard.push(`error ${at} ${(error as Error).message}`);
        const answer = act(onError, `error ${at}`);
        if (answer === undefined) throw error;
        return answer;
      },
    }),
  };
}

/** One layer around the other, as simply as can be. */
async function naive(scene: Scene, heard: string[], at = 0): Promise<Answer> {
  const plan = scene.layers[at];
  if (plan === undefined) {
    heard.push(scene.isPeek ? 'peek' : 'consume');
    return act(scene.store, 'store')!;
  }
  const layer = layerOf(plan, at, heard);
  const passage = { group, facts: scene.isPeek ? undefined : { labels } } as never;
  const own = await layer.before?.(passage);
  if (own !== undefined) return own;
  let answer: Answer;
  try {
    answer = await naive(scene, heard, at + 1);
  } catch (error) {
    if (layer.onError === undefined) throw error;
    return layer.onError(passage, error);
  }
  return layer.onAnswer?.(passage, answer) ?? answer;
}

const labels = new Map([['hour', 'ada']]);

function storeOf({ store, takesChecks }: Scene, heard: string[]): LayeredStore {
  const said = (call: string) => () => {
    heard.push(call);
    return act(store, 'store')!;
  };
  const send = (check: PendingCheck): MaybePromise<Answer> => {
    heard.push('consume');
    if (store === 'throws') return check.onError(new Error('store'));
    if (store === 'answers') return check.onAnswer(answerOf('store'));
    const answer = (check.answer = new Deferred<Answer>());
    setImmediate(() => {
      try {
        answer.resolve(store === 'rejects' ? check.onError(new Error('store')) : check.onAnswer(answerOf('store')));
      } catch (error) {
        answer.reject(error);
      }
    });
    return answer;
  };
  const none = () => 0;
  const others = { refund: none, reset: () => {}, close: () => {} };
  return { ...others, consume: said('consume'), peek: said('peek'), ...(takesChecks && { send }) };
}

async function settled(answer: () => MaybePromise<Answer>): Promise<unknown> {
  try {
    return (await answer()).reached!.map(({ tier }) => tier);
  } catch (error) {
    return (error as Error).message;
  }
}

const acts = fc.constantFrom<Act>('none', 'goes on', 'answers', 'answers late', 'throws', 'rejects');
const scenes: fc.Arbitrary<Scene> = fc.record({
  layers: fc.array(
    fc.record({
      before: fc.oneof({ weight: 4, arbitrary: fc.constant<Act>('goes on') }, acts),
      onAnswer: fc.constantFrom('none', 'marks', 'marks', 'throws'),
      onError: acts,
    }),
    { maxLength: 5 },
  ),
  store: fc.constantFrom('answers', 'answers late', 'throws', 'rejects'),
  isPeek: fc.boolean(),
  takesChecks: fc.boolean(),
});

describe('Layers', () => {
  it('decide as layers do that are called one around the other', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const [heard, expected]: [string[], string[]] = [[], []];
        const layers = new Layers(
          storeOf(scene, heard),
          scene.layers.map((plan, at) => layerOf(plan, at, heard)),
        );

        const result = await settled(() => (scene.isPeek ? layers.peek(group) : layers.consume(group, { labels })));

        expect(result).toEqual(await settled(() => naive(scene, expected)));
        expect(heard).toEqual(expected);
      }),
      { seed: 12, numRuns: 1_000 },
    );
  });

  it('take no promise where the store and the layers take none', () => {
    const scene: Scene = { layers: [], store: 'answers', isPeek: false, takesChecks: false };
    const layer = layerOf({ before: 'goes on', onAnswer: 'marks', onError: 'answers' }, 0, []);
    const layersOf = (store: Scene['store']) => new Layers(storeOf({ ...scene, store }, []), [layer, layer]);

    expect([layersOf('answers'), layersOf('throws')].map((each) => isPromise(each.consume(group)))).toEqual([
      false,
      false,
    ]);
  });

  it('take one deferred answer for a check that the store answers later, whatever layers there are', () => {
    const scene: Scene = { layers: [], store: 'answers late', isPeek: false, takesChecks: true };
    const made = jest.spyOn(Deferred.prototype, 'chain');
    const layer = layerOf({ before: 'goes on', onAnswer: 'marks', onError: 'answers' }, 0, []);

    const answer = new Layers(storeOf(scene, []), [layer, layer, layer]).consume(group);

    expect(answer).toBeInstanceOf(Deferred);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('refund, reset and close from the first layer to the last, and the store after them', async () => {
    const store = new RemoteStore();
    const heard: string[] = [];
    const layerAt = (at: number, kept: number): Layer => ({
      async undo(receipts, below) {
        heard.push(`undo ${at} ${receipts.length}`);
        return kept + (await below(receipts.slice(kept)));
      },
      async forget(keys, below) {
        await below();
        heard.push(`forgot ${at} ${keys.join()}`);
      },
      close: () => void heard.push(`close ${at}`),
    });
    const layers = new Layers(store, [layerAt(0, 1), {}, layerAt(2, 0)]);
    const claim: Claim = claimOf();
    const receipts = [...(await store.consume([claim])).receipts, ...(await store.consume([claim])).receipts];

    const given = await layers.refund(receipts);
    await layers.reset([claim.key]);
    await layers.close();

    expect(given).toBe(2);
    expect(store.refunds).toEqual([receipts.slice(1)]);
    expect(heard).toEqual([
      'undo 0 2',
      'undo 2 1',
      `forgot 2 ${claim.key}`,
      `forgot 0 ${claim.key}`,
      'close 0',
      'close 2',
    ]);
  });
});
