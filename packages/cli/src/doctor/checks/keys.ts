import { KEY_LOSSES } from '@sluice/metrics/operations';
import type { Fault, FaultyKey } from '../../keys/fault.js';
import type { Inventory } from '../../keys/inventory.js';
import type { Tally } from '../../keys/tally.js';
import { quotedKey, shell } from '../../terminal/shell.js';
import { fine, problem, warning, type Finding } from './finding.js';
import { plural } from '../../terminal/plural.js';

/** A year: no count is needed for longer. In seconds. */
const LONGEST = 31_622_400;

/** Whether the keys of Sluice expire as they should, are of their type, and belong to a tier. */
export function checkKeys(inventory: Inventory): Finding[] {
  const { tallies, withoutExpiry, wrongType, foreign, stranded, unchecked } = inventory;
  return [
    fine('keys', summaryOf([...tallies.values()], inventory)),
    ...found(withoutExpiry, (text) => problem('keys', `${text} without expiry`, remedyOf(withoutExpiry, end))),
    ...found(wrongType, (text) => problem('keys', `${text} of a wrong type`, remedyOf(wrongType, moveAway))),
    ...found(foreign, (text) =>
      warning('keys', `${text} of no limiter: ${foreign.examples[0]}`, 'a Redis or a prefix for limiters alone'),
    ),
    ...found(stranded, (text) => {
      const about = `${text} of no tier, with ${KEY_LOSSES[stranded.first!.kind!.loss]}: ${stranded.examples[0]}`;
      return warning('keys', about, 'keep them, and give the tier its former name and options');
    }),
    ...[...unchecked].map((right): Finding => ({ check: 'keys', level: 'unchecked', text: `keys in part: ${right}` })),
  ];
}

function summaryOf(tallies: readonly Tally[], { orphans, unchecked, knowsShapes }: Inventory): string {
  if (tallies.length === 0) return 'no key yet';
  const keys = tallies.reduce((sum, tally) => sum + tally.keys, 0);
  const bytes = tallies.reduce((sum, tally) => sum + (tally.bytes ?? 0), 0);
  const size = unchecked.has('memory|usage') ? '' : `, about ${Math.ceil(bytes / 2 ** 20)}mb`;
  const tiers = new Set(tallies.flatMap(({ name }) => name.tier ?? [])).size;
  const old = knowsShapes && orphans.count > 0 ? `; ${orphans.count} of shapes that no tier has, which expire` : '';
  return `${plural(keys, 'key')} in ${plural(tiers, 'tier')}${size}${old}`;
}

function found({ count }: Fault, finding: (text: string) => Finding): Finding[] {
  return count === 0 ? [] : [finding(plural(count, 'key'))];
}

type Remedy = (fault: FaultyKey, word: (name: Buffer) => string) => string;

/** Deletes nothing whose loss costs anything. */
const end: Remedy = ({ name, kind }, word) =>
  kind?.loss === 'nothing' ? `UNLINK ${word(name)}` : `EXPIRE ${word(name)} ${LONGEST}`;

/** Its data is not that of Sluice, which cannot know what it is worth. The new name is in the same slot of a Cluster. */
const moveAway: Remedy = ({ name }, word) =>
  `RENAME ${word(name)} ${word(Buffer.concat([Buffer.from('moved:'), name]))}`;

function remedyOf({ first }: Fault, remedy: Remedy): string {
  const { name } = first!;
  const isText = /^[\x20-\x7e]+$/.test(name.toString('latin1'));
  const word = (bytes: Buffer) => (isText ? shell`${bytes.toString()}` : shell`${quotedKey(bytes)}`);
  return `sluice keys, then redis-cli${isText ? '' : ' --quoted-input'} ${remedy(first!, word)}`;
}
