import { rateLimit, type Denied, type RateLimitOptions } from '@sluice/express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { limitFields } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener, type Answer, type Question } from './site.js';

describe.each(versions)('A denial on %s', (_version, express) => {
  const open = siteOpener();

  /** The answer to the second request, of which one is allowed; and what the error handler was given. */
  const denial = async (options: Partial<RateLimitOptions>, question: Question = {}) => {
    const errors: unknown[] = [];
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.status(500).send('failed');
    };
    const app = served(express, rateLimit({ limit: 1, window: '1h', ...options } as RateLimitOptions));
    const site = await open(app.use(onError));
    const [, answer] = await site.askEach([question, question]);
    return { answer: answer!, errors };
  };

  describe('has a body', () => {
    it.each<[accept: string | undefined, type: string]>([
      [undefined, 'application/problem+json'],
      ['*/*', 'application/problem+json'],
      ['application/json', 'application/json'],
      ['application/problem+json, text/plain;q=0.5', 'application/problem+json'],
      ['text/plain', 'text/plain'],
      ['text/*', 'text/plain'],
      ['text/html, application/xhtml+xml, */*;q=0.8', 'application/problem+json'],
      ['image/png', 'application/problem+json'],
      ['nonsense', 'application/problem+json'],
    ])('for clients that accept %p of type %s', async (accept, type) => {
      const { answer } = await denial({}, accept === undefined ? {} : { headers: { Accept: accept } });

      expect(answer.status).toBe(429);
      expect(answer.headers['content-type']!.split(';')[0]).toBe(type);
      expect(answer.text).toContain('Too many requests. Retry in');
      expect(answer.text.startsWith('{')).toBe(type.endsWith('json'));
    });

    it.each<[string, RateLimitOptions['body'], type: string, text: string]>([
      ['a text', 'Slow down', 'text/plain', 'Slow down'],
      ['an empty text', '', 'text/plain', ''],
      ['an object', { error: 'slow down' }, 'application/json', '{"error":"slow down"}'],
      ['null that a function makes', () => null, 'application/json', 'null'],
      ['what a function makes', ({ problem }: Denied<Request>) => problem.status, 'application/json', '429'],
      [
        'what an async function makes',
        async ({ decision }: Denied<Request>) => decision.reason,
        'text/plain',
        'denied',
      ],
      [
        'a problem of its own',
        ({ problem, request }: Denied<Request>) => ({ ...problem, instance: request.path }),
        'application/problem+json',
        '"instance":"/"',
      ],
    ])('of the application: %s', async (_kind, body, type, text) => {
      const { answer } = await denial({ body: body! });

      expect(answer.status).toBe(429);
      expect(answer.headers['content-type']).toContain(type);
      expect(answer.text).toContain(text);
      expect(limitFields(answer)).toHaveProperty('retry-after');
    });
  });

  describe('that onDenied answers', () => {
    const answered = async (onDenied: RequestHandler) => denial({ onDenied });
    const teapot = ({ status, text }: Answer) => [status, text];

    it('has status and headers before it is asked', async () => {
      const { answer } = await answered((_request, response) => void response.send(`was ${response.statusCode}`));

      expect(teapot(answer)).toEqual([429, 'was 429']);
      expect(Object.keys(limitFields(answer))).toHaveLength(4);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('has what it sends', async () => {
      const { answer } = await answered((_request, response) => void response.status(418).send('teapot'));

      expect(teapot(answer)).toEqual([418, 'teapot']);
    });

    it('has what it sends later', async () => {
      const { answer } = await answered(async (_request, response) => {
        await new Promise(setImmediate);
        response.status(418).send('teapot');
      });

      expect(teapot(answer)).toEqual([418, 'teapot']);
    });

    it('goes on when it calls next', async () => {
      const { answer } = await answered((_request, response, next) => {
        response.status(200);
        next();
      });

      expect(teapot(answer)).toEqual([200, 'served']);
    });

    const mine = new Error('mine');
    it.each<[string, RequestHandler]>([
      ['passes on', (_request, _response, next) => next(mine)],
      [
        'throws',
        () => {
          throw mine;
        },
      ],
      ['rejects with', () => Promise.reject(mine)],
      [
        'rejects later with',
        async () => {
          await new Promise(setImmediate);
          throw mine;
        },
      ],
    ])('ends at the error handler, once, with an error that it %s', async (_way, onDenied) => {
      const { answer, errors } = await answered(onDenied);

      expect(teapot(answer)).toEqual([500, 'failed']);
      expect(errors).toEqual([mine]);
    });
  });
});
