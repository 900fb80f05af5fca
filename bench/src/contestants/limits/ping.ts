import type { Runner, Setting } from '../contestant.js';

export function open({ connect }: Setting): Runner {
  const client = connect();
  return { check: () => client.ping(), admitted: (reply) => reply === 'PONG' };
}
