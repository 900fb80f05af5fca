import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { inheritOptions } from './inherited-options.js';

const shareable = {
  store: memoryStore(),
  prefix: 'up',
  onStoreFailure: 'deny',
  share: 0.5,
  headers: ['draft-11'],
  body: 'no',
};
const inherited = { ...shareable, limit: 5, skip: () => true };

describe('inheritOptions', () => {
  it('adds options that can be shared, and no tiers, costs and skipping', () => {
    expect(inheritOptions({ limit: 1 }, inherited)).toEqual({ ...shareable, limit: 1 });
  });

  it('keeps own options, and takes undefined as missing', () => {
    expect(inheritOptions({ prefix: 'own', body: undefined }, inherited)).toMatchObject({ prefix: 'own', body: 'no' });
  });

  it('adds only options about answers to a shared limiter', () => {
    const limiter = createLimiter({ key: () => 'ada', limit: 1, window: '1h' });

    expect(inheritOptions({ limiter }, inherited)).toEqual({ limiter, headers: ['draft-11'], body: 'no' });
  });
});
