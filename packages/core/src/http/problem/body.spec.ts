import { ownBody, problemBody } from './body.js';
import type { Problem } from './problem.js';

const problem: Problem = {
  type: 'https://example.com/problem',
  title: 'Too much',
  status: 429,
  detail: 'Retry in 5 seconds.',
  'violated-policies': ['minute'],
};

describe('problemBody', () => {
  it.each<[string, string | undefined]>([
    ['says nothing', undefined],
    ['accepts anything', '*/*'],
    ['accepts anything, somehow', '*/*;q=0.1'],
    ['accepts applications', 'application/*'],
    ['is a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'],
    ['prefers problem details', 'application/json;q=0.5, application/problem+json'],
    ['accepts nothing that there is', 'image/png'],
    ['accepts HTML alone', 'text/html'],
    ['says what is no type', ';;;,,=q'],
    ['says an empty text', ''],
  ])('C26 is problem details for a client that %s', (_what, accept) => {
    const { contentType, text } = problemBody({ problem, json: JSON.stringify(problem) }, accept);

    expect(contentType).toBe('application/problem+json');
    expect(JSON.parse(text)).toEqual(problem);
  });

  it('is the same text each time, as JSON writes it', () => {
    const texts = [1, 2].map(() => problemBody({ problem, json: JSON.stringify(problem) }, undefined).text);

    expect(texts).toEqual([JSON.stringify(problem), JSON.stringify(problem)]);
  });

  it.each([
    'application/json',
    'text/plain, application/json;q=0.9',
    'text/plain;q=0.5, application/json',
    'application/problem+json;q=0, application/json',
  ])('is the same as JSON for %s', (accept) => {
    const { contentType, text } = problemBody({ problem, json: JSON.stringify(problem) }, accept);

    expect(contentType).toBe('application/json');
    expect(JSON.parse(text)).toEqual(problem);
  });

  it.each(['text/plain', 'text/*', 'text/html, text/plain;q=0.5'])('is text for %s', (accept) => {
    expect(problemBody({ problem, json: JSON.stringify(problem) }, accept)).toEqual({
      contentType: 'text/plain',
      text: 'Too much. Retry in 5 seconds.\n',
    });
  });
});

describe('ownBody', () => {
  it.each<[unknown, string, string]>([
    ['Slow down', 'text/plain', 'Slow down'],
    ['', 'text/plain', ''],
    [undefined, 'text/plain', ''],
    [{ error: 'slow down' }, 'application/json', '{"error":"slow down"}'],
    [['slow', 'down'], 'application/json', '["slow","down"]'],
    [null, 'application/json', 'null'],
    [429, 'application/json', '429'],
    [{ type: 'about:blank' }, 'application/json', '{"type":"about:blank"}'],
    [{ type: 'about:blank', status: 429 }, 'application/problem+json', '{"type":"about:blank","status":429}'],
  ])('is %j as %s', (value, contentType, text) => {
    expect(ownBody(value)).toEqual({ contentType, text });
  });
});
