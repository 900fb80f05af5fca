import { algorithms } from '../../../core/src/algorithms/named/algorithms.js';
import { balanceAlgorithm } from '../../../quotas/src/credits/balance.js';
import { keyKinds } from './key-kinds.js';
import { KeyTable } from './key-table.js';

const digest = 'h_tHdlBEhrTvc25VMm8vk-';
const other = digest.toUpperCase();
const table = new KeyTable(keyKinds, ['rl', 'rl:b', 'my*app']);

describe('KeyTable', () => {
  it.each([
    [`rl:{${digest}}:ip-minute:sws-g`, 'sliding-window', { tier: 'ip-minute', shape: 'sws-g', digest }],
    [`rl:{${digest}}:ip-minute:sws-g:notes`, 'recorded texts', { tier: 'ip-minute', shape: 'sws-g', digest }],
    [`rl:{${digest}}:month:used`, 'usage', { tier: 'month', digest }],
    [`rl:{${digest}}:month:fwabc:usage`, 'usage of version 0.2.0', { tier: 'month', shape: 'fwabc', digest }],
    [`rl:{${digest}}:credits:baabc`, 'balance', { tier: 'credits', digest, isPartitioned: false }],
    [`rl:{${digest}}:${other}:team:fwabc`, 'fixed-window', { tier: 'team', digest: other, isPartitioned: true }],
    [`rl:{${digest}}:GET /a:b:fwabc`, 'fixed-window', { tier: 'GET /a:b' }],
    [`rl:{${digest}}:usage:fwabc`, 'fixed-window', { tier: 'usage' }],
    [`rl:b:{${digest}}:team:fwabc`, 'fixed-window', { prefix: 'rl:b', tier: 'team' }],
    [`my*app:{${digest}}:team:fwabc`, 'fixed-window', { prefix: 'my*app', tier: 'team' }],
    [`rl:{${digest}}:probe`, 'probe', {}],
    ['rl:{probe}:probe', 'probe', {}],
    ['rl:{blocked}:list', 'list', { name: 'blocked' }],
    ['rl:{blocked}:list-log', 'changes of a list', { name: 'blocked' }],
    ['rl:{~usage}:lock', 'export lock', {}],
    ['rl:{~usage}:exports', 'exports', {}],
    ['rl:{~usage}:open', 'open usage', {}],
    ['rl:{~fleet}:watched', 'open page', {}],
    ['rl:{~fleet}:h_tHdlBE', 'summary of a process', {}],
  ])('finds one kind of %j', (key, kind, name) => {
    const found = table.findAll(key);

    expect(found.map((each) => each.kind.name)).toEqual([kind]);
    expect(found).toMatchObject([name]);
  });

  it.each([
    'rl:foo',
    'rl:{short}:team:fwabc',
    `rl:{${digest}}:fwabc`,
    // No algorithm has this code.
    `rl:{${digest}}:team:xxabc`,
    `other:{${digest}}:team:fwabc`,
    `rl-b:{${digest}}:team:fwabc`,
    'rl:{~fleet}:foo',
  ])('finds nothing of %j, which Sluice does not write', (key) => {
    expect(table.find(key)).toBeUndefined();
  });

  it('has a kind for the states of each algorithm, by its code and its name', () => {
    const states = keyKinds.flatMap(({ name, code }) => (code === undefined ? [] : [`${code} ${name}`]));

    expect(states.toSorted()).toEqual(
      [...algorithms(), balanceAlgorithm].map(({ code, name }) => `${code} ${name}`).toSorted(),
    );
  });
});
