/**
 * What becomes of a request whose store cannot answer. `local`: this process limits alone. `allow`: it goes on unlimited.
 * `deny`: it is answered 503.
 */
export type OnStoreFailure = 'local' | 'allow' | 'deny';

export const ON_STORE_FAILURE: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];
