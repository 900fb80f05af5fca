import { hash } from 'node:crypto';
import { isCounted } from '../algorithms/counting.js';
import type { Emitted } from '../algorithms/emitter.js';
import { beside, isNoted } from '../algorithms/beside.js';
import type { Policy } from '../model/policy.js';
import { decidingParts } from './deciding-parts.js';
import { emitterOf } from './emitters.js';
import { areKept, beginUsage, countUsage, findNumbers, keyNote, lastKeyOf, numberKeysOf } from './keys-beside.js';
import { COVERS_NONE, Payment, type CoveredPlaces } from './payment.js';
import type { Script } from './script.js';
import { blocksOf, joinParts, type Part, type Piece } from './scripts.js';

/** The reply where groups are left over: of the state of the first of them, which is never negative. */
export const LEFT_OVER = -1;

/**
 * Makes the script for groups of these policies, in this order: one unit of each, or the units that it costs; all or nothing.
 *
 * KEYS  of each group its keys; then the keys of the usage of policies with usage, and sets of usage with open hours.
 * ARGV  with costs, those of each group in the order of its keys. For groups with a permit, of each group the name of its
 *       permit. Without costs for one policy alone, nothing where each key has one unit; else for each key its units, of which the
 *       script charges as many as fit. Then, where a policy has usage, its labels.
 * Returns the server's microseconds; then for each group of each key the state found. From the first group on that the fast
 *       path leaves over: LEFT_OVER, then for each group what `consume` describes.
 *
 * @param covered what balances of the group cover. @default nothing
 * @param hasCosts for requests of any costs. @default of one unit
 */
export function composeScript(policies: readonly Policy[], covered?: CoveredPlaces, hasCosts = false): Script {
  const group = groupText(policies, covered, hasCosts);
  const hasRings = emit(group).some(({ ring }) => ring !== undefined);
  const packed: readonly Part[] = hasRings ? ['reply-numbers.packed', 'ring.replies.packed'] : ['reply-numbers.packed'];
  return { ...scriptOf(group, [hasRings ? 'ring.replies' : 'reply-numbers']), packed: scriptOf(group, packed) };
}

/** What the script of a group is made of. */
interface GroupText {
  readonly policies: readonly Policy[];
  readonly payment: Payment;
  readonly hasCosts: boolean;
}

function scriptOf(group: GroupText, reply: readonly Part[]): Pick<Script, 'source' | 'sha'> {
  const { policies, payment } = group;
  const codes = [...new Set(policies.map(({ algorithm }) => algorithm.twin))];
  const needs = emit(group).flatMap((each) => each.needs ?? []);
  const rule: readonly Part[] = payment.isNeeded ? ['covers'] : [];
  const first = new Set<Part>(['prelude', 'clock', ...needs, ...rule, ...reply]);
  const general = blocksOf(codes).map((block) => block.filter((part) => !first.has(part)));
  const counted: readonly Part[] = policies.some(isCounted) ? ['counted-claims'] : [];
  const covered: readonly Part[] = payment.isNeeded ? ['covered-groups'] : [];
  const ofFeatures = decidingParts(policies);
  const deciding: readonly Part[] = ['group', ...counted, ...covered, ...ofFeatures, 'recorded-texts', 'consume'];
  const rest: readonly Piece[] = ['algorithms', ...general, ...deciding];
  const parts = [joinParts([...first]), findNumbers(policies), fastPathOf(group), joinParts(rest), leftOver(group)];
  // A shorter text is sent and hashed sooner.
  const lines = parts.flatMap((part) => part.split('\n')).map((line) => line.trim());
  const source = lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n');
  return { source, sha: hash('sha1', source) };
}

/** The first part of a script, which decides the usual states. The general path is not even defined where it suffices. */
export function fastPath(policies: readonly Policy[], covered?: CoveredPlaces, hasCosts = false): string {
  return fastPathOf(groupText(policies, covered, hasCosts));
}

function groupText(policies: readonly Policy[], covered: CoveredPlaces | undefined, hasCosts: boolean): GroupText {
  return { policies, payment: new Payment(covered ?? policies.map(() => COVERS_NONE), hasCosts), hasCosts };
}

function fastPathOf(group: GroupText): string {
  const { policies, payment } = group;
  const places = emit(group);
  const usage = policies.some(isCounted) ? beginUsage(policies) : '';
  const areFound = places.map((_, index) => `found${index + 1}`).join(' and ');
  const replies = places.flatMap(({ reply = [] }) => reply);
  const units = isOfUnits(group) ? ' elseif room1 > 0 then charged = room1' : '';
  const charged = payment.isNeeded ? payment.choose(leaveDenied(group)) : `${leaveDenied(group)}${units} end`;
  return `
local fast_reply, left = { now_us }, nil
do
  local at = 1${[usage, payment.begin, ...places.map(({ begin }) => begin)].map((begin) => indent(begin, 2)).join('')}
  for first = 1, ${lastKeyOf(policies)}, ${places.length} do
    ${unitsOf(group)}${places.map((each, index) => readKey(each, index, group)).join('')}
    local charged${payment.isNeeded ? ', payer' : ''} = 0
    if ${areFound} then
      ${leaveKept(policies)}if ${payment.fits} then charged = ${payment.charge}${charged}
    else
      left = first
    end${places.map((each, index) => settleKey(each, index, group)).join('')}
    if left then break end
    ${replies.map((_, index) => `fast_reply[at + ${index + 1}]`).join(', ')} = ${replies.join(', ')}
    at = at + ${replies.length}
  end
  if not left then return reply_of(fast_reply) end
  fast_reply[at + 1] = ${LEFT_OVER}
end`.trimStart();
}

