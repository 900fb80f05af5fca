import { once } from 'node:events';
import { Agent, request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Answer, Question as AnyQuestion } from './express/site.js';
import type { Adapter, Definition, Server } from './adapter.js';

export interface Question extends AnyQuestion {
  /** The address of the client, as the proxy tells it. */
  readonly from?: string;
}

/** An application that listens, and a client that talks to it. */
export interface Site extends Pick<Server, 'port' | 'errors'> {
  ask(question: Question): Promise<Answer>;
  /** One question several times, each when the one before has been answered. */
  askTimes(times: number, question: Question): Promise<Answer[]>;
  /** Begins to ask, so that the client can leave before it is answered. */
  begin(question: Question): ClientRequest;
  close(): Promise<void>;
}

export async function openSite(adapter: Adapter, definition: Definition): Promise<Site> {
  const server = await adapter.start(definition);
  const agent = new Agent({ keepAlive: true });
  const begin = ({ from, body, headers, ...question }: Question) => {
    const outgoing = startRequest({
      agent,
      host: '127.0.0.1',
      port: server.port,
      ...question,
      headers: {
        ...headers,
        ...(from !== undefined && { 'X-Forwarded-For': from }),
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
    });
    outgoing.end(body);
    return outgoing;
  };
  const ask = async (question: Question) => answerTo(begin(question));
  return {
    port: server.port,
    errors: server.errors,
    begin,
    ask,
    async askTimes(times, question) {
      const answers: Answer[] = [];
      for (let time = 0; time < times; time += 1) answers.push(await ask(question));
      return answers;
    },
    async close() {
      agent.destroy();
      await server.close();
    },
  };
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
