import { get, type IncomingMessage } from 'node:http';
import type { Snapshot, State } from '@sluice/dashboard';

/** What a page receives. */
export interface OpenPage {
  /** The newest tick. */
  readonly tick: Snapshot | undefined;
  /** All bytes. */
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
  /** The server has ended the stream. */
  readonly hasEnded: boolean;
  /** Pauses reading. */
  readonly response: IncomingMessage;
  close(): void;
}

/** Opens `api/events` as a page does. @param url of the dashboard, with a slash at its end */
export function openPage(url: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenPage> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}api/events`, { agent: false, headers }, (response) => {
      let text = '';
      let hasEnded = false;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () => (hasEnded = true));
      // The test has closed it.
      response.on('error', () => undefined);
      resolve({
        get tick() {
          return [...eventsIn(text, 'tick')].at(-1) as Snapshot | undefined;
        },
        get text() {
          return text;
        },
        get hasEnded() {
          return hasEnded;
        },
        headers: response.headers,
        status: response.statusCode!,
        response,
        close: () => request.destroy(),
      });
    });
    request.once('error', reject);
  });
}

/** The data of the complete events of a name. */
export function eventsIn(text: string, name: string): unknown[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const [, data] = new RegExp(`^event: ${name}\n(?:id: \\d+\n)?data: (.+)$`).exec(block) ?? [];
    return data === undefined ? [] : [JSON.parse(data) as unknown];
  });
}

/** `api/state` of a dashboard. */
export async function stateOf(url: string): Promise<State> {
  const response = await fetch(`${url}api/state`);
  return (await response.json()) as State;
}
