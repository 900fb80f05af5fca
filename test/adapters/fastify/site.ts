import { once } from 'node:events';
import { Agent, request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Answer, Question } from '../express/site.js';

/** What a test needs of an app, whatever server and logger it has. */
export type App = Pick<FastifyInstance, 'listen' | 'close'> & { readonly server: { address(): unknown } };

/** An app that listens, and a client that talks to it. */
export interface Site {
  readonly port: number;
  ask(question?: Question): Promise<Answer>;
  /** Several questions, each when the one before has been answered. */
  askEach(questions: readonly Question[]): Promise<Answer[]>;
  /** Begins to ask, so that the client can leave before it is answered. */
  begin(question?: Question): ClientRequest;
}

/** Opens apps, and closes them after the test. Call it where tests are described. */
export function siteOpener(): (app: App, socketPath?: string) => Promise<Site> {
  const closers: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  return async (app, socketPath) => {
    const agent = new Agent({ keepAlive: true });
    closers.push(async () => {
      agent.destroy();
      await app.close();
    });
    await app.listen(socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath });
    const port = socketPath === undefined ? (app.server.address() as AddressInfo).port : 0;
    const place = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
    const begin = ({ body, ...question }: Question = {}) => {
      const headers = { ...question.headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) };
      const outgoing = startRequest({ agent, ...place, ...question, headers });
      outgoing.end(body);
      return outgoing;
    };
    const ask = async (question?: Question) => answerTo(begin(question));
    return {
      port,
      begin,
      ask,
      async askEach(questions) {
        const answers: Answer[] = [];
        for (const question of questions) answers.push(await ask(question));
        return answers;
      },
    };
  };
}

/** Questions for paths, by GET. */
export function paths(...asked: readonly string[]): Question[] {
  return asked.map((path) => ({ path }));
}

/** What is left by the header, of each answer. */
export function remaining(answers: readonly Answer[]): (number | undefined)[] {
  return answers.map(({ headers }) => {
    const told = headers['x-ratelimit-remaining'];
    return told === undefined ? undefined : Number(told);
  });
}

async function answerTo(outgoing: ClientRequest): Promise<Answer> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    names: response.rawHeaders.filter((_text, index) => index % 2 === 0),
    text,
    trailers: response.trailers,
  };
}
