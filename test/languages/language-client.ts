import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { environment } from '../support/environment.js';
import { spawn } from '../support/child.js';

/** A call of a client in another language. Messages are JSON as protocol buffers define it. */
export interface LanguageCall {
  /** @default 'ShouldRateLimit' */
  readonly method?: 'ShouldRateLimit' | 'Check' | 'Watch';
  readonly request: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that are sent together. @default 1 */
  readonly times?: number;
}

/** A field with the value that it has without being sent is not there. */
export interface LanguageReply {
  readonly overall_code?: string;
  readonly statuses?: readonly {
    readonly code?: string;
    readonly current_limit?: { readonly requests_per_unit?: number; readonly unit?: string; readonly name?: string };
    readonly limit_remaining?: number;
    /** As `59.5s`. */
    readonly duration_until_reset?: string;
  }[];
  readonly response_headers_to_add?: readonly { readonly key: string; readonly value: string }[];
  readonly request_headers_to_add?: readonly { readonly key: string; readonly value: string }[];
  /** In base64. */
  readonly raw_body?: string;
  readonly dynamic_metadata?: Readonly<Record<string, unknown>>;
  /** Of health. */
  readonly status?: string;
}

export interface LanguageAnswer {
  readonly reply?: LanguageReply;
  /** A status that a watcher of health has got. Null for the end of its stream. */
  readonly watched?: string | null;
  /** The number of an error, as `status` of grpc-js has it. */
  readonly code?: number;
  readonly details?: string;
}

/** How a language runs its client: `client.py` and `client.go` of programs. */
export interface Language {
  readonly name: string;
  /** What to run, before the arguments of the client. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** A client of the service in another language, as a process. */
export class LanguageClient {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  /** @param files of TLS: the authority of the service, a certificate and its key */
  constructor({ command: [program, ...args], env }: Language, port: number, files: readonly string[] = []) {
    this.#child = spawn(program, [...args, String(port), ...files], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: environment(env),
    });
    this.#lines = createInterface({ input: this.#child.stdout! });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** The answers to a call, one for each time. Calls of one client are sent one after the other. */
  async calls({ method = 'ShouldRateLimit', ...call }: LanguageCall): Promise<readonly LanguageAnswer[]> {
    this.#child.stdin!.write(`${JSON.stringify({ method, ...call })}\n`);
    return this.#next();
  }

  /** Watches the health of a service. @returns a function that resolves with the next status */
  watch(service: string): () => Promise<LanguageAnswer> {
    this.#child.stdin!.write(`${JSON.stringify({ method: 'Watch', request: { service } })}\n`);
    return async () => (await this.#next())[0]!;
  }

  async call(call: LanguageCall): Promise<LanguageAnswer> {
    const [answer] = await this.calls(call);
    return answer!;
  }

  /** A request of one descriptor, or of several. */
  async check(domain: string, ...descriptors: readonly Readonly<Record<string, string>>[]): Promise<LanguageReply> {
    const { reply, details } = await this.call({ request: requestOf(domain, ...descriptors) });
    if (reply === undefined) throw new Error(details);
    return reply;
  }

  async #next(): Promise<readonly LanguageAnswer[]> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('the client has ended');
    return JSON.parse(value) as readonly LanguageAnswer[];
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin!.end();
    await ended;
  }
}

export function requestOf(domain: string, ...descriptors: readonly Readonly<Record<string, string>>[]): object {
  return { domain, descriptors: descriptors.map((entries) => ({ entries: entriesOf(entries) })) };
}

export function entriesOf(entries: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}
