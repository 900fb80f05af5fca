import type { Fault, Inventory } from '../../keys/inventory.js';
import { quotedKey, shell } from '../../terminal/shell.js';
import { fine, problem, warning, type Finding } from '../finding.js';

/** Whether every key of the limiters expires, is of its type, and belongs to a tier. */
export function checkKeys(inventory: Inventory): Finding[] {
  const { keys, tallies, withoutExpiry, wrongType, foreign, orphans, unchecked, knowsShapes } = inventory;
  const bytes = [...tallies.values()].reduce((sum, tally) => sum + (tally.bytes ?? 0), 0);
  const size = unchecked.has('memory|usage') ? '' : `, about ${Math.ceil(bytes / 2 ** 20)}mb`;
  const tiers = new Set([...tallies.values()].map(({ name }) => name.tier)).size;
  const old = knowsShapes && orphans.count > 0 ? `; ${orphans.count} of shapes that no tier has, which expire` : '';
  return [
    fine('keys', keys === 0 ? 'no key yet' : `${keys} keys in ${tiers} tiers${size}${old}`),
    ...found(withoutExpiry, (text) => problem('keys', `${text} without expiry`, unlink(withoutExpiry))),
    ...found(wrongType, (text) => problem('keys', `${text} of a wrong type`, unlink(wrongType))),
    ...found(foreign, (text) =>
      warning('keys', `${text} of no limiter: ${foreign.examples[0]}`, 'a Redis or a prefix for limiters alone'),
    ),
    ...[...unchecked].map((right): Finding => ({ check: 'keys', level: 'unchecked', text: `keys in part: ${right}` })),
  ];
}

function found({ count }: Fault, finding: (text: string) => Finding): Finding[] {
  return count === 0 ? [] : [finding(`${count} ${count === 1 ? 'key' : 'keys'}`)];
}

function unlink({ first }: Fault): string {
  const isText = /^[\x20-\x7e]+$/.test(first!.toString('latin1'));
  const key = isText ? shell`${first!.toString()}` : shell`${quotedKey(first!)}`;
  return `sluice keys, then redis-cli${isText ? '' : ' --quoted-input'} UNLINK ${key}`;
}
