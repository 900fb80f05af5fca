import {
  coveredBy,
  type BucketTerms,
  type Inspection,
  type MarkTerms,
  type Override,
  type SlotWindowTerms,
  type WaitingTerms,
} from '@sluice/core/internal';
import { showTime } from './show-time.js';
import { showMoment } from './show-moment.js';

/** Which limit decides, and the stored state in the words of its algorithm, a line for each window. */
export function termsLines(inspection: Inspection): readonly string[] {
  const { override, readAt, waiting } = inspection;
  return [
    ...(override === undefined ? [] : [overrideLine(override, readAt)]),
    ...stateLines(inspection),
    ...(waiting === undefined ? [] : [waitingLine(waiting, readAt)]),
  ];
}

/** How long a line of denied requests is: `line: 31 units wait, and it ends in 31 s, at 14:03:09.000 UTC`. */
export function waitingLine({ units, endsAt }: WaitingTerms, readAt: number): string {
  const wait = units === 1 ? '1 unit waits' : `${units} units wait`;
  return `line: ${wait}, and it ends in ${showTime(Math.max(0, endsAt - readAt))}, at ${showMoment(endsAt, readAt)}`;
}

function overrideLine({ limit, until, reason }: Override, readAt: number): string {
  const words =
    limit === null ? 'the tier does not apply' : limit === 0 ? 'limit 0: no request fits' : `limit ${limit}`;
  const end = until === undefined ? 'until it is removed' : `until ${showMoment(until, readAt)}`;
  return `override, ${end}: ${words} (${reason})`;
}

function stateLines({ terms, policy, readAt, outcome, override }: Inspection): readonly string[] {
  const window = showTime(policy.window / 1e3);
  switch (terms?.form) {
    case undefined:
      if (override !== undefined && outcome.limit === 0) return [];
      return [outcome.limit === 0 ? 'limit 0: no request fits' : 'the store shows no states'];
    case 'window': {
      const { units, endsAt, notices } = terms;
      const end = endsAt === undefined ? '' : `, it ends at ${showMoment(endsAt, readAt)}`;
      const name = policy.calendar === undefined ? 'fixed window' : `calendar ${policy.calendar.period}`;
      return [`${name}: ${units} units${end}`, ...(notices === undefined ? [] : [noticesLine(notices)])];
    }
    case 'log': {
      const { units, oldestLeavesAt } = terms;
      const leaves = oldestLeavesAt === undefined ? '' : `, the oldest leaves in ${showTime(oldestLeavesAt - readAt)}`;
      return [`log: ${units} units in the last ${window}${leaves}`];
    }
    case 'slots':
      return terms.windows.map((each) => slotsLine(each, terms.windows.length > 1));
    case 'bucket':
      return [bucketLine(terms)];
    case 'strikes': {
      const { strikes, blockedUntil, forgottenAt } = terms;
      const blocked = blockedUntil === undefined ? '' : `, blocked for ${showTime(blockedUntil - readAt)}`;
      const forgotten = forgottenAt === undefined ? '' : `, forgotten in ${showTime(forgottenAt - readAt)}`;
      return [`backoff: ${strikes} strikes${blocked}${forgotten}`];
    }
    case 'pause':
      return [terms.until === undefined ? 'not paused' : `paused for ${showTime(terms.until - readAt)}`];
    case 'balance': {
      const covers = coveredBy(policy);
      return [`balance: ${terms.left} units left${covers ? `, to pay for ${covers.join(', ')}` : ''}`];
    }
    case 'permits': {
      const { units, firstLapsesAt, callers } = terms;
      const holders = callers === undefined || callers.length === 0 ? '' : ` by callers with ${callers.join(', ')}`;
      const lapses = firstLapsesAt === undefined ? '' : `, the first lapses in ${showTime(firstLapsesAt - readAt)}`;
      return [`permits: ${units} held${holders}${lapses}`];
    }
  }
}

function noticesLine(notices: readonly MarkTerms[]): string {
  const marks = notices.map(
    ({ mark, isReported }) => `${Number((mark * 100).toPrecision(4))} % ${isReported ? 'given' : 'to come'}`,
  );
  return `notices: ${marks.join(', ')}`;
}

function slotsLine(
  { window, slots, oldest, share, newer, limit, retryAfter }: SlotWindowTerms,
  isOne: boolean,
): string {
  const span = showTime(window);
  const part = `× ${share.toFixed(2)}`;
  const sum =
    slots === 1
      ? `${oldest} of the ${span} before ${part} + ${newer} of this one`
      : `${oldest} in the oldest of ${slots + 1} slots ${part} + ${newer} in the others`;
  if (!isOne) return `sliding window: ${sum}`;
  const wait = retryAfter === Infinity ? 'never fits' : `fits in ${showTime(retryAfter)}`;
  return `${limit} in ${span}: ${sum}; ${retryAfter === 0 ? 'fits' : wait}`;
}

function bucketLine({ tokens, capacity, interval, queued }: BucketTerms): string {
  // Rounded down: 0.96 of a token admits no request.
  const shown = (Math.floor(tokens * 10) / 10).toFixed(1).replace(/\.0$/, '');
  const rest = `${shown} of ${capacity}`;
  const pace = interval < 1e3 ? `${Number(interval.toPrecision(3))} ms` : showTime(interval);
  return queued ? `queue: ${rest} places free, a turn each ${pace}` : `bucket: ${rest} tokens, one each ${pace}`;
}
