import express, { type Express } from 'express';

const UNITS = { event_name: 'units', event_time_window: 'hour', default_aggregation: { formula: 'sum' } };

/** Stands for Stripe where there is no account: it takes the events of the meter, and prints them. */
export function localStripe(): Express {
  const app = express();
  app.get('/v1/billing/meters', (_request, response) => void response.json({ data: [UNITS], has_more: false }));
  app.post('/v1/billing/meter_events', express.urlencoded(), (request, response) => {
    const { timestamp, payload } = Object(request.body) as { timestamp?: string; payload?: Record<string, string> };
    const hour = new Date(Number(timestamp) * 1e3).toISOString().slice(0, 13);
    console.log(`Stripe bills ${payload?.['value']} units of ${payload?.['stripe_customer_id']} in the hour ${hour}`);
    response.json({});
  });
  return app;
}
