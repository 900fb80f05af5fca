import { definePolicy, type PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import type { Claim } from '../../../core/src/model/claim.js';
import { ofFunctions } from '../../../core/src/model/policy.js';
import { claim } from '../../../../test/support/claim.js';
import { balance } from '../../../quotas/src/index.js';
import { SamePolicyChecks } from './same-policy-checks.js';

const NOW = 1.7e15;
const fixed = (limit: number) => definePolicy({ algorithm: 'fixed-window', limit, window: '1m' });
const checksOf = (...groups: Claim[][]) => groups.map((group) => ({ group, isPeek: false }));

const permitPolicy = definePolicy({ algorithm: 'concurrency', limit: 5 });

describe('SamePolicyChecks', () => {
  it('sends a repeated key of one policy once, with its units', () => {
    const [one, other] = [claim(), claim()];

    const request = SamePolicyChecks.of(checksOf([one], [other], [one]))!;

    expect([request.keys, request.args]).toEqual([
      [one.key, other.key],
      [2, 1],
    ]);
    expect(SamePolicyChecks.of(checksOf([one], [other]))!.args).toEqual([]);
  });

  it('refuses a reply with more numbers than its keys have', () => {
    const request = SamePolicyChecks.of(checksOf([claim()]))!;

    expect(() => request.decode([NOW, 0, 0])).toThrow('the reply has 3 items, and 2 belong to it');
    expect(request.decode([NOW, 0]).rulings).toHaveLength(1);
  });

  it('sends the keys of groups one after the other, and the names of their permits', () => {
    const [minute, shared] = [fixed(5), claim({ tier: 'shared' })];
    const groups = ['a', 'b'].map((permit) => [
      claim({ policy: minute }),
      shared,
      claim({ policy: permitPolicy, name: permit, tier: 'running' }),
    ]);

    const request = SamePolicyChecks.of(checksOf(...groups))!;

    expect(request.keys).toEqual(groups.flat().map(({ key }) => key));
    expect(request.args).toEqual(['a', 'b']);
  });

  const one = claim();
  const leaky = definePolicy({ algorithm: 'leaky-bucket', limit: 5, window: '1m', queue: 4 });
  const pair = () => [claim({ tier: 'hour' }), claim({ tier: 'day' })] as const;
  it.each<[string, Claim[][]]>([
    ['a cost of 0', [[claim({ cost: 0 })]]],
    ['a cost that never fits', [[claim({ cost: 2, policy: fixed(1) })]]],
    ['a claim that charges denied requests', [[claim({ charge: 'all' })]]],
    ['a recorded text', [[claim({ record: 'a note' })]]],
    ['a shadow tier beside another', [[pair()[0], { ...pair()[1], shadow: true }]]],
    ['groups of several sizes', [[...pair()], [one]]],
    ['several policies', [[claim({ policy: fixed(5) })], [claim({ policy: fixed(6) })]]],
    ['an algorithm without an emitter', [[claim({ policy: leaky })]]],
    ['one key twice in a group', [[one, one]]],
    ['two tiers of permits', [['a', 'b'].map((tier) => claim({ tier, policy: permitPolicy, name: 'p' }))]],
    ['13 tiers', [Array.from({ length: 13 }, (_, index) => claim({ tier: `tier ${index}` }))]],
  ])('leaves %s to other forms', (_what, groups) => {
    expect(SamePolicyChecks.of(checksOf(...groups))).toBeUndefined();
  });

  it('leaves a peek to other forms', () => {
    expect(SamePolicyChecks.of([{ group: [one], isPeek: true }])).toBeUndefined();
  });

  it('has one script for requests of any costs, each of which has its own', () => {
    const group = (hour: number, permits = 1) => [
      claim({ tier: 'hour', cost: hour }),
      claim({ tier: 'running', policy: permitPolicy, name: 'p', cost: permits }),
    ];

    const requests = [[group(2)], [group(1), group(5, 3)]].map((groups) => SamePolicyChecks.of(checksOf(...groups))!);

    expect(requests.map(({ args }) => args)).toEqual([
      [2, 1, 'p'],
      [1, 1, 5, 3, 'p', 'p'],
    ]);
    expect(requests[0]!.script).toBe(requests[1]!.script);
    expect(requests[0]!.script).not.toBe(SamePolicyChecks.of(checksOf(group(1)))!.script);
  });

  const paying = (month: string) => [
    claim({ tier: month }),
    claim({ tier: 'credits', policy: definePolicy({ algorithm: balance({ covers: ['month'] }) }) }),
  ];

  it('makes a script for a balance beside the tier that it covers, and another one where it covers none', () => {
    const [covered, other] = ['month', 'year'].map((month) => SamePolicyChecks.of(checksOf(paying(month)))!.script);

    expect(covered!.source).toContain('local covered = { -1, 1 }');
    expect(other).not.toBe(covered);
  });

  it('leaves groups to other forms whose balances cover other tiers than those of the first', () => {
    expect(SamePolicyChecks.of(checksOf(paying('month'), paying('year')))).toBeUndefined();
  });

  it('makes one script for policies of equal numbers', () => {
    const scripts = [1, 2].map(() => SamePolicyChecks.of(checksOf([claim({ policy: fixed(321) })]))!.script);

    expect(scripts[0]).toBe(scripts[1]);
  });

  it('makes scripts for 16 limits that functions have returned', () => {
    const made = Array.from({ length: 20 }, (_, index) => {
      const policy = fixed(1_000 + index);
      ofFunctions.set(policy, true);
      return SamePolicyChecks.of(checksOf([claim({ policy })])) !== undefined;
    });

    expect(made).toEqual(Array.from({ length: 20 }, (_, index) => index < 16));
  });

  it('decides groups that are left over by the states that are told behind those of the others', () => {
    const policies: PolicyOptions[] = [60, 1].map((seconds) => ({
      algorithm: 'fixed-window',
      limit: 9,
      window: `${seconds}s`,
    }));
    const defined = policies.map((policy) => definePolicy(policy));
    const group = () => defined.map((policy, place) => claim({ policy, tier: String(place) }));
    const request = SamePolicyChecks.of(checksOf(group(), group(), group()))!;
    // Five of nine units, in windows that end in a second.
    const told = [8, 5, NOW + 1e6];

    const { rulings } = request.decode([NOW, 0, 0, -1, ...told, ...told, 'SLUICE_UNREADABLE', 0]);

    const left = (each: (typeof rulings)[number]) =>
      typeof each === 'string' ? each : each.map(({ remaining, charged }) => [remaining, charged]);
    expect(rulings.map(left)).toEqual([
      [
        [8, 1],
        [8, 1],
      ],
      [
        [3, 1],
        [3, 1],
      ],
      'SLUICE_UNREADABLE',
    ]);
  });

  it('decides units that are left over by the states that are told behind those of the others', () => {
    const request = SamePolicyChecks.of(checksOf([one], [one], [claim()], [one]))!;

    const { rulings } = request.decode([NOW, 0, -1, 8, 5, NOW + 1e6]);

    expect(rulings.map((each) => typeof each === 'object' && each[0]!.remaining)).toEqual([9, 8, 4, 7]);
  });

  it.each([
    ['too few numbers', [NOW]],
    ['too many numbers', [NOW, 0, 0]],
    ['no time', [0, 0]],
    ['half a state', [NOW, -1, 8, 4]],
  ])('throws for a reply with %s', (_what, reply) => {
    expect(() => SamePolicyChecks.of(checksOf([one]))!.decode(reply)).toThrow(TypeError);
  });
});
