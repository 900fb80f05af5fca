import { algorithmParts } from '../../packages/core/src/scripts/scripts.js';
import { onScriptClock } from '../properties/twin/script-clock.js';
import { everyScript, largestScripts, linedPolicies, policiesByTwin } from '../support/every-script.js';
import { localsOf, mostUpvaluesOf, unknownNamesOf } from '../support/lua-bounds.js';
import { withRedis } from '../support/redis-store.js';

// Lua 5.1 has 200 locals in a function and 60 upvalues. The margins are for the next algorithm.
const MOST_LOCALS = 150;
const MOST_UPVALUES = 50;
/** The locals of a script that is made grow with its tiers, not with the algorithms, and it has at most twelve tiers. */
const MOST_LOCALS_OF_TIERS = 180;

describe('a script for Redis', () => {
  const redis = withRedis();

  it('is tried here with each algorithm', () => {
    const twins = Object.entries({ ...policiesByTwin, ...linedPolicies() }).map(
      ([code, { algorithm }]) => [code, algorithm.twin] as const,
    );

    expect(Object.fromEntries(twins)).toEqual(
      Object.fromEntries(Object.keys(algorithmParts).map((code) => [code, code])),
    );
  });

  it('compiles, also on the clock of the twin tests', async () => {
    const load = async ([name, source]: readonly [string, string]) => {
      const refusal = await redis.client.script('LOAD', source).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return refusal === undefined ? [] : [`${name}: ${refusal}`];
    };
    const sources = [...everyScript()].flatMap(([name, { source }]) => [
      [name, source] as const,
      [`${name} on a clock`, onScriptClock(source).source] as const,
    ]);

    const refused = await Promise.all(sources.map(load));

    expect(refused.flat()).toEqual([]);
  });

  it('is far from the locals and the upvalues that Lua has, and uses no name that it does not define', () => {
    const wrong = [...largestScripts()].flatMap(([name, { source }]) => {
      const [locals, upvalues, unknown] = [localsOf(source), mostUpvaluesOf(source), unknownNamesOf(source)];
      const most = name.startsWith('made') ? MOST_LOCALS_OF_TIERS : MOST_LOCALS;
      const isWell = locals <= most && upvalues <= MOST_UPVALUES && unknown.length === 0;
      return isWell ? [] : [{ name, locals, upvalues, unknown }];
    });

    expect(wrong).toEqual([]);
  });
});
