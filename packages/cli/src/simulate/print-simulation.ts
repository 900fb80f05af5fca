import { countOf, countText, shareText, windowText } from '../terminal/figures.js';
import type { Terminal } from '../terminal/terminal.js';
import { showTime } from '@sluice/metrics/operations';
import type { LimitsReport, SimulationReport } from './simulation-report.js';

/** Prints a simulation for people. */
export function printSimulation(
  { load, seed, duration, requests, clients, limits, against }: SimulationReport,
  terminal: Terminal,
): void {
  terminal.print(
    `${countOf(requests, 'request')} of ${countOf(clients, 'client')} in ${showTime(duration)}: ${load}, seed ${seed}`,
  );
  terminal.print('');
  const right = (title: string) => ({ title, align: 'right' as const });
  const whole = (name: string, each: LimitsReport) => [
    name,
    countText(each.admitted),
    countText(each.denied),
    shareText(each.denied / requests),
    each.longestWait === undefined ? '–' : waitText(each.longestWait),
    each.longestDelay === 0 ? '–' : showTime(each.longestDelay),
  ];
  const both = [['limits', limits] as const, ...(against === undefined ? [] : [['against', against] as const])];
  terminal.printTable(
    [{ title: '' }, ...['admitted', 'denied', 'share', 'longest wait', 'longest delay'].map(right)],
    both.map(([name, each]) => whole(name, each)),
  );
  terminal.print('');
  terminal.printTable(
    [{ title: 'tier' }, ...['limit', 'denied', 'most in a window', 'gets at the pace of the limit'].map(right)],
    both.flatMap(([name, { tiers }]) =>
      tiers.map((tier) => [
        against === undefined ? tier.name : `${name}: ${tier.name}`,
        tier.limit === undefined ? 'by request' : countText(tier.limit),
        countText(tier.denied),
        `${countText(tier.worstWindow)} in ${windowText(tier.window)}`,
        tier.paced === undefined ? '–' : shareText(tier.paced),
      ]),
    ),
  );
}

/** A request that costs more than a tier holds waits for ever. */
function waitText(milliseconds: number): string {
  return milliseconds === Infinity ? 'for ever' : showTime(milliseconds);
}
