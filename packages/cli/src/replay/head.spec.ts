import { headText } from './head.js';
import type { Report } from './report.js';

const REPORT = { key: 'ip', from: 0, to: 60_000, formats: ['combined'], only: [], withoutFiles: false };

describe('headText', () => {
  it.each([
    [{ requests: 1, clients: 1 }, /^1 request of 1 address, /],
    [{ requests: 5, clients: 2 }, /^5 requests of 2 addresses, /],
    [{ requests: 5, clients: 1, key: 'user' }, /^5 requests of 1 client by user, /],
    [{ requests: 5, clients: 2, key: 'user' }, /^5 requests of 2 clients by user, /],
    [{ requests: 5, logged: 12, clients: 2, only: ['POST /login'] }, /^5 of 12 requests POST \/login of 2 addresses, /],
    [{ requests: 5, logged: 12, clients: 2, withoutFiles: true }, /^5 of 12 requests without files of 2 addresses, /],
  ])('counts %j in words', (counts, text) => {
    expect(headText({ ...REPORT, logged: counts.requests, ...counts } as unknown as Report)).toMatch(text);
  });
});
