import type { Runner, Setting } from '../contestant.js';

export function open({ connect, prefix }: Setting): Runner {
  const client = connect();
  return { check: (key) => client.incr(`${prefix}:${key}`), admitted: (count) => Number(count) > 0 };
}
