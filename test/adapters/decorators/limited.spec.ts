import { limitFields, statusesOf } from '../../support/responses.js';
import { compiled } from './compilers.js';
import type { Reply } from './fixtures/apis.js';
import { frameworks, methodOf } from './frameworks.js';

describe.each(frameworks)('@limited on %s', (_framework, { limited, serve }) => {
  describe.each(compiled)('as a %s decorator', (_kind, { defineApis, defineArrow, defineInvalid }) => {
    it('limits a method that a route calls, and keeps its `this`', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const { send, errors } = await serve({ '/': [api, 'login'] });

      const answers = await send('/', '/', '/');

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(['ada 1', 'ada 2']);
      expect(JSON.parse(answers[2]!.text)).toMatchObject({ status: 429 });
      expect(limitFields(answers[2]!)).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
      expect([api.calls, errors]).toEqual([2, []]);
    });

    it('shares one budget between all instances, each with its own method', async () => {
      const { Api } = defineApis(limited);
      const [ada, bob] = [new Api('ada'), new Api('bob')];
      const { send } = await serve({ '/ada': [ada, 'login'], '/bob': [bob, 'login'] });

      const answers = await send('/ada', '/bob', '/ada');

      expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(['ada 1', 'bob 1']);
      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(methodOf(ada, 'login')).toBe(methodOf(ada, 'login'));
      expect(methodOf(ada, 'login')).not.toBe(methodOf(bob, 'login'));
    });

    it('limits async, callback and static methods, and a method of any name by each of its limits', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const { send } = await serve({
        '/later': [api, 'later'],
        '/callback': [api, 'callback'],
        '/status': [Api, 'status'],
        '/name': [api, 'limited twice'],
      });

      const answers = await send('/later', '/callback', '/status', '/name', '/status', '/name');

      expect(answers.slice(0, 4).map(({ text }) => text)).toEqual([
        'ada later',
        'ada called back',
        'status of Api',
        'ada',
      ]);
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429, 429]);
    });

    it('passes errors of the method and of its options to the error handler, once', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const methods = ['rejecting', 'throwing', 'keyless'];
      const { send, errors } = await serve(Object.fromEntries(methods.map((name) => [`/${name}`, [api, name]])));

      const answers = await send(...methods.map((name) => `/${name}`));

      expect(answers.map(({ text }) => text)).toEqual(['failed', 'failed', 'failed']);
      expect(errors).toEqual([
        expect.objectContaining({ message: 'ada rejects' }),
        expect.objectContaining({ message: 'ada throws' }),
        expect.objectContaining({ code: 'FUNCTION_FAILED' }),
      ]);
    });

    it.each([
      ['an inherited method', 'Inheriting', [200, 200, 429]],
      ['a method that overrides a limited one, by both limits', 'Limiting', [200, 429]],
    ] as const)('limits %s', async (_what, name, statuses) => {
      const { [name]: Subclass } = defineApis(limited);
      const api = new Subclass('bob');
      const { send } = await serve({ '/': [api, 'login'] });

      const answers = await send(...statuses.map(() => '/'));

      expect([answers[0]!.text, statusesOf(answers)]).toEqual(['bob 1', [...statuses]]);
      expect(api.calls).toBe(statuses.length - 1);
    });

    it('does not limit a method that overrides the limited one, only its call of super', async () => {
      const { Overriding } = defineApis(limited);
      const api = new Overriding('bob');
      const login = (request: unknown, reply: Reply) => api.login(request, reply);
      const { send } = await serve({ '/': [{ login }, 'login'] });

      expect(statusesOf(await send('/', '/', '/'))).toEqual([200, 200, 429]);
      expect([api.overridden, api.calls]).toEqual([3, 2]);
    });

    it('leaves methods that can be read on the prototype and replaced on instances', async () => {
      const { Api } = defineApis(limited);
      const [ada, bob] = [new Api('ada'), new Api('bob')];
      expect(methodOf(Api.prototype, 'login')).toBeInstanceOf(Function);

      bob.login = () => 'replaced';
      const { send } = await serve({ '/': [ada, 'login'] });

      expect(bob.login({}, { send: () => undefined })).toBe('replaced');
      expect((await send('/')).map(({ text }) => text)).toEqual(['ada 1']);
    });

    it('rejects a field, such as an arrow function', () => {
      expect(() => defineArrow(limited)).toThrow(
        expect.objectContaining({
          code: 'USAGE_INVALID',
          message: expect.stringMatching(/^@limited decorates methods only: login is not a method\. Write @limited/),
        }),
      );
    });

    it('rejects invalid options when the class is defined', () => {
      expect(() => defineInvalid(limited)).toThrow(expect.objectContaining({ name: 'ConfigError', option: 'limit' }));
    });
  });
});
