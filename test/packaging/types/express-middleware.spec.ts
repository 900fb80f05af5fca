import { rateLimit, type Decision } from '@sluice/express';
import express, { type RequestHandler } from 'express';

// The compiler reads this file in `npm run lint`.

const minute = { limit: 10, window: '1m' } as const;

describe('The middleware', () => {
  it('leaves its decision on the request and in the locals, each with its type', () => {
    const handler: RequestHandler = (request, response) => {
      const decision: Decision | undefined = request.rateLimit;
      const local: Decision | undefined = response.locals.rateLimit;
      // @ts-expect-error a request that was not counted has no decision
      const remaining: number = request.rateLimit.outcomes.length;
      // @ts-expect-error a decision has no such field
      const used: unknown = request.rateLimit?.used;
      response.json([decision?.allowed, local?.source, remaining, used]);
    };

    expect(handler).toHaveLength(2);
  });

  it('tells of its own decision, and has its limiter', async () => {
    const gate = rateLimit(minute);
    const settle: RequestHandler = async (request) => {
      const decision: Decision | undefined = gate.decision(request);
      if (decision) await gate.limiter.settle(decision, 5);
    };

    await gate.limiter.reset({ ip: '192.0.2.1' });

    expect(settle).toHaveLength(1);
  });

  it('stands wherever middleware does, and leaves the parameters of a route their types', () => {
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
