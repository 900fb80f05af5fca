import { MessageReader } from '../protobuf/message-reader.js';
import { MessageWriter } from '../protobuf/message-writer.js';
import type { GrpcCall } from './grpc-call.js';
import { status } from './status.js';

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;
const UNREADABLE = 'HealthCheckRequest cannot be read';

/** `grpc.health.v1.Health`: whether the service takes requests. It stops to when the process is told to end. */
export class HealthService {
  readonly #names: ReadonlySet<string>;
  #isServing = true;
  /** What ends the calls of those that watch. */
  readonly #watchers = new Set<() => void>();

  /** @param names of the services beside the empty one, which is the server */
  constructor(names: readonly string[]) {
    this.#names = new Set(['', ...names]);
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  /** Tells all that watch, and ends their streams: a connection with an open stream would not end. */
  stop(): void {
    this.#isServing = false;
    for (const end of this.#watchers) end();
  }

  check(request: Buffer, call: GrpcCall): void {
    const name = nameIn(request);
    if (name === undefined) call.fail({ code: status.INVALID_ARGUMENT, details: UNREADABLE });
    else if (!this.#names.has(name)) call.fail({ code: status.NOT_FOUND, details: 'there is no such service' });
    else call.answer(response(this.#status));
  }

  watch(request: Buffer, call: GrpcCall): void {
    const name = nameIn(request);
    if (name === undefined) {
      call.fail({ code: status.INVALID_ARGUMENT, details: UNREADABLE });
      return;
    }
    const isKnown = this.#names.has(name);
    call.send(response(isKnown ? this.#status : SERVICE_UNKNOWN));
    if (!this.#isServing) {
      call.end();
      return;
    }
    const end = () => {
      if (isKnown) call.send(response(NOT_SERVING));
      call.end();
    };
    this.#watchers.add(end);
    call.onGone(() => this.#watchers.delete(end));
  }

  get #status(): number {
    return this.#isServing ? SERVING : NOT_SERVING;
  }
}

function response(now: number): Buffer {
  return new MessageWriter().unsigned(1, now).bytes();
}

function nameIn(request: Buffer): string | undefined {
  try {
    const reader = new MessageReader(request);
    let name = '';
    while (reader.next()) if (reader.field === 1) name = reader.text();
    return name;
  } catch {
    return undefined;
  }
}
