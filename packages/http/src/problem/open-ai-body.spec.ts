import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Decision } from '../../../core/src/model/decision.js';
import { openAiBody } from './open-ai-body.js';
import { problemOf } from './problem.js';

const limiter = createLimiter({
  tiers: [
    { name: 'requests', key: () => 'ada', limit: 5, window: '1m', cost: 1 },
    { name: 'tokens', key: () => 'ada', limit: 10, window: '1m', unit: 'tokens' },
  ],
});

const bodyOf = (decision: Decision) => openAiBody({ decision, problem: problemOf(decision, decision.deniedBy) });

describe('openAiBody', () => {
  it('names the unit of the tier that denies', () => {
    void limiter.consume({}, { cost: 8 });

    const { error } = bodyOf(limiter.consume({}, { cost: 5 }) as Decision);

    expect(error).toMatchObject({ type: 'tokens', param: null, code: 'rate_limit_exceeded' });
    expect(error.message).toMatch(/^Too many requests\. Retry in \d+ seconds?\.$/);
  });

  it('has a code of its own for a request that never fits', () => {
    const { error } = bodyOf(limiter.consume({}, { cost: 11 }) as Decision);

    expect(error).toMatchObject({ type: 'tokens', code: 'request_too_large' });
  });

  it('names requests where no limiter has decided', () => {
    const copy = { ...(limiter.consume({}, { cost: 5 }) as Decision) };

    expect(bodyOf(copy).error.type).toBe('requests');
  });
});
