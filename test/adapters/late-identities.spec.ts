import { by, byJwtSubject, rateLimit, type HttpRequest } from '@sluice/express';
import express, { type Application, type RequestHandler } from 'express';
import { remainingOf, statusesOf } from '../support/responses.js';
import { siteOpener, type TestRequest } from '../support/site.js';
import { warningCatcher } from '../support/warnings.js';
import { build, served } from './fastify/application.js';

type Subject = HttpRequest & { body?: unknown; user?: unknown };

const userOf = ({ user }: Subject) => (user as { id?: string } | undefined)?.id;
const authorOf = ({ body }: Subject) => (body as { user?: string } | undefined)?.user;
const byUser = () => ({ key: by<Subject>('user', userOf), limit: 10, window: '1h' }) as const;
const byAuthor = () => ({ key: by<Subject>('author', authorOf), limit: 10, window: '1h' }) as const;

/** A request of each of some users, by header and by body. */
const users: readonly TestRequest[] = ['ada', 'grace', 'edsger', 'donald', 'barbara', 'alan'].map((user) => ({
  method: 'POST',
  headers: { 'x-user': user, 'content-type': 'application/json' },
  body: JSON.stringify({ user }),
}));
const ONE_BUDGET = [9, 8, 7, 6, 5, 4];
const OWN_BUDGETS = [9, 9, 9, 9, 9, 9];
const tooLate = (owner: string) => [['SLUICE_IDENTITY_TOO_LATE', expect.stringContaining(`${owner}: `)]];

describe('an identity at a limit of Express', () => {
  const open = siteOpener();
  const warnings = warningCatcher();
  const authenticate: RequestHandler = (request, _response, next) => {
    Object.assign(request, { user: { id: request.get('x-user'), sub: request.get('x-user') } });
    next();
  };
  const remaining = async (mount: (app: Application) => unknown) => {
    const app = express();
    mount(app);
    app.post('/', (_request, response) => void response.send('served'));
    return remainingOf(await (await open(app)).sendEach(users));
  };

  it.each<[string, (app: Application) => unknown, string]>([
    ['before authentication', (app) => app.use(rateLimit(byUser()), authenticate), "by('user')"],
    ['before the body parser', (app) => app.use(rateLimit(byAuthor()), express.json()), "by('author')"],
    [
      'before the token is verified',
      (app) => app.use(rateLimit({ ...byUser(), key: byJwtSubject() }), authenticate),
      'byJwtSubject',
    ],
  ])('is missing %s, which gives a warning', async (_where, mount, owner) => {
    expect(await remaining(mount)).toEqual(ONE_BUDGET);
    expect(warnings()).toEqual(tooLate(owner));
  });

  it.each<[string, (app: Application) => unknown, readonly number[]]>([
    ['is there after authentication', (app) => app.use(authenticate, rateLimit(byUser())), OWN_BUDGETS],
    ['is there after the body parser', (app) => app.use(express.json(), rateLimit(byAuthor())), OWN_BUDGETS],
    ['is missing for anonymous clients', (app) => app.use(rateLimit(byUser())), ONE_BUDGET],
  ])('%s, which gives no warning', async (_where, mount, budgets) => {
    expect(await remaining(mount)).toEqual(budgets);
    expect(warnings()).toEqual([]);
  });
});

describe('an identity at a limit of Fastify', () => {
  const open = siteOpener();
  const warnings = warningCatcher();

  it.each(['onRequest', 'preValidation', 'preHandler'] as const)(
    'is missing in %s before the hook that authenticates, which gives a warning (F2)',
    async (hook) => {
      const app = await build({ options: { ...byUser(), hook } });
      app.addHook(hook, async (request) => {
        Object.assign(request, { user: { id: request.headers['x-user'] } });
      });
      app.post('/', served);
      const site = await open(app);

      expect(remainingOf(await site.sendEach(users))).toEqual(ONE_BUDGET);
      expect(warnings()).toEqual(tooLate("by('user')"));
    },
  );

  it('is missing in onRequest if it is read from the body, which gives a warning (N4)', async () => {
    const app = await build({ options: byAuthor(), after: (each) => each.post('/', served) });
    const site = await open(app);

    expect(remainingOf(await site.sendEach(users))).toEqual(ONE_BUDGET);
    expect(warnings()).toEqual(tooLate("by('author')"));
  });

  it('is there in preHandler if it is read from the body', async () => {
    const app = await build({
      options: { ...byAuthor(), hook: 'preHandler' },
      after: (each) => each.post('/', served),
    });
    const site = await open(app);
    const responses = await site.sendEach(users);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(remainingOf(responses)).toEqual(OWN_BUDGETS);
    expect(warnings()).toEqual([]);
  });
});
