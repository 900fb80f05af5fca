import type { LoadRow } from './load-row.js';
import type { PauseRow } from './pause-row.js';
import { hasShedder } from './terms.js';

/** Where a server has had no core for longer, a run shows the machine. */
const CORE = 0.1;

/** What a row with a shedder has missed, in words. */
export function missesOf(row: LoadRow | PauseRow): readonly string[] {
  if (!hasShedder(row.server)) return [];
  return row.kind === 'load' ? loadMisses(row) : pauseMisses(row);
}

function loadMisses({ load, critical, first, later, normal, sheddable, ofRest, calmAfter, noCore }: LoadRow): string[] {
  const isCalm = load < 1;
  const isExtreme = load > 4;
  // At 12 times the capacity most of a core refuses: the bar holds where the server had one.
  const least = isExtreme ? (noCore <= CORE ? 0.95 : 0) : 0.99;
  const bars: [boolean, string][] = [
    [isCalm ? critical >= 0.995 : first >= Math.min(0.95, least) && later >= least, 'critical'],
    [!isCalm || load > 0.85 || Math.min(normal, sheddable) >= 0.995, 'normal or sheddable'],
    [!isCalm || sheddable >= 0.97, 'sheddable'],
    [isCalm || isExtreme || ofRest >= 0.9, 'all'],
    [calmAfter !== undefined && calmAfter <= 500, 'level'],
  ];
  return bars.flatMap(([isMet, name]) => (isMet ? [] : [name]));
}

function pauseMisses({ load, came, refused, calmAfter }: PauseRow): string[] {
  const { critical, normal, sheddable } = refused;
  const most = load <= 0.2 ? 0.02 : 0.05;
  const bars: [boolean, string][] = [
    [load > 0.4 || critical + normal + sheddable <= most * came, 'refused'],
    [load <= 0.4 || critical + normal === 0, 'normal'],
    [calmAfter !== undefined, 'level'],
  ];
  return bars.flatMap(([isMet, name]) => (isMet ? [] : [name]));
}
