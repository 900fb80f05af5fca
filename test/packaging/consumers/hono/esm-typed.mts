import { Hono } from 'hono';
import rateLimit, { byIp, type Decision } from '@sluice/hono';

const app = new Hono<{ Variables: { user: string } }>();
app.use(
  rateLimit({ tiers: [{ name: 'minute', key: byIp(), limit: 2, window: '1m' }], ip: (c) => c.req.header('x-ip') }),
);
app.get('/', rateLimit({ limit: ({ context }) => context.req.path.length + 4, window: '1h' }), (c) => {
  const decision: Decision | undefined = c.get('rateLimit');
  const same: Decision | undefined = c.var.rateLimit;
  // @ts-expect-error: there is no such field, which only types that resolve can tell
  void decision?.blocked;
  return c.json([c.get('user'), same?.binding?.remaining]);
});

const answers: number[] = [];
for (let request = 0; request < 3; request++) answers.push((await app.request('/')).status);

console.log(JSON.stringify(answers));
