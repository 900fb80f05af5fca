import { hash } from 'node:crypto';
import { algorithmOf } from '../algorithms/algorithm.js';
import type { Emitted } from '../algorithms/emitter.js';
import type { Policy } from '../model/policy.js';
import { emitterOf } from './emitters.js';
import { beginUsage, countUsage, usageKeysOf } from './keys-beside.js';
import { Payment, type CoveredPlaces } from './payment.js';
import type { Script } from './script.js';
import { blocksOf, joinParts, type Part, type Piece } from './scripts.js';

/** The reply where groups are left over: of the state of the first of them, which is never negative. */
export const LEFT_OVER = -1;

/**
 * Makes the script for groups of these policies, in this order: one unit of each, all or nothing.
 *
 * KEYS  of each group its keys; then the keys of the usage of policies with usage, and sets of usage with open hours.
 * ARGV  for groups with a permit, of each group the name of its permit. For one policy alone, nothing where each key has one
 *       unit; else for each key its units, of which the script charges as many as fit. Then, where a policy has usage, its labels.
 * Returns the server's microseconds; then for each group of each key the state found. From the first group on that the fast
 *       path leaves over: LEFT_OVER, then for each group what `consume` describes.
 *
 * @param covers what balances of the group cover. @default nothing
 */
export function composeScript(policies: readonly Policy[], covers?: CoveredPlaces): Script {
  const payment = new Payment(policies, covers);
  const own = scriptOf(policies, payment, 'reply-numbers');
  return { ...own, packed: scriptOf(policies, payment, 'reply-numbers.packed') };
}

function scriptOf(policies: readonly Policy[], payment: Payment, reply: Part): Pick<Script, 'source' | 'sha'> {
  const codes = [...new Set(policies.map(({ algorithm }) => algorithm.twin))];
  const needs = emit(policies).flatMap((each) => each.needs ?? []);
  const first = new Set<Part>(['prelude', reply, 'clock', ...needs]);
  const general = blocksOf(codes).map((block) => block.filter((part) => !first.has(part)));
  const counted: readonly Part[] = policies.some(({ usage }) => usage) ? ['counted-claims'] : [];
  const covered: readonly Part[] = payment.isNeeded ? ['covers'] : [];
  const wishing: readonly Part[] = policies.some(leavesWishes) ? ['wishing-claims'] : [];
  const deciding: readonly Part[] = ['group', ...counted, ...covered, ...wishing, 'recorded-texts', 'consume'];
  const rest: readonly Piece[] = ['algorithms', ...general, ...deciding];
  const parts = [joinParts([...first]), fastPath(policies, payment), joinParts(rest), leftOver(policies, payment)];
  // A shorter text is sent and hashed sooner.
  const lines = parts.flatMap((part) => part.split('\n')).map((line) => line.trim());
  const source = lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n');
  return { source, sha: hash('sha1', source) };
}

function leavesWishes(policy: Policy): boolean {
  return algorithmOf(policy).leaveWishes !== undefined;
}

/** The first part of a script, which decides the usual states. The general path is not even defined where it suffices. */
export function fastPath(policies: readonly Policy[], payment = new Payment(policies)): string {
  const places = emit(policies);
  const areFound = places.map((_, index) => `found${index + 1}`).join(' and ');
  const replies = places.flatMap(({ reply = [] }) => reply);
  const isRate = isOneRate(policies);
  const charged = isRate ? ' elseif room1 > 0 then charged = room1 end' : ' end';
  return `
local fast_reply, left = { now_us }, nil
do
  local at = 1${places.map(({ begin }) => indent(begin, 2)).join('')}
  for first = 1, ${lastKeyOf(places.length, usageKeysOf(policies))}, ${places.length} do
    ${unitsOf(policies)}${places.map(readKey).join('')}
    local charged${payment.isNeeded ? ', payer' : ''} = 0
    if ${areFound} then
      if ${payment.fits} then charged = count${payment.choose}${charged}
    else
      left = first
    end${places.map((each, index) => settleKey(each, index, payment)).join('')}
    if left then break end
    ${replies.map((_, index) => `fast_reply[at + ${index + 1}]`).join(', ')} = ${replies.join(', ')}
    at = at + ${replies.length}
  end
  if not left then return reply_of(fast_reply) end
  fast_reply[at + 1] = ${LEFT_OVER}
end`.trimStart();
}

