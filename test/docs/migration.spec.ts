import { GATE_OPTIONS, INHERITED_OPTIONS, peerOption } from '@sluice/http/adapter';
import { TIER_ROWS } from '../../packages/core/src/limiter/tiers/tier-rows.js';
import { page, sectionOf } from './pages.js';

const GUIDES = [
  'express-rate-limit',
  'fastify-rate-limit',
  'hono-rate-limiter',
  'nestjs-throttler',
  'rate-limiter-flexible',
];

/** Options of adapters, and an option that algorithms have. */
const OURS = [
  ...INHERITED_OPTIONS,
  ...GATE_OPTIONS,
  ...Object.keys(TIER_ROWS),
  'limit',
  'window',
  'tiers',
  'algorithm',
  'limiter',
];
/** Parts of an application that are not options of a limit: functions, methods and decisions. */
const NO_OPTIONS = ['global', 'hook', 'forRootAsync', 'useFactory', 'useClass', 'useExisting', 'inject', 'imports'];
const RESULTS = ['isAllowed', 'isExceeded', 'remaining'];
const OVERRIDES = ['shouldSkip', 'getErrorMessage', 'throwThrottlingException', 'rejectIfRedisNotReady'];

describe.each(GUIDES)('The guide to migrate from %s', (peer) => {
  it('replaces only options that the message of a limiter replaces too', () => {
    const replaced = optionsIn(sectionOf(page(`docs/guide/migrate-from-${peer}.md`).text, 'Option by option'));

    expect(replaced.length).toBeGreaterThan(5);
    expect(replaced.filter((name) => peerOption(name, OURS) === undefined)).toEqual([]);
  });
});

/** The options in the first column of a table, without those that have no replacement or the same name here. */
function optionsIn(section: string): readonly string[] {
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const names = rows
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, , ours = '']) => !ours.startsWith('none'))
    .flatMap(([, theirs = '']) => [...theirs.matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name!));
  const others = [...OURS, ...NO_OPTIONS, ...RESULTS, ...OVERRIDES];
  return names.filter((name) => !others.includes(name));
}
