import { Failure, unreachable, usage } from '../failure/failure.js';
import { eventIn, stateIn, type DashboardEvent, type KnownState } from './messages.js';

/** Not an option, because other users of the machine see the command line. */
const AUTHORIZATION = 'SLUICE_DASHBOARD_AUTHORIZATION';
/** The version of the messages that these commands read. */
const VERSION = 3;

/** An event is shorter, in characters. */
const MAX_EVENT = 2 ** 22;
/** What a header may have: the standard library would repeat another string in its error. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

type LiveEvent = Exclude<DashboardEvent, { readonly name: 'renew' }>;

interface ClientOptions {
  readonly url: string;
  /** The longest wait for an answer. In milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** What a dashboard says to a program. */
export class DashboardClient {
  readonly #base: URL;
  /** Has the credentials, if there are any. */
  readonly #headers: { readonly authorization?: string };
  readonly #options: ClientOptions;

  /** @throws Failure for a wrong address, and for credentials that no header can have */
  constructor(options: ClientOptions) {
    const { url } = options;
    if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) throw usage('--url must be as http://localhost:3000/sluice');
    const { origin, pathname, username, password, searchParams } = new URL(url);
    if (username || password) throw usage(`write no password into --url: set ${AUTHORIZATION}`);
    this.#base = new URL(pathname.endsWith('/') ? pathname : `${pathname}/`, origin);
    const token = searchParams.get('token');
    // A variable that was read from a file ends with a line feed.
    const authorization = process.env[AUTHORIZATION]?.trim() || (token ? `Bearer ${token}` : undefined);
    if (authorization !== undefined && !HEADER_VALUE.test(authorization)) {
      throw usage(`${AUTHORIZATION}, or the token, must be one line of Latin letters, such as "Bearer …"`);
    }
    this.#headers = authorization === undefined ? {} : { authorization };
    this.#options = options;
  }

  async state(): Promise<KnownState> {
    const response = await this.#get('api/state');
    const state = stateIn(await response.text());
    if (state.version !== VERSION) throw usage('the dashboard is of another version: use the command of its release');
    return state;
  }

  /** Ends with the application. */
  async *events(): AsyncGenerator<LiveEvent> {
    let isRenewed: boolean;
    do {
      isRenewed = false;
      for await (const event of this.#stream()) {
        if (event.name === 'renew') isRenewed = true;
        else yield event;
      }
    } while (isRenewed);
  }

  /** The dashboard ends a stream after a minute, and checks rights again when a client connects. */
  async *#stream(): AsyncGenerator<DashboardEvent> {
    const response = await this.#get('api/events');
    let unread = '';
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (unread + chunk).split('\n\n');
        unread = blocks.pop()!;
        if (unread.length > MAX_EVENT) throw unreachable('the dashboard sends an event without an end');
        for (const block of blocks) yield* eventsIn(block);
      }
    } catch (error) {
      if (this.#options.signal.aborted || error instanceof Failure) throw error;
      throw unreachable('the dashboard has closed the connection');
    }
  }

  /** The time limit is that of the headers: events come for as long as the application runs. */
  async #get(path: string): Promise<Response> {
    const { timeout, signal } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    try {
      const response = await fetch(new URL(path, this.#base), {
        headers: this.#headers,
        // A redirect could lead the credentials to another host.
        redirect: 'error',
        signal: AbortSignal.any([signal, late.signal]),
      });
      const type = response.headers.get('content-type') ?? '';
      if (response.ok && /^(?:application\/json|text\/event-stream)\b/.test(type)) return response;
      await response.body?.cancel();
      // The application answers a refused request, perhaps with a page of its own.
      throw this.#refusal(response.ok ? 404 : response.status);
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError || late.signal.aborted)) throw error;
      const reason = late.signal.aborted ? `no answer within ${timeout} ms` : reasonOf(error as Error);
      throw unreachable(`${this.#base.href}: ${reason}`);
    } finally {
      clearTimeout(timer);
    }
  }

  #refusal(status: number): Error {
    if (status === 404 || status === 401 || status === 403) {
      const credentials = this.#headers.authorization
        ? `its token, or ${AUTHORIZATION}, is refused`
        : `pass the link with the token that the application prints, or set ${AUTHORIZATION}`;
      return unreachable(`no dashboard for this client at this address (${status}): ${credentials}`);
    }
    if (status === 503) return unreachable('the dashboard has as many open pages as it serves: close one');
    return unreachable(`the dashboard answers with ${status}`);
  }
}

/** A code, because messages of the standard library may quote what was sent. */
function reasonOf({ cause }: Error): string {
  return (cause as Partial<NodeJS.ErrnoException> | undefined)?.code ?? 'it cannot be reached';
}

function* eventsIn(block: string): Generator<DashboardEvent> {
  const name = /^event: (.+)$/m.exec(block)?.[1];
  const data = /^data: (.+)$/m.exec(block)?.[1] ?? '';
  const event = name === undefined ? undefined : eventIn(name, data);
  if (event !== undefined) yield event;
}
