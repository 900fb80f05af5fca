import { createLimiter } from '../../limiter/limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { inheritOptions } from './inherited-options.js';

const store = memoryStore();
const above = {
  store,
  prefix: 'up',
  onStoreFailure: 'deny',
  share: 0.5,
  headers: ['draft-11'],
  body: 'no',
  limit: 5,
  skip: () => true,
};

describe('inheritOptions', () => {
  it('adds what can be shared, and nothing of tiers, costs and skipping', () => {
    expect(inheritOptions({ limit: 1 }, above)).toEqual({
      store,
      prefix: 'up',
      onStoreFailure: 'deny',
      share: 0.5,
      headers: ['draft-11'],
      body: 'no',
      limit: 1,
    });
  });

  it('leaves what is said, and takes undefined for not said', () => {
    expect(inheritOptions({ prefix: 'own', body: undefined }, above)).toMatchObject({ prefix: 'own', body: 'no' });
  });

  it('adds to a limiter that is shared what is about answers only', () => {
    const limiter = createLimiter({ key: () => 'ada', limit: 1, window: '1h' });

    expect(inheritOptions({ limiter }, above)).toEqual({ limiter, headers: ['draft-11'], body: 'no' });
  });
});
