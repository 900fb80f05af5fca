import { memoryStore } from '@sluice/core';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import express, { type RequestHandler } from 'express';
import { siteOpener } from '../support/site.js';

const LARGE = '5mb';

describe('a dashboard behind a parser of bodies', () => {
  const openSite = siteOpener();
  let dashboard: Dashboard;

  beforeEach(() => {
    dashboard = createDashboard({ store: memoryStore(), authorize: true });
  });

  afterEach(() => dashboard.close());

  it.each<[what: string, parser: RequestHandler]>([
    ['none', (_request, _response, next) => next()],
    ['JSON', express.json({ limit: LARGE })],
    ['texts', express.text({ limit: LARGE, type: '*/*' })],
    ['bytes', express.raw({ limit: LARGE, type: '*/*' })],
  ])('finds an identity, and reads no more than 8 KiB, behind one for %s', async (_what, parser) => {
    const site = await openSite(express().use(parser, dashboard.handle));
    const statusOf = async (body: object) => {
      const headers = { 'content-type': 'application/json' };
      return (await site.send({ method: 'POST', path: '/api/look', headers, body: JSON.stringify(body) })).status;
    };

    const statuses = [
      await statusOf({ kind: 'key', values: ['ada'] }),
      await statusOf({ kind: 'composed', values: Array.from({ length: 300_000 }, () => 'ip:::1') }),
      await statusOf({ kind: 'key', values: ['x'.repeat(9_000)] }),
    ];

    expect(statuses).toEqual([200, 413, 413]);
  });
});
