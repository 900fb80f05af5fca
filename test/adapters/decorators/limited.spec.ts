import { limitFields, statusesOf } from '../express/fields.js';
import { adapters, methodOf } from './adapters.js';
import { compiled } from './compilers.js';
import type { Reply } from './fixtures/apis.js';

describe.each(adapters)('@limited on %s', (_framework, { limited, opener }) => {
  describe.each(compiled)('as a %s decorator', (_kind, { defineApis, defineMistaken }) => {
    const open = opener();

    it('limits a method that is handed to a route, and leaves it its object', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const site = await open({ '/': [api, 'login'] });

      const answers = await site.askEach('/', '/', '/');

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(['ada 1', 'ada 2']);
      expect(JSON.parse(answers[2]!.text)).toMatchObject({ status: 429 });
      expect(limitFields(answers[2]!)).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
    });

    it('does not call the method of a request that it denies', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const site = await open({ '/': [api, 'login'] });

      await site.askEach('/', '/', '/', '/');

      expect(api.calls).toBe(2);
      expect(site.handled).toEqual([]);
    });

    it('has one budget for all objects of the class, each of which keeps its own state', async () => {
      const { Api } = defineApis(limited);
      const [ada, bob] = [new Api('ada'), new Api('bob')];
      const site = await open({ '/ada': [ada, 'login'], '/bob': [bob, 'login'] });

      const answers = await site.askEach('/ada', '/bob', '/ada');

      expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(['ada 1', 'bob 1']);
      expect(statusesOf(answers)).toEqual([200, 200, 429]);
    });

    it('gives each object one method, which is the same whenever it is asked for', () => {
      const { Api } = defineApis(limited);
      const [ada, bob] = [new Api('ada'), new Api('bob')];

      expect(methodOf(ada, 'login')).toBe(methodOf(ada, 'login'));
      expect(methodOf(ada, 'login')).not.toBe(methodOf(bob, 'login'));
    });

    it('limits a method that waits, behind a limit that waits', async () => {
      const { Api } = defineApis(limited);
      const site = await open({ '/': [new Api('ada'), 'later'] });

      expect(await site.ask('/')).toMatchObject({ status: 200, text: 'ada later' });
    });

    it('limits a method that returns nothing, and sends when it is called back', async () => {
      const { Api } = defineApis(limited);
      const site = await open({ '/': [new Api('ada'), 'callingBack'] });

      expect(await site.ask('/')).toMatchObject({ status: 200, text: 'ada called back' });
    });

    it('hands what the method rejects with, or throws, to the error handler once', async () => {
      const { Api } = defineApis(limited);
      const api = new Api('ada');
      const site = await open({ '/rejecting': [api, 'rejecting'], '/throwing': [api, 'throwing'] });

      const answers = await site.askEach('/rejecting', '/throwing');

      expect(answers.map(({ text }) => text)).toEqual(['handled', 'handled']);
      expect(site.handled).toEqual([
        expect.objectContaining({ message: 'ada rejects' }),
        expect.objectContaining({ message: 'ada throws' }),
      ]);
    });

    it('hands the error of a function of its options to the error handler once', async () => {
      const { Api } = defineApis(limited);
      const site = await open({ '/': [new Api('ada'), 'unkeyed'] });

      expect((await site.ask('/')).text).toBe('handled');
      expect(site.handled).toEqual([expect.objectContaining({ code: 'FUNCTION_FAILED' })]);
    });

    it('limits a method of the class itself, and one whose name is no word', async () => {
      const { Api } = defineApis(limited);
      const site = await open({ '/status': [Api, 'status'], '/named': [new Api('ada'), 'with a name'] });

      const answers = await site.askEach('/status', '/named', '/status');

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(['status of Api', 'ada']);
    });

    it('counts in every limit where there are several', async () => {
      const { Api } = defineApis(limited);
      const site = await open({ '/': [new Api('ada'), 'twice'] });

      const answers = await site.askEach('/', '/');

      expect(statusesOf(answers)).toEqual([200, 429]);
      expect(answers[0]!.text).toBe('ada');
    });

    it('limits an inherited method, for the object that inherits it', async () => {
      const { Inheriting } = defineApis(limited);
      const site = await open({ '/': [new Inheriting('bob'), 'login'] });

      const answers = await site.askEach('/', '/', '/');

      expect(answers[0]!.text).toBe('bob 1');
      expect(statusesOf(answers)).toEqual([200, 200, 429]);
    });

    it('leaves a method alone that overrides it, and limits what that calls of it', async () => {
      const { Overriding } = defineApis(limited);
      const api = new Overriding('bob');
      const site = await open({
        '/': [{ handle: (request: unknown, reply: Reply) => api.login(request, reply) }, 'handle'],
      });

      const answers = await site.askEach('/', '/', '/');

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect([api.overridden, api.calls]).toEqual([3, 2]);
    });

    it('limits a method that overrides it with a limit of its own, and counts in both', async () => {
      const { Limiting } = defineApis(limited);
      const api = new Limiting('bob');
      const site = await open({ '/': [api, 'login'] });

      const answers = await site.askEach('/', '/');

      expect(statusesOf(answers)).toEqual([200, 429]);
      expect([api.overridden, api.calls]).toEqual([1, 1]);
    });

    it('is not undone by who looks at the prototype', async () => {
      const { Api } = defineApis(limited);
      expect(methodOf(Api.prototype, 'login')).toBeInstanceOf(Function);
      const site = await open({ '/': [new Api('ada'), 'login'] });

      const answers = await site.askEach('/', '/');

      expect(answers.map(({ text }) => text)).toEqual(['ada 1', 'ada 2']);
    });

    it('leaves a method that can be replaced', () => {
      const { Api } = defineApis(limited);
      const [ada, bob] = [new Api('ada'), new Api('bob')];

      bob.login = () => 'replaced';

      expect(bob.login({}, { send: () => undefined })).toBe('replaced');
      expect(methodOf(ada, 'login')).not.toBe(methodOf(bob, 'login'));
    });

    it('refuses options that cannot work when the class is defined', () => {
      expect(() => defineMistaken(limited)).toThrow(expect.objectContaining({ name: 'ConfigError', option: 'limit' }));
    });
  });
});
