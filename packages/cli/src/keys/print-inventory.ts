import { dim, green, red, type Part } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';
import { KEY_LOSSES, showTime } from '@sluice/metrics/operations';
import type { Fault } from './fault.js';
import type { Inventory } from './inventory.js';
import type { Tally } from './tally.js';

const COLUMNS = [
  { title: 'tier or name' },
  { title: 'kind' },
  { title: 'shape' },
  { title: 'keys', align: 'right' },
  { title: 'bytes', align: 'right' },
  { title: 'TTL least', align: 'right' },
  { title: 'median', align: 'right' },
  { title: 'most', align: 'right' },
  { title: 'loss costs' },
] as const;

const NOTHING = '–';

/** A table of the kinds and tiers, and a line for each kind of fault. */
export function printInventory(inventory: Inventory, terminal: Terminal): void {
  const tallies = sorted(inventory);
  if (tallies.length === 0) terminal.print('no keys of Sluice');
  else
    terminal.printTable(
      COLUMNS,
      tallies.map((tally) => rowOf(tally, inventory)),
    );
  for (const { fault, text } of faultsOf(inventory)) terminal.print(...lineOf(fault, text));
  if (inventory.unchecked.size > 0) {
    const rights = [...inventory.unchecked].map((each) => `+${each}`).join(' ');
    terminal.print(dim('?'), ` not checked, because the user lacks ${rights}`);
  }
}

/** The same for `--json`. TTLs are milliseconds. */
export function inventoryDocument(inventory: Inventory): object {
  return {
    fit: inventory.isFit,
    prefixes: inventory.prefixes,
    keys: inventory.keys,
    kinds: sorted(inventory).map((tally) => ({
      kind: tally.name.kind.name,
      prefix: tally.name.prefix,
      tier: tally.name.tier ?? null,
      name: tally.name.name ?? null,
      shape: tally.name.shape ?? null,
      loss: tally.name.kind.loss,
      orphan: inventory.isOrphan(tally) ?? null,
      keys: tally.keys,
      bytes: tally.bytes ?? null,
      ttl: tally.median === undefined ? null : { least: tally.least, median: tally.median, most: tally.most },
    })),
    ...Object.fromEntries(
      faultsOf(inventory).map(({ name, fault: { count, examples } }) => [name, { count, examples }]),
    ),
    unchecked: [...inventory.unchecked],
  };
}

function faultsOf(inventory: Inventory) {
  const { withoutExpiry, wrongType, foreign, orphans, stranded } = inventory;
  return [
    { name: 'withoutExpiry', fault: withoutExpiry, text: 'without expiry' },
    { name: 'wrongType', fault: wrongType, text: 'of a wrong type' },
    { name: 'foreign', fault: foreign, text: 'that Sluice has not written' },
    ...(inventory.knowsShapes
      ? [
          { name: 'orphans', fault: orphans, text: 'of shapes that no tier has; they expire' },
          { name: 'stranded', fault: stranded, text: 'to keep, of shapes that no tier has' },
        ]
      : []),
  ];
}

function lineOf({ count, examples, first }: Fault, text: string): readonly Part[] {
  const line = `${count} ${count === 1 ? 'key' : 'keys'} ${text}`;
  if (count === 0) return [green('✓'), ` ${line}`];
  const more = count > examples.length ? ', …' : '';
  const loss = first?.kind && KEY_LOSSES[first.kind.loss];
  return [red('✗'), ` ${line}: ${examples.join(', ')}${more}`, ...(loss ? [dim(` (if lost: ${loss})`)] : [])];
}

function rowOf(tally: Tally, inventory: Inventory): readonly string[] {
  const { name, keys, bytes, median, least, most } = tally;
  const times = median === undefined ? [NOTHING, NOTHING, NOTHING] : [least, median, most].map(showTime);
  return [
    `${name.tier ?? name.name ?? NOTHING}${inventory.isOrphan(tally) ? ' (orphan)' : ''}`,
    name.kind.name,
    name.shape ?? NOTHING,
    String(keys),
    bytes === undefined ? NOTHING : String(bytes),
    ...times,
    name.kind.loss,
  ];
}

/** Most keys first. */
function sorted({ tallies }: Inventory): readonly Tally[] {
  return [...tallies.values()].toSorted((one, other) => other.keys - one.keys);
}
