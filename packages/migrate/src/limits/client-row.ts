import { CLIENT_SETTINGS, STORE_FAILURE } from './differences.js';
import { prefixText } from './key-space.js';
import type { Row } from './limit-draft.js';
import { isNothing, mayBeAbsent } from '../source/branches.js';
import { constantOf } from '../source/constant.js';
import { kindOfClient, redisStoreText } from './redis-client.js';

export interface ClientOptions {
  /** The option with a client of Redis. */
  readonly client: string;
  /** The option with the beginning of keys. */
  readonly prefix: string;
  /** True where the limit needs a name: others are named by their route. */
  readonly isNamed: boolean;
}

/** A client of Redis in the options. */
export function clientRow({ client, prefix, isNamed }: ClientOptions): Row {
  return {
    options: [client, prefix],
    read: (draft, { [client]: given, [prefix]: space }) => {
      if (!given || isNothing({ node: given.value, value: constantOf(draft.file, given.value) })) return;
      const text = draft.carry(given.value);
      if (kindOfClient(draft.file, given.value) === 'node-redis') {
        const what = 'the client is of node-redis, and the plugin takes ioredis alone';
        return draft.refuse(given.property, what, 'write store: redisStore({ url })');
      }
      const keys = space && prefixText(draft, space.value);
      draft.use('@sluice/redis', 'redisStore');
      draft.differs(CLIENT_SETTINGS, STORE_FAILURE);
      const options = [
        ...(isNamed ? [['name', `'${draft.takeName()}'`] as const] : []),
        ['store', redisStoreText(text!, 'ioredis')] as const,
        ...(keys ? [['prefix', keys] as const] : []),
      ];
      draft.writeIf(mayBeAbsent(draft.file, given.value) ? text : undefined, options);
    },
  };
}
