import { keyKinds, KeyTable } from '@sluice/metrics/operations';
import { lineKeys } from '@sluice/overload/internal';
import { newUser, type Law } from './law.js';
import { World } from './world.js';

const table = new KeyTable([...keyKinds, ...lineKeys], ['rl']);

/** A tool names the owner of each key, and only what a customer has paid for may stay without an end. */
export const keysAreKnown: Law = {
  name: 'keys-are-known',
  says: 'leaves keys of one kind each, of the type of its kind, which expire unless their kind may stay',
  isAbout: (_kind, place) => place !== 'memory',
  async check(kind, place, history) {
    // Those that other laws have left, of which some are spoiled.
    await place.newKeys!();
    const world = new World(kind, place.newStore(), { user: newUser() });
    for (const step of history) {
      if (step.kind === 'ask') await world.ask(step.cost, step.limit, step.blocked);
    }
    const keys = await place.newKeys!();
    expect(keys.length).toBeGreaterThan(0);
    for (const { key, type, expires } of keys) {
      const found = table.findAll(key);
      expect({ key, kinds: found.map(({ kind: { name } }) => name) }).toEqual({ key, kinds: [expect.any(String)] });
      const [{ kind: own }] = found as [(typeof found)[number]];
      expect({ key, type, mayStay: expires || own.stays === true }).toEqual({ key, type: own.type, mayStay: true });
    }
  },
};
