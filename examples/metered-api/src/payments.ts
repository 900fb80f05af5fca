import { createHash, timingSafeEqual } from 'node:crypto';
import type { Limiter } from '@sluice/express';
import express, { type Request, type Response, type Router } from 'express';
import { CREDITS, customersById, type Customer } from './customers.js';
import type { Ledger } from './ledger.js';
import { creditsOf } from '@sluice/quotas';

/** A payment for credits, as the webhook of a payment service has it. It may come again. */
interface Payment {
  readonly id: string;
  readonly customer: string;
  readonly units: number;
}

/** Takes payments and subscriptions. @param secret that the payment service sends with each */
export function payments(limiter: Limiter<Customer>, ledger: Ledger, secret: string): Router {
  const router = express.Router();
  router.use(['/payments', '/subscriptions'], (request, response, next) => {
    if (isEqual(request.get('x-payment-secret') ?? '', secret)) next();
    else response.status(401).json({ title: 'The secret is wrong' });
  });

  router.post('/payments', express.json(), async (request, response) => {
    const payment = paymentOf(request);
    if (payment === undefined) {
      response.status(400).json({ title: 'Write { id, customer, units }' });
      return;
    }
    await take(payment, response);
  });

  router.post('/subscriptions', express.json(), (request, response) => {
    const { customer, stripe } = Object(request.body) as { customer?: unknown; stripe?: unknown };
    if (isText(customer, /^.{1,64}$/) && isText(stripe, /^cus_\w{1,60}$/)) {
      ledger.subscribe(customer, stripe);
      response.status(204).end();
    } else response.status(400).json({ title: 'Write { customer, stripe }' });
  });

  /**
   * The ledger first: when Redis has lost its data, the ledger has the credit, and it knows each id for ever. Redis knows an id
   * for 30 days and 64 others, which is enough for the webhook that comes again because a process has died between both.
   */
  async function take({ id, customer, units }: Payment, response: Response): Promise<void> {
    const known = ledger.addCredit({ id, customer, units });
    if (known.customer !== customer || known.units !== units) {
      response.status(409).json({ title: `This payment had ${known.units} units for ${known.customer}` });
      return;
    }
    const subject = customersById.get(customer)!;
    if (!known.isAdded) {
      await creditsOf(limiter).credit(subject, units, { id });
      ledger.markAdded(id);
    }
    const [credits] = await limiter.inspect(subject, { tiers: [CREDITS] });
    response.json({ left: credits!.outcome.remaining });
  }
  return router;
}

function paymentOf({ body }: Request): Payment | undefined {
  const { id, customer, units } = Object(body) as Partial<Payment>;
  const isRight =
    isText(id, /^.{1,100}$/) &&
    customersById.has(customer as string) &&
    Number.isInteger(units) &&
    units! >= 1 &&
    units! <= 1_000_000;
  return isRight ? { id, customer: customer!, units: units! } : undefined;
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

/** Takes as long for each text. */
function isEqual(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
