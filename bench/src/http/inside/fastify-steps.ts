import type { HttpFile, HttpSetting } from '../http-contestant.js';
import { byIp, createLimiter, rateLimit } from '@sluice/fastify';
import { createGate } from '@sluice/http';
import { FastifyResponse } from '@sluice/http/adapter';
import { shedder } from '@sluice/overload';
import { deadline, queueDelay } from '@sluice/overload/queues';
import type { FastifyPluginAsync, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { serveFastify } from '../fastify/app.js';
import { clients } from '../http-contestant.js';
import { oneTier } from '../sluice-tiers.js';
import { flexibleLimiter } from './silent-flexible.js';
import { threeHeaders } from './three-headers.js';

type Hook = onRequestHookHandler | onRequestAsyncHookHandler;

const HOOKS = {
  hook: (): Hook => (_request, _reply, done) => done(),
  headers: (): Hook => (_request, reply, done) => {
    threeHeaders((name, value) => void reply.header(name, value));
    done();
  },
  identity: (): Hook => {
    const key = byIp();
    return (request, _reply, done) => done(key(request) instanceof Promise ? new Error('late') : undefined);
  },
  check: (setting: HttpSetting): Hook => {
    const limiter = createLimiter({ tiers: oneTier(setting, 'fixed-window') });
    return (request, _reply, done) => done(limiter.consume(request) instanceof Promise ? new Error('late') : undefined);
  },
  gate: (setting: HttpSetting): Hook => {
    const gate = createGate({ tiers: oneTier(setting, 'fixed-window'), headers: [] });
    return (request, reply, done) =>
      done(gate.admit(request, new FastifyResponse(reply)) instanceof Promise ? new Error('late') : undefined);
  },
  'silent flexible': (setting: HttpSetting): Hook => {
    const limiter = flexibleLimiter(setting);
    return async ({ ip }: FastifyRequest) => void (await limiter.consume(ip));
  },
} as const;

/** Whole limiters with a shedder. */
const SHEDDERS = {
  shedder: () => shedder<FastifyRequest>(),
  queue: () => shedder<FastifyRequest>({ features: [queueDelay('database'), deadline('1s')] }),
} as const;

export type FastifyStep = keyof typeof HOOKS | keyof typeof SHEDDERS | 'silent' | 'whole' | 'silent peer';

/** A server with a part of a limiter. */
export function fastifyStep(step: FastifyStep): HttpFile {
  return {
    listen: (setting) =>
      serveFastify(async (app) => {
        if (step === 'silent peer') return app.register(await silentPeer(), silentOptions(setting));
        if (step === 'whole') return app.register(rateLimit, { tiers: oneTier(setting, 'fixed-window') });
        if (step === 'shedder' || step === 'queue')
          return app.register(rateLimit, { tiers: oneTier(setting, 'fixed-window'), shed: SHEDDERS[step]() });
        if (step === 'silent') return app.register(rateLimit, { tiers: oneTier(setting, 'fixed-window'), headers: [] });
        return app.addHook('onRequest', HOOKS[step](setting) as onRequestHookHandler);
      }),
  };
}

/** Its types give Fastify a method of the name that ours has. */
async function silentPeer(): Promise<FastifyPluginAsync<Record<string, unknown>>> {
  const name: string = '@fastify/rate-limit';
  return ((await import(name)) as { default: FastifyPluginAsync<Record<string, unknown>> }).default;
}

function silentOptions({ limit, window }: HttpSetting) {
  const addHeadersOnExceeding = {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  };
  return { max: limit, timeWindow: window, cache: clients.length * 2, addHeadersOnExceeding };
}
