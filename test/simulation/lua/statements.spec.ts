import { composeScript, emitterOf, generalScript, scripts } from '../../../packages/core/src/scripts/index.js';
import { Random } from '../../properties/twin/random.js';
import { ALGORITHMS, MADE, randomPolicies } from '../../properties/twin/random-policy.js';
import { parseLua } from './script.js';
import { statementTexts } from './statements.js';

const random = new Random(1);
const policyOf = (algorithm: (typeof ALGORITHMS)[number]) => randomPolicies(algorithm, random, 60_000, 1)[0]!.policy;

/** A policy that has a script of its own. */
function madePolicyOf(algorithm: (typeof ALGORITHMS)[number]) {
  for (;;) {
    const policy = policyOf(algorithm);
    if (emitterOf(policy) !== undefined) return policy;
  }
}

describe('statementTexts', () => {
  it.each([
    ...Object.entries(scripts).map(([name, { source }]) => ({ name, source })),
    ...ALGORITHMS.flatMap((name) =>
      (['consume', 'refund'] as const).map((frame) => ({
        name: `${frame} ${name}`,
        source: generalScript(frame, [policyOf(name)]).source,
      })),
    ),
    ...MADE.map((names) => ({ name: names.join(' and '), source: composeScript(names.map(madePolicyOf)).source })),
  ])('separates the statements of a script at lines: $name', ({ source }) => {
    const texts = statementTexts(source);

    expect(texts.flatMap(parseLua)).toEqual(parseLua(source));
  });

  it('does not separate at what only looks like the end of a statement', () => {
    const texts = ['if a then\nb(\'end\', "if (") -- end\nend', 'local c = {\nfunction () return 1 end,\n}'];

    expect(statementTexts(texts.join('\n'))).toEqual(texts);
  });
});
