import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Limiter } from '../../../core/src/limiter/limiter.js';
import { nodeResponse } from '../../../../test/support/node-response.js';
import type { HeaderFormat } from '../headers/header-formats.js';
import type { HttpRequest } from '../request/request.js';
import { decide, Visit, type DecidedVisit } from './visit.js';
import { formatsOf, reportedFirst, reportedOf, visitsUntil, waitOf } from './visits.js';

const response = nodeResponse();
const free = createLimiter<HttpRequest>({ key: () => 'ada', limit: 1_000, window: '1m' });

describe('visitsUntil', () => {
  it('returns visits in order, and keeps those apart that headers report', async () => {
    const request = {};
    const silent = await pass(request, []);
    const reported = await pass(request, ['x-ratelimit']);

    const all = visitsUntil(reported);

    expect(all).toEqual([silent, reported]);
    expect([reportedOf(all), reportedFirst(reported)]).toEqual([[reported], [reported, silent]]);
  });
});

describe('waitOf', () => {
  it('is the wait of a rate, although the hint of a permit is longer', async () => {
    const request = {};
    const rate = createLimiter({ key: () => 'ada', algorithm: 'fixed-window', limit: 1, window: '1s' });
    const permits = createLimiter({ key: () => 'ada', algorithm: 'concurrency', limit: 1, retry: '30s' });

    const waits: number[] = [];
    for (const limiter of [free, permits, rate]) {
      if (limiter !== free) await limiter.consume({});
      waits.push(waitOf(await pass(request, [], limiter)));
    }

    expect(waits.slice(0, 2)).toEqual([0, 30_000]);
    expect(waits[2]).toBeGreaterThan(0);
    expect(waits[2]).toBeLessThanOrEqual(1_010);
  });
});

describe('formatsOf', () => {
  it.each<[HeaderFormat[][], HeaderFormat[]]>([
    [
      [['x-ratelimit', 'draft-11'], ['x-ratelimit']],
      ['x-ratelimit', 'draft-11'],
    ],
    [
      [['draft-7'], ['draft-11', 'x-ratelimit']],
      ['draft-7', 'x-ratelimit'],
    ],
  ])('joins the formats %j of gates, with the first draft only', async (gates, formats) => {
    const request = {};
    const visits: DecidedVisit[] = [];

    for (const each of gates) visits.push(await pass(request, each));

    expect(formatsOf(visits)).toEqual(formats);
  });
});

/** A request passes a gate with these formats. */
async function pass(request: HttpRequest, formats: readonly HeaderFormat[], limiter: Limiter<HttpRequest> = free) {
  return decide(new Visit({ limiter, formats }, request, response), await limiter.consume(request));
}
