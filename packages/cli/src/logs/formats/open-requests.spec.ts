import { OpenRequests, type OpenRequest } from './open-requests.js';

const requestOf = (time: number) => ({ time, answer: () => undefined }) as unknown as OpenRequest;

describe('OpenRequests', () => {
  it('returns the oldest request where too many wait for an answer, and each request once', () => {
    const open = new OpenRequests();
    const returned: unknown[] = [];
    for (let time = 0; time < 16_384 + 3; time += 1) returned.push(open.add(`req-${time}`, requestOf(time)));

    expect(returned.filter(Boolean)).toMatchObject([{ time: 0 }, { time: 1 }, { time: 2 }]);
    expect(open.close('req-0', {})).toBeUndefined();
    expect(open.close('req-3', {})).toMatchObject({ time: 3 });
    expect(open.rest()).toHaveLength(16_383);
  });

  it('returns a request whose id comes again, as after a restart', () => {
    const open = new OpenRequests();
    open.add('req-1', requestOf(1));

    expect(open.add('req-1', requestOf(2))).toMatchObject({ time: 1 });
    expect(open.close('req-1', {})).toMatchObject({ time: 2 });
    expect(open.rest()).toEqual([]);
  });
});
