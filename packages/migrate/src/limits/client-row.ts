import { CLIENT_SETTINGS, STORE_FAILURE } from './differences.js';
import { prefixText } from './key-space.js';
import type { Row } from './limit-draft.js';
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
      if (!given) return;
      const kind = kindOfClient(draft.file, given.value);
      const text = draft.carry(given.value);
      if (kind !== 'ioredis')
        return draft.refuse(given.property, 'the client of Redis was not found', 'write store: redisStore(client)');
      const keys = space && prefixText(draft, space.value);
      draft.use('@sluice/redis', 'redisStore');
      draft.differs(CLIENT_SETTINGS, STORE_FAILURE);
      if (isNamed) draft.write('name', `'${draft.takeName()}'`);
      draft.write('store', redisStoreText(text!, kind));
      if (keys) draft.write('prefix', keys);
    },
  };
}
