import { inspect } from 'node:util';
import { redisPolicies } from '@sluice/policies';
import { redisStore } from '@sluice/redis';

describe('redisPolicies', () => {
  it.each([
    ['a server', "ERR unknown command 'evalsha', with args beginning with: 'f0' '6' 'acme' 'ada@example.com'"],
    ['a client', 'Command timed out'],
  ])('shows no argument of a call in the error of %s', async (_whose, message) => {
    const command = { name: 'evalsha', args: ['f0', '6', 'acme', 'ada@example.com'] };
    const failing = () => Promise.reject(Object.assign(new Error(message), { name: 'ReplyError', command }));
    const store = redisStore({ evalsha: failing, eval: failing });

    const error = await redisPolicies(store)
      .history()
      .catch((each: unknown) => each);
    await store.close();

    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(inspect(error, { depth: Infinity })).not.toMatch(/acme|ada/);
  });
});
