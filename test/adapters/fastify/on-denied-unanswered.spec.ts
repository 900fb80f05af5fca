import type { OnDenied } from '@sluice/fastify';
import type { FastifyReply } from 'fastify';
import { signal } from '../../support/signal.js';
import { warningCatcher } from '../../support/warnings.js';
import { hourly, opener, served } from './application.js';

/** A test of timers leaves the others alone, because HTTP needs them. */
const OTHER_CLOCKS = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;

describe('onDenied of Fastify without an answer', () => {
  const open = opener();
  const warnings = warningCatcher();

  afterEach(() => jest.useRealTimers());

  it.each<[string, OnDenied, boolean]>([
    ['returns nothing', () => undefined, true],
    ['sends it in time', (_request, reply) => void setTimeout(() => void reply.send('slow down'), 4_998), false],
    ['returns the reply, and never sends it', (_request, reply) => reply, true],
  ])('warns once after five seconds if it has not sent the reply: %s', async (_what, onDenied, isWarned) => {
    // A reply itself is a thenable, for which a promise would wait.
    const denied = signal<{ readonly reply: FastifyReply }>();
    const onFirst: OnDenied = (request, reply) => {
      denied.give({ reply });
      return onDenied(request, reply);
    };
    const options = hourly(1, { onDenied: onFirst });
    const site = await open({ options, after: (app) => app.get('/', served) });
    await site.send();
    // Fastify needs timers to start.
    jest.useFakeTimers({ doNotFake: [...OTHER_CLOCKS] });
    const answer = site.send();
    const { reply } = await denied.given;
    await new Promise(setImmediate);
    jest.advanceTimersByTime(4_999);
    const before = warnings();
    jest.advanceTimersByTime(1);
    if (!reply.sent) void reply.send('');
    await answer;

    const text =
      'rateLimit: onDenied has not answered within 5 seconds, and its client waits: return a payload, or call reply.send(…)';
    expect([before, warnings()]).toEqual([[], isWarned ? [['SLUICE_DENIAL_UNANSWERED', text]] : []]);
  });
});
