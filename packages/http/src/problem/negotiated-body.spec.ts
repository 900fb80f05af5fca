import { ownBody, problemBody } from './negotiated-body.js';
import type { Problem } from './problem.js';

const problem: Problem = {
  type: 'https://example.com/problem',
  title: 'Too much',
  status: 429,
  detail: 'Retry in 5 seconds.',
};
const text = 'Too much. Retry in 5 seconds.\n';

describe('problemBody', () => {
  it.each<[accept: string | undefined, contentType: string]>([
    [undefined, 'application/problem+json'],
    ['*/*', 'application/problem+json'],
    ['*/*;q=0.1', 'application/problem+json'],
    ['application/*', 'application/problem+json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', 'application/problem+json'],
    ['application/json;q=0.5, application/problem+json', 'application/problem+json'],
    ['image/png', 'application/problem+json'],
    [';;;,,=q', 'application/problem+json'],
    ['', 'application/problem+json'],
    [`text/plain${' '.repeat(512)}`, 'application/problem+json'],
    ['application/json', 'application/json'],
    ['text/plain, application/json;q=0.9', 'application/json'],
    ['application/problem+json;q=0, application/json', 'application/json'],
    ['text/plain', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/html, text/plain;q=0.5', 'text/plain'],
  ])('C26 answers Accept %p with %s', (accept, contentType) => {
    const expected = { contentType, text: contentType === 'text/plain' ? text : JSON.stringify(problem) };

    expect(problemBody(problem, accept)).toEqual(expected);
  });
});

describe('ownBody', () => {
  it.each<[unknown, string, string]>([
    ['Slow down', 'text/plain', 'Slow down'],
    ['', 'text/plain', ''],
    [Buffer.from('Plus lentement, été'), 'text/plain', 'Plus lentement, été'],
    [undefined, 'text/plain', ''],
    [{ error: 'slow down' }, 'application/json', '{"error":"slow down"}'],
    [['slow', 'down'], 'application/json', '["slow","down"]'],
    [null, 'application/json', 'null'],
    [429, 'application/json', '429'],
    [{ type: 'about:blank' }, 'application/json', '{"type":"about:blank"}'],
    [{ type: 'about:blank', status: 429 }, 'application/problem+json', '{"type":"about:blank","status":429}'],
  ])('sends %j as %s', (value, contentType, body) => {
    expect(ownBody(value)).toEqual({ contentType, text: body });
  });

  it('rejects with UsageError and its cause for a value that JSON cannot hold', async () => {
    await expect(ownBody({ units: 5n })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'FUNCTION_FAILED',
      cause: expect.any(TypeError),
    });
  });
});
