import type { Redis } from 'ioredis';

/** HELLO and AUTH need no right; the tests send the others. */
const NOT_OURS = /^(hello|auth|config\||acl\||cluster\|(myid|keyslot|setslot|getkeysinslot)|migrate$)/;

/** The commands that servers have run since the last reset of their statistics, by users and by scripts. */
export async function commandsCalled(admins: readonly Redis[]): Promise<string[]> {
  const stats = await Promise.all(admins.map((admin) => admin.info('commandstats')));
  const called = stats.flatMap((text) => [...text.matchAll(/^cmdstat_(\S+?):calls=[1-9]/gm)].map(([, name]) => name!));
  return [...new Set(called)].filter((name) => !NOT_OURS.test(name)).toSorted();
}

/** The commands and keys that servers have refused. */
export async function commandsRefused(admins: readonly Redis[]): Promise<string[]> {
  const logs = (await Promise.all(admins.map((admin) => admin.acl('LOG')))) as unknown as string[][][];
  const refused = logs.flat().map((entry) => entry[entry.indexOf('object') + 1]!);
  // Unknown to Redis 7.0, so no rule can allow it; ioredis ignores the error.
  return [...new Set(refused)].filter((name) => name !== 'client|setinfo').toSorted();
}
