import type { Policy } from '@sluice/core';
import { coveredBy, showTime } from '@sluice/metrics/operations';

const PER: Readonly<Record<string, string>> = { '1.0 s': 'second', '1m': 'minute', '1h': 'hour', '1d': 'day' };

/** A policy in words: `600 a minute, sliding window`. */
export function policyText(policy: Policy, byRequest: boolean): string {
  const { algorithm, limit, window, windows, capacity, calendar } = policy;
  const covers = coveredBy(policy);
  const name = algorithm.name.replaceAll('-', ' ');
  if (windows) return `${windows.map((each) => rateText(each.limit, each.window)).join(' and ')}, ${name}`;
  if (algorithm.endsWithRequest) {
    const most = byRequest ? 'a limit by request at a time' : `${grouped(limit)} at a time`;
    return 'caller' in policy ? `${most}, shared by callers` : most;
  }
  if (algorithm.neverRefills)
    return covers === undefined ? 'a balance' : `a balance, in the place of ${covers.join(', ')}`;
  if (calendar !== undefined)
    return `${byRequest ? 'a limit by request' : grouped(limit)} a ${calendar.period} of the calendar`;
  if (byRequest) return `a limit by request ${perText(window)}, ${name}`;
  const burst = capacity === limit ? '' : `, ${capacity} together`;
  return `${rateText(limit, window)}${algorithm.refill === 'evenly' ? burst : ''}, ${name}`;
}

function rateText(limit: number, window: number): string {
  return `${grouped(limit)} ${perText(window)}`;
}

function perText(window: number): string {
  const span = showTime(window / 1e3);
  const unit = PER[span];
  return unit === undefined ? `in ${span}` : unit === 'hour' ? 'an hour' : `a ${unit}`;
}

/** With a space between thousands. */
export function grouped(limit: number): string {
  return String(limit).replace(/\B(?=(\d{3})+$)/g, ' ');
}