/** A request is left over that numbers beside its state may decide. */
function leaveKept(policies: readonly Policy[]): string {
  const kept = areKept(policies, keyAt);
  return kept === '' ? '' : `if ${kept} then left = first else`;
}

/** A denial is left over that needs more than the state. */
function leaveDenied({ policies, hasCosts }: GroupText): string {
  const denied = policies.flatMap((policy, place) =>
    beside.of(policy) === undefined ? [] : [`room${place + 1} < count${hasCosts ? place + 1 : ''}`],
  );
  return denied.length === 0 ? '' : ` elseif ${denied.join(' or ')} then left = first`;
}

/** Units of one rate travel as their number. */
function isOfUnits({ policies, hasCosts }: GroupText): boolean {
  return !hasCosts && policies.length === 1 && !isNoted(policies[0]!);
}

function unitsOf(group: GroupText): string {
  const { policies, hasCosts } = group;
  if (isOfUnits(group)) return 'local units = ARGV[first]\n    local count = (units or 1) + 0';
  const counts = policies.map((_, place) => `local count${place + 1} = ${argumentAt(place)} + 0`);
  const units = hasCosts ? `local units, count\n    ${counts.join('\n    ')}` : 'local units, count = nil, 1';
  return policies.some(({ algorithm }) => algorithm.endsWithRequest)
    ? `${units}\n    local permit = ${permitOf(group, 'first', `${lastKeyOf(policies)} + `)}`
    : units;
}

/** The cost of a place in the group of `first`. */
function argumentAt(place: number): string {
  return `ARGV[${keyAt(place)}]`;
}

function keyAt(place: number): string {
  return place === 0 ? 'first' : `first + ${place}`;
}

/** Makes the count of a place that of the group, for the text of its policy. */
function countOf(place: number, { hasCosts }: GroupText): string {
  return hasCosts ? `units, count = ${argumentAt(place)}, count${place + 1}` : '';
}

/** The name of the permit of the group that a key begins. @param behind what precedes it in ARGV where groups have costs */
function permitOf({ policies, hasCosts }: GroupText, key: string, behind: string): string {
  return `ARGV[${hasCosts ? behind : ''}(${key} - 1) / ${policies.length} + 1]`;
}

function readKey({ read }: Emitted, index: number, group: GroupText): string {
  const place = index + 1;
  const key = `local key${place}, found${place}, room${place} = KEYS[${keyAt(index)}], nil, nil`;
  const lines = [countOf(index, group), key].filter((line) => line !== '');
  return `${lines.map((line) => `\n    ${line}`).join('')}${indent(read, 4)}`;
}

function settleKey({ settle }: Emitted, index: number, group: GroupText): string {
  const own = group.hasCosts ? `\n      ${countOf(index, group)}\n      local charged = charged * count` : '';
  return `\n    if found${index + 1} then${own}${group.payment.chargeAt(index)}${indent(settle, 6)}\n    end`;
}

/** The last part: groups from `left` on are decided by the general path. */
function leftOver(group: GroupText): string {
  const { policies, payment, hasCosts } = group;
  const { length } = policies;
  const numbers = policies.flatMap((policy) => [
    `'${policy.algorithm.twin}'`,
    policy.numbers.length,
    ...policy.numbers,
  ]);
  const cost = hasCosts ? 'ARGV[index] + 0' : '1';
  const claim = `claims[#claims + 1] = pack_claim(${cost}, place, index_of[key], place == ${length} and LAST or 0)`;
  const notes = policies.flatMap(({ algorithm }, place) => (algorithm.neverRefills ? [noteOf(place, payment)] : []));
  const held = policies.findIndex(isNoted) + 1;
  const last = numberKeysOf(policies) === 0 ? '#KEYS' : 'claim_keys';
  const name =
    (held > 0 && keyNote(policies, held - 1, 'index')) || permitOf(group, '(index - place + 1)', `${last} + `);
  const permit = `if place == ${held} then claims[#claims + 1] = ${name} end`;
  return `
local claims, index_of = {}, {}
for index = left, ${last} do
  local key, place = KEYS[index], (index - 1) % ${length} + 1
  index_of[key] = index_of[key] or index
  for _ = 1, ${isOfUnits(group) ? 'ARGV[index] or 1' : 1} do
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

/** The Lua of each policy, with the number of its place in its names. */
function emit({ policies, hasCosts }: GroupText): readonly Emitted[] {
  return policies.map((policy, index) => {
    const { needs = [], begin, read, settle: charge, reply = ['$found'], ring } = emitterOf(policy)!(policy, hasCosts);
    const settle = isCounted(policy) ? `${charge}${countUsage(policies, index)}` : charge;
    const own = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name: string) => `${name}${index + 1}`);
    return {
      needs: isCounted(policy) ? [...needs, 'usage', 'usage.labels'] : needs,
      begin: own(begin),
      read: own(read),
      settle: own(settle),
      reply: reply.map(own),
      ...(ring !== undefined && { ring }),
    };
  });
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
