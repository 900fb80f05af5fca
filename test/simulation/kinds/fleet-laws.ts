import { createHash } from 'node:crypto';
import type { Override } from '../../../packages/policies/src/overrides/index.js';
import { digestOf, identityText } from '../../../packages/core/src/limiter/keys/store-keys.js';
import type { PoliciesStatus } from '../../../packages/policies/src/policies.js';
import type { Member } from '../fleet.js';
import type { World } from '../world/world.js';
import type { Words } from './operator-words.js';

interface FollowerState {
  readonly member: Member;
  readonly isYoung: boolean;
  readonly status: PoliciesStatus;
  readonly overrides: readonly Override[];
}

const TENANTS = ['acme', 'carl', 'dora'];

/** After any failure all processes have one version and the same overrides within two readings, and the last word stands. */
export function checkFleet(world: World, states: readonly FollowerState[], words: Words): void {
  for (const { member, status } of states) {
    const { name } = member.process;
    if (member.client.status !== 'ready') world.fail(`${name} is not connected`);
    // A process of the older release says that it does not take a text.
    const isRefusal = status.problem?.includes('key must be') ?? false;
    if (status.problem !== undefined && !isRefusal) world.fail(`${name} has a problem: ${status.problem}`);
  }
  for (const isYoung of [true, false]) {
    const same = states.filter((each) => each.isYoung === isYoung);
    agree(world, same, 'the version', ({ status }) => `${status.version} ${status.sha.slice(0, 8)}`);
  }
  agree(world, states, 'overrides', ({ overrides }) => overrideTexts(overrides));
  for (const tenant of TENANTS) {
    const word = words.last(tenant);
    if (word === undefined) continue;
    for (const { member, overrides } of states) {
      const found = overrides.find(({ digest }) => digest === digestOf(identityText(tenant)));
      const limit = found === undefined ? undefined : String(found.limit);
      if (limit !== word.value)
        world.fail(`${member.process.name} has ${tenant} = ${limit}, and ${word.value} was said last`);
    }
  }
  checkText(world, states, words);
}

function checkText(world: World, states: readonly FollowerState[], words: Words): void {
  const word = words.last('text');
  if (word?.value === undefined) return;
  const sha = shaOf(word.value);
  for (const { member, status, isYoung } of states) {
    if (!isYoung && word.value.includes('account')) {
      if (status.sha === sha) world.fail(`${member.process.name} has a text that it does not understand`);
    } else if (status.sha !== sha)
      world.fail(`${member.process.name} has v${status.version}, and another text was applied last`);
  }
}

function agree(
  world: World,
  states: readonly FollowerState[],
  what: string,
  of: (state: FollowerState) => string,
): void {
  const all = states.map(of);
  if (new Set(all).size > 1) world.fail(`processes differ in ${what}: ${all.join(' | ')}`);
}

function overrideTexts(overrides: readonly Override[]): string {
  return overrides
    .map(({ digest, limit }) => `${digest.slice(0, 6)} ${limit}`)
    .toSorted()
    .join(', ');
}

function shaOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
