import { byIp, createLimiter, rateLimit } from '@sluice/express';
import { createGate } from '@sluice/http';
import type { RequestHandler } from 'express';
import { shedder } from '@sluice/overload';
import { deadline, queueDelay } from '@sluice/overload/queues';
import { rateLimit as expressRateLimit } from 'express-rate-limit';
import type { HttpFile, HttpSetting } from '../http-contestant.js';
import { serveExpress } from '../express/app.js';
import { oneTier } from '../sluice-tiers.js';
import { flexibleLimiter } from './silent-flexible.js';
import { threeHeaders } from './three-headers.js';

const HANDLERS = {
  middleware: (): RequestHandler => (_request, _response, next) => next(),
  headers: (): RequestHandler => (_request, response, next) => {
    threeHeaders((name, value) => response.setHeader(name, value));
    next();
  },
  identity: (): RequestHandler => {
    const key = byIp();
    return (request, _response, next) => next(key(request) instanceof Promise ? new Error('late') : undefined);
  },
  check: (setting: HttpSetting): RequestHandler => {
    const limiter = createLimiter({ tiers: oneTier(setting, 'fixed-window') });
    return (request, _response, next) =>
      next(limiter.consume(request) instanceof Promise ? new Error('late') : undefined);
  },
  gate: (setting: HttpSetting): RequestHandler => {
    const gate = createGate({ tiers: oneTier(setting, 'fixed-window'), headers: [] });
    return (request, response, next) =>
      next(gate.admit(request, response) instanceof Promise ? new Error('late') : undefined);
  },
  silent: (setting: HttpSetting): RequestHandler => rateLimit({ tiers: oneTier(setting, 'fixed-window'), headers: [] }),
  whole: (setting: HttpSetting): RequestHandler => rateLimit({ tiers: oneTier(setting, 'fixed-window') }),
  shedder: (setting: HttpSetting): RequestHandler =>
    rateLimit({ tiers: oneTier(setting, 'fixed-window'), shed: shedder() }),
  queue: (setting: HttpSetting): RequestHandler => {
    const shed = shedder({ features: [queueDelay('database'), deadline('1s')] });
    return rateLimit({ tiers: oneTier(setting, 'fixed-window'), shed });
  },
  'silent peer': ({ window, limit }: HttpSetting): RequestHandler =>
    expressRateLimit({ windowMs: window, limit, legacyHeaders: false, standardHeaders: false }),
  'silent flexible': (setting: HttpSetting): RequestHandler => {
    const limiter = flexibleLimiter(setting);
    return (request, _response, next) => {
      limiter
        .consume(request.ip!)
        .then(() => next())
        .catch(next);
    };
  },
} as const;

export type ExpressStep = keyof typeof HANDLERS;

/** A server with a part of a limiter. */
export function expressStep(step: ExpressStep): HttpFile {
  return { listen: (setting) => serveExpress(HANDLERS[step](setting)) };
}
