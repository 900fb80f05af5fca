import { claim } from '../../../testing/internal/claim.js';
import type { FixedWindowPolicy } from '../../../algorithms/fixed-window/fixed-window.js';
import { definePolicy } from '../../../algorithms/policy-options.js';
import { UniformGroups } from './uniform-groups.js';

const NOW = 1.7e15;

/** Groups of two tiers, with policies that no check has used yet. */
function scene() {
  const policies = [60, 1].map((seconds) =>
    definePolicy({ algorithm: 'fixed-window', limit: 1, window: `${seconds}s` }),
  ) as FixedWindowPolicy[];
  const group = () => policies.map((policy) => claim({ policy }));
  const ask = (groups: number) =>
    UniformGroups.of(Array.from({ length: groups }, () => ({ group: group(), isPeek: false })))!;
  /** What a key of the second tier keeps that is full. */
  const full = (() => {
    const { grain, reach } = policies[1]!;
    return (Math.ceil((NOW + reach) / grain) % 2 ** 21) * 2 ** 32 + 1;
  })();
  return { ask, full };
}

/** Whether the script charges all groups at once. */
function isChargedAtOnce(request: UniformGroups): boolean {
  return Number(request.args[0]) < 0;
}

/** Answers that nothing was found, but for the last key. */
function answer(request: UniformGroups, last = 0): void {
  request.decode([NOW, ...request.keys.slice(1).map(() => 0), last]);
}

describe('equal groups of a call', () => {
  it.each([1, 32])('are charged at once: %i', (groups) => {
    const { ask } = scene();

    expect(isChargedAtOnce(ask(groups))).toBe(true);
  });

  it('are read before they are charged after a denial, until there was room again', () => {
    const { ask, full } = scene();

    answer(ask(4), full);
    const afterDenial = ask(4);
    answer(afterDenial);
    const afterRoom = ask(4);

    expect([afterDenial, afterRoom].map(isChargedAtOnce)).toEqual([false, true]);
  });

  it('are read before they are charged after one that had to be described', () => {
    const { ask } = scene();
    const described = ask(4);

    described.decode([NOW, 'SLUICE_UNREADABLE', ...Array.from({ length: 3 * 2 * 4 }, () => 0)]);

    expect(isChargedAtOnce(ask(4))).toBe(false);
  });

  it('are charged at once where those of other policies were denied', () => {
    const { ask, full } = scene();

    answer(ask(4), full);

    expect(isChargedAtOnce(scene().ask(4))).toBe(true);
  });
});
