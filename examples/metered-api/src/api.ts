import { exportUsage, usageOf, type UsageExport } from '@sluice/quotas';
import { createLimiter, type Limiter, type Notice, type Store } from '@sluice/express';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import { stripeMeter } from '@sluice/quotas/billing';
import { allPlans, CREDITS, customers, monthOf, tiersOf, type Customer } from './customers.js';
import { Ledger } from './ledger.js';
import { payments } from './payments.js';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

export interface MeteredApi {
  readonly app: Express;
  readonly limiter: Limiter<Customer>;
  readonly ledger: Ledger;
  readonly usage: UsageExport;
  /** Mails to send: a queue that repeats would take them. */
  readonly mails: readonly Notice[];
}

/** The account that sends invoices. It has a meter with the event name `units`, which is pre-aggregated by hours. */
export interface StripeAccount {
  readonly key: string;
  readonly url?: string;
}

export interface MeteredApiOptions {
  readonly stripe: StripeAccount;
  /** What the payment service sends with each payment. */
  readonly paymentSecret: string;
  /** Of the ledger. Without it the ledger is in memory. */
  readonly file?: string | undefined;
}

/** An API whose customers have units a month, and buy credits for more. */
export function createApi(store: Store, { stripe, paymentSecret, file }: MeteredApiOptions): MeteredApi {
  const mails: Notice[] = [];
  const limiter = createLimiter<Customer>({
    store,
    tiers: tiersOf,
    plans: allPlans,
    onNotice: (notice) => void mails.push(notice),
  });
  const ledger = new Ledger(file);
  const bill = stripeMeter({
    ...stripe,
    // Credits were paid when they were bought.
    meter: ({ tier }) => (tier === CREDITS ? undefined : 'units'),
    // Whoever signs up later has the id later: the usage waits for it.
    customer: ({ label }) => ledger.stripeIdOf(label!),
    // A customer that moves to another time zone has two months in one hour.
    units: ({ label, from }) => ledger.unitsOf(label!, from),
  });
  const usage = exportUsage(store, {
    sink(rows, context) {
      ledger.put(rows);
      return bill(rows, context);
    },
  });
  const app = express()
    .use(payments(limiter, ledger, paymentSecret))
    .use(routes(limiter, ledger));
  return { app, limiter, ledger, usage, mails };
}

function routes(limiter: Limiter<Customer>, ledger: Ledger): Router {
  const app = express.Router();
  app.use(authenticate);

  app.get('/words/:count', countWords, async (request, response) => {
    const cost = Number(request.params['count']);
    const decision = await limiter.consume(customerOf(response), { cost });
    const { binding } = decision;
    response.set('X-Units-Left', String(binding?.remaining ?? 0));
    if (!decision.allowed) {
      const seconds = Math.ceil(decision.retryAfter / 1e3);
      // Where only credits would help, no time does.
      const wait = Number.isFinite(seconds) ? seconds : undefined;
      if (wait !== undefined) response.set('Retry-After', String(wait));
      response.status(429).json({ title: 'No units are left', 'retry-after': wait, deniedBy: decision.deniedBy });
      return;
    }
    const words = WORDS.slice(0, cost);
    // A word that there is not costs nothing.
    if (words.length < cost) await limiter.settle(decision, words.length);
    response.json({ words, paidBy: decision.paidBy ?? 'included' });
  });

  app.get('/usage', async (_request, response) => {
    const customer = customerOf(response);
    const [month] = await limiter.inspect(customer, { tiers: [monthOf(customer)] });
    const [credits] = await limiter.inspect(customer, { tiers: [CREDITS] });
    const [counted] = await usageOf(limiter).read(customer, { tiers: [monthOf(customer)] });
    const [paid] = await usageOf(limiter).read(customer, { tiers: [CREDITS] });
    const { limit, remaining } = month!.outcome;
    response.json({
      limit,
      used: limit - remaining,
      endsAt: new Date(month!.readAt + month!.outcome.resetAfter).toISOString(),
      hours: counted!.hours,
      credits: { bought: ledger.bought(customer.id), left: credits!.outcome.remaining, hours: paid!.hours },
      billed: ledger.hours(customer.id),
    });
  });
  return app;
}

/** An API key identifies a customer. */
function authenticate(request: Request, response: Response, next: NextFunction): void {
  const customer = customers.get(request.get('x-api-key') ?? '');
  if (customer === undefined) {
    response.status(401).json({ title: 'An API key is missing' });
    return;
  }
  response.locals['customer'] = customer;
  next();
}

function customerOf(response: Response): Customer {
  return response.locals['customer'] as Customer;
}

function countWords(request: Request, response: Response, next: NextFunction): void {
  const count = Number(request.params['count']);
  if (Number.isInteger(count) && count >= 1 && count <= 50) next();
  else response.status(400).json({ title: 'Write a number of words from 1 to 50' });
}
