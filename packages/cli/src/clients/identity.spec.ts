import { readIdentity } from './identity.js';

describe('readIdentity', () => {
  it('repeats no API key in messages', async () => {
    expect(await readIdentity(['api-key', 'k1'])).toMatchObject({ name: 'this api-key' });
    expect(await readIdentity(['ip', '1.1.1.1'])).toMatchObject({ name: 'ip 1.1.1.1' });
  });
});
