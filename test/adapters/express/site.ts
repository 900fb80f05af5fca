import { once } from 'node:events';
import { Agent, createServer, request as startRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is asked of a site. */
export interface Question {
  /** @default 'GET' */
  readonly method?: string;
  /** As it goes over the wire. @default '/' */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** All that came back. */
export interface Answer {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the fields as they were written, a name for each line. */
  readonly names: readonly string[];
  readonly text: string;
  readonly trailers: Readonly<Record<string, string | undefined>>;
}

/** A server that listens, and a client that talks to it. */
export interface Site {
  /** Of its port or of its Unix socket, for other clients. */
  readonly address: { readonly host: string; readonly port: number } | { readonly socketPath: string };
  ask(question?: Question): Promise<Answer>;
  /** Several questions, each when the one before has been answered. */
  askEach(questions: readonly Question[]): Promise<Answer[]>;
  /** One question several times, each when the one before has been answered. */
  askTimes(times: number, question?: Question): Promise<Answer[]>;
  close(): Promise<void>;
}

/** Opens sites that are closed after the test. Call it where tests are described. */
export function siteOpener(): (app: RequestListener, socketPath?: string) => Promise<Site> {
  const sites: Site[] = [];

  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });

  return async (app, socketPath) => {
    const site = await open(app, socketPath);
    sites.push(site);
    return site;
  };
}

async function open(app: RequestListener, socketPath?: string): Promise<Site> {
  const server = createServer(app);
  if (socketPath === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  const address =
    socketPath === undefined ? { host: '127.0.0.1', port: (server.address() as AddressInfo).port } : { socketPath };
  const agent = new Agent({ keepAlive: true });
  const ask = (question: Question = {}) => answerTo(question, { ...address, agent });
  const askEach = async (questions: readonly Question[]) => {
    const answers: Answer[] = [];
    for (const question of questions) answers.push(await ask(question));
    return answers;
  };
  return {
    address,
    ask,
    askEach,
    askTimes: (times, question = {}) => askEach(Array.from({ length: times }, () => question)),
    async close() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answerTo({ body, ...question }: Question, place: object): Promise<Answer> {
  const headers = { ...question.headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) };
  const outgoing = startRequest({ ...place, ...question, headers });
  outgoing.end(body);
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
