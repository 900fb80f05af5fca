import type { Framework, HttpContestant, HttpFile } from '../http-contestant.js';
import { bareOf, httpContestants } from '../index.js';
import type { ExpressStep } from './express-steps.js';
import type { FastifyStep } from './fastify-steps.js';

const onFastify = (step: FastifyStep) => async (): Promise<HttpFile> => {
  const { fastifyStep } = await import('./fastify-steps.js');
  return fastifyStep(step);
};
const onExpress = (step: ExpressStep) => async (): Promise<HttpFile> => {
  const { expressStep } = await import('./express-steps.js');
  return expressStep(step);
};
const memory = { store: 'memory', denied: false, isUnsent: true } as const;
const sluice = { ...memory, kind: 'sluice' } as const;
const peer = { ...memory, kind: 'peer' } as const;

/**
 * Servers that have a part of a limiter each, so that the difference of two is the cost of the parts that one of them lacks. Steps
 * of Sluice are in the order in which they are added; a peer is whole, and without its headers.
 */
const steps: readonly HttpContestant[] = [
  { ...peer, framework: 'fastify', name: 'a hook that does nothing', load: onFastify('hook') },
  { ...peer, framework: 'fastify', name: 'three headers alone', load: onFastify('headers') },
  { ...sluice, framework: 'fastify', name: 'Sluice: identity', load: onFastify('identity') },
  { ...sluice, framework: 'fastify', name: 'Sluice: + check', load: onFastify('check') },
  { ...sluice, framework: 'fastify', name: 'Sluice: + gate', load: onFastify('gate') },
  { ...sluice, framework: 'fastify', name: 'Sluice: + plugin', load: onFastify('silent') },
  { ...sluice, framework: 'fastify', name: 'Sluice: + headers', load: onFastify('whole') },
  { ...sluice, framework: 'fastify', name: 'Sluice, once more', load: onFastify('whole') },
  { ...peer, framework: 'fastify', name: '@fastify/rate-limit without headers', load: onFastify('silent peer') },
  { ...peer, framework: 'fastify', name: 'rate-limiter-flexible without headers', load: onFastify('silent flexible') },
  { ...peer, framework: 'express', name: 'a middleware that does nothing', load: onExpress('middleware') },
  { ...peer, framework: 'express', name: 'three headers alone', load: onExpress('headers') },
  { ...sluice, framework: 'express', name: 'Sluice: identity', load: onExpress('identity') },
  { ...sluice, framework: 'express', name: 'Sluice: + check', load: onExpress('check') },
  { ...sluice, framework: 'express', name: 'Sluice: + gate', load: onExpress('gate') },
  { ...sluice, framework: 'express', name: 'Sluice: + middleware', load: onExpress('silent') },
  { ...sluice, framework: 'express', name: 'Sluice: + headers', load: onExpress('whole') },
  { ...sluice, framework: 'express', name: 'Sluice, once more', load: onExpress('whole') },
  { ...peer, framework: 'express', name: 'express-rate-limit without headers', load: onExpress('silent peer') },
  { ...peer, framework: 'express', name: 'rate-limiter-flexible without headers', load: onExpress('silent flexible') },
];

/** Whole limiters, with and without what refuses under overload. */
const shedding: readonly HttpContestant[] = (['fastify', 'express'] as const).flatMap((framework) => {
  const step = (name: string, load: HttpContestant['load']) => ({ ...sluice, framework, name, load });
  const on = framework === 'fastify' ? onFastify : onExpress;
  return [
    step('Sluice', on('whole')),
    step('Sluice, once more', on('whole')),
    step('Sluice: + shedder', on('shedder')),
    step('Sluice: + shedder, queue and deadline', on('queue')),
  ];
});

const WHOLE = ['@fastify/rate-limit, memory', 'express-rate-limit, memory', 'rate-limiter-flexible, memory'];

/** The bare server of a framework, the steps, and the peers as a whole. */
export function insideEntrants(framework: Framework): readonly HttpContestant[] {
  const known = httpContestants.filter((each) => each.framework === framework);
  const bare = known.filter(({ name }) => name === bareOf[framework]);
  const whole = known.filter(({ name }) => WHOLE.includes(name));
  return [...bare, ...steps.filter((each) => each.framework === framework), ...whole];
}

/** The bare server of a framework, and a whole limiter with and without a shedder. */
export function sheddingEntrants(framework: Framework): readonly HttpContestant[] {
  const bare = httpContestants.filter((each) => each.framework === framework && each.name === bareOf[framework]);
  return [...bare, ...shedding.filter((each) => each.framework === framework)];
}

/** All contestants that a server process can be. */
export const servedContestants: readonly HttpContestant[] = [...httpContestants, ...steps, ...shedding];
