import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { HttpRequest, Limiter } from '@sluice/http';
import { withRedis } from '../../support/redis-store.js';
import type { Site } from '../../support/site.js';
import { permitsOn, type Permits } from './permits.js';

/** Serves `/endless`, `/sse` and `/failing` behind a limiter. */
export type OpenStreams = (limiter: Limiter<HttpRequest>) => Promise<Site>;

/** What the permits of streams do on every framework. */
export function streamSuite(name: string, open: OpenStreams): void {
  describe(`a permit of a stream on ${name}`, () => {
    const redis = withRedis();
    let permits: Permits;
    let site: Site;

    beforeAll(async () => {
      permits = permitsOn(redis.client);
      site = await open(permits.limiter);
    });

    afterAll(() => site.close());

    const start = async (path: string) => {
      const request = get({ host: '127.0.0.1', port: site.port, path, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.on('error', () => undefined);
      response.resume();
      return response;
    };

    it.each(['/endless', '/sse'])('ends when the client of %s leaves in the middle, and not before', async (path) => {
      const response = await start(path);
      await once(response, 'data');
      await permits.held(1);

      response.destroy();

      await expect(permits.held(0)).resolves.toBeUndefined();
    });

    it('ends when the stream fails in the middle', async () => {
      const response = await start('/failing');
      if (!response.closed) await new Promise((resolve) => void response.once('close', resolve));

      await expect(permits.held(0)).resolves.toBeUndefined();
    });
  });
}
