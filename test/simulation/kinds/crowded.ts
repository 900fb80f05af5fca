import type { Kind } from './kind.js';

/** How many requests come together, at most. */
const MOST = 4;

/** The same fleets, whose requests come in crowds: one turn of the loop has several, which one call of Redis decides. @param likely its faults */
export function crowded(kind: Kind, name: string, likely: readonly string[] = []): Kind {
  return {
    ...kind,
    name,
    likely,
    begin(fleet, requests, faults) {
      const scene = kind.begin(fleet, requests, faults);
      const { random } = fleet.world;
      return {
        ...scene,
        act(member) {
          for (let left = random.integer(1, MOST); left > 0; left -= 1) scene.act(member);
        },
      };
    },
  };
}
