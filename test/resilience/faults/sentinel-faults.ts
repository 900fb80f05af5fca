import { startSentinelGroup, type SentinelGroup } from '../../support/sentinel-group.js';
import type { Fault, Scene } from './fault.js';
import { promotionOf, type Promotion } from './promotion.js';

/** Faults of the primary of a group with Sentinels, which heal it. Recovery counts from the promotion. */
export const sentinelFaults: readonly Fault[] = [
  {
    name: 'Sentinel: primary killed',
    lasts: 0,
    expects: { forgets: true },
    set: () => sentinelScene(async (group) => void (await group.primary()).process.kill('SIGKILL')),
  },
  {
    name: 'Sentinel: primary stopped (SIGSTOP)',
    lasts: 0,
    expects: { breaker: 'opens', forgets: true },
    set: () => sentinelScene(async (group) => void (await group.primary()).process.kill('SIGSTOP')),
  },
  {
    name: 'Sentinel: healthy primary replaced',
    lasts: 0,
    expects: { forgets: true },
    set: () => sentinelScene((group) => group.failover()),
  },
];

async function sentinelScene(strike: (group: SentinelGroup) => Promise<void>): Promise<Scene> {
  const group = await startSentinelGroup();
  const [, ...replicas] = group.servers;
  let promotion: Promise<Promotion> | undefined;
  return {
    connection: group.group,
    async strike() {
      promotion = promotionOf(replicas);
      await strike(group);
    },
    heal: () => undefined,
    pong: async () => (await promotion!).at,
    ports: async () => [(await promotion!).server.port],
    stop: () => group.stop(),
  };
}