/** Units of one rate travel as their number. */
function isOneRate({ length, 0: first }: readonly Policy[]): boolean {
  return length === 1 && !first!.algorithm.endsWithRequest;
}

function unitsOf(policies: readonly Policy[]): string {
  if (isOneRate(policies)) return 'local units = ARGV[first]\n    local count = (units or 1) + 0';
  const units = 'local units, count = nil, 1';
  return policies.some(({ algorithm }) => algorithm.endsWithRequest)
    ? `${units}\n    ${permitOf(policies, 'first')}`
    : units;
}

/** The name of the permit of the group that a key begins. */
function permitOf({ length }: readonly Policy[], key: string): string {
  return `local permit = ARGV[(${key} - 1) / ${length} + 1]`;
}

function readKey({ read }: Emitted, index: number): string {
  const place = index + 1;
  const key = index === 0 ? 'first' : `first + ${index}`;
  return `\n    local key${place}, found${place}, room${place} = KEYS[${key}], nil, nil${indent(read, 4)}`;
}

function settleKey({ settle }: Emitted, index: number, payment: Payment): string {
  return `\n    if found${index + 1} then${payment.chargeAt(index)}${indent(settle, 6)}\n    end`;
}

/** The last part: groups from `left` on are decided by the general path. */
function leftOver(policies: readonly Policy[], payment: Payment): string {
  const { length } = policies;
  const numbers = policies.flatMap((policy) => [
    `'${policy.algorithm.twin}'`,
    policy.numbers.length,
    ...policy.numbers,
  ]);
  const claim = `claims[#claims + 1] = pack_claim(1, place, index_of[key], place == ${length} and LAST or 0)`;
  const notes = policies.flatMap(({ algorithm }, place) => (algorithm.neverRefills ? [noteOf(place, payment)] : []));
  const held = policies.findIndex(({ algorithm }) => algorithm.endsWithRequest) + 1;
  const permit = `if place == ${held} then claims[#claims + 1] = ARGV[(index - place) / ${length} + 1] end`;
  return `
local claims, index_of = {}, {}
for index = left, #KEYS do
  local key, place = KEYS[index], (index - 1) % ${length} + 1
  index_of[key] = index_of[key] or index
  for _ = 1, ${isOneRate(policies) ? 'ARGV[index] or 1' : 1} do
    ${[claim, ...notes].join('\n    ')}
  end
  ${held > 0 ? permit : ''}
end
return consume(read_policies({ ${numbers.join(', ')} }, 1, ${length}), claims, 1, fast_reply)`;
}

/** Behind the claim of a balance. */
function noteOf(place: number, payment: Payment): string {
  return `if place == ${place + 1} then claims[#claims + 1] = ${payment.noteAt(place)} end`;
}

/** The index of the last key of a claim. @param usageKeys of a group */
function lastKeyOf(places: number, usageKeys: number): string {
  return usageKeys === 0 ? '#KEYS' : `#KEYS / ${places + usageKeys} * ${places}`;
}

/** The Lua of each policy, with the number of its place in its names. */
function emit(policies: readonly Policy[]): readonly Emitted[] {
  return policies.map((policy, index) => {
    const { needs = [], begin, read, settle: charge, reply = ['$found'] } = emitterOf(policy)!(policy);
    const settle = policy.usage ? `${charge}${countUsage(policies, index)}` : charge;
    const own = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name: string) => `${name}${index + 1}`);
    return {
      needs: policy.usage ? [...needs, 'usage', 'usage.labels'] : needs,
      begin: own(policy.usage ? `${begin}${beginUsage(policies)}` : begin),
      read: own(read),
      settle: own(settle),
      reply: reply.map(own),
    };
  });
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
