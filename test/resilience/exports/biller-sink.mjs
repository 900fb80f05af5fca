import { openMeter, stripeMeter, usageTable } from '@sluice/quotas/billing';

/**
 * The sink of a kind of bill, as the guide has it.
 *
 * @param {import('./biller-job.ts').BillerJob} job
 * @param {import('@sluice/quotas/billing').SqlClient} client
 */
export function billerSink({ kind, url, key, table: name }, client) {
  const table = usageTable({ client, table: name });
  if (kind === 'postgres') return table.sink;
  if (kind === 'openMeter') return openMeter({ table, type: 'requests', url, token: key });
  return stripeMeter({ key, url, meter: 'requests', customer: ({ label }) => `cus_${label}` });
}
