import { rateLimit, type Decision } from '@sluice/express';
import express, { type RequestHandler } from 'express';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const minute = { limit: 10, window: '1m' } as const;

describe('The middleware of rateLimit', () => {
  it('types the decision in `req.rateLimit` and in `res.locals.rateLimit`', () => {
    const handler: RequestHandler = (request, response) => {
      const decision: Decision | undefined = request.rateLimit;
      const local: Decision | undefined = response.locals.rateLimit;
      // @ts-expect-error the decision can be undefined
      const remaining: number = request.rateLimit.outcomes.length;
      // @ts-expect-error a decision has no such field
      const used: unknown = request.rateLimit?.used;
      response.json([decision?.allowed, local?.source, remaining, used]);
    };

    expect(handler).toHaveLength(2);
  });

  it('has a limiter, and returns its own decision', async () => {
    const gate = rateLimit(minute);
    const settle: RequestHandler = async (request) => {
      const decision: Decision | undefined = gate.decision(request);
      if (decision) await gate.limiter.settle(decision, 5);
    };

    await gate.limiter.reset({ ip: '192.0.2.1' });

    expect(settle).toHaveLength(1);
  });

  it('is accepted by apps, routers and routes, and keeps the types of their parameters', () => {
    const app = express();
    const router = express.Router();
    const gate = rateLimit(minute);

    app.use(gate);
    app.use('/api', gate, router);
    app.use([gate, gate]);
    router.use(gate);
    router.all('/any', gate);
    router.route('/report').get(gate, (_request, response) => void response.end());
    app.get('/users/:user/posts/:post', gate, (request, response) => {
      const parameters: { user: string; post: string } = request.params;
      // @ts-expect-error the path has no such parameter
      const missing: unknown = request.params.other;
      response.json([parameters, missing]);
    });
    app.post<{ id: string }, { done: boolean }, { text: string }>('/notes/:id', gate, (request, response) => {
      const text: string = request.body.text;
      response.json({ done: text === request.params.id });
    });

    expect(gate).toHaveLength(3);
  });
});
