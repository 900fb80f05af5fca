import { watchedBody } from './watched-body.js';
import type { WebEnding } from './web-response.js';
import type { StandardResponse, StandardSignal } from './web-standards.js';

type Listeners = Readonly<Record<'close' | 'finish', (() => void)[]>>;

/** An application that never answers an admitted request, or drops its response unread, would hold its units for ever. */
const dropped = new FinalizationRegistry<ResponseEnding>((ending) => ending.close());

/**
 * The end of a web-standard response, as far as its body and the signal of its client tell it. It emits the events of
 * Node's responses: `finish` when the body has been read to its end, and `close` then or when the client is gone.
 */
export class ResponseEnding implements WebEnding {
  /** That of the last response. */
  statusCode = 200;
  readonly #isHead: boolean;
  readonly #signalOf: () => StandardSignal | undefined;
  /** The last body that it watches. Weak, so that a dropped one is noticed. */
  #watched: WeakRef<ReadableStream> | undefined;
  #listeners: Listeners | undefined;
  #isClosed = false;

  /** @param signalOf returns the signal of the client, which some servers make on first access */
  constructor(isHead: boolean, signalOf: () => StandardSignal | undefined) {
    this.#isHead = isHead;
    this.#signalOf = signalOf;
  }

  get destroyed(): boolean {
    return this.#isClosed || this.#signalOf()?.aborted === true;
  }

  once(event: 'close' | 'finish', listener: () => void): void {
    if (this.#listeners === undefined) {
      this.#listeners = { close: [], finish: [] };
      this.#signalOf()?.addEventListener('abort', () => this.close(), { once: true });
    }
    this.#listeners[event].push(listener);
  }

  /** Closes when an object is gone: the admission, until it has wrapped a response. */
  closeWithout(holder: object): void {
    if (this.#isAwaited) dropped.register(holder, this, holder);
  }

  /** Returns the response to send: the same one, or one whose body tells its end. */
  watch(response: StandardResponse, holder?: object): StandardResponse {
    this.statusCode = response.status;
    if (holder) dropped.unregister(holder);
    if (!this.#isAwaited) return response;
    const { body } = response;
    // No server reads the body of an answer to HEAD. A body in use belongs to a response that was sent before.
    if (body === null || this.#isHead || body.locked || response.bodyUsed) {
      this.finish();
      return response;
    }
    if (this.#watched?.deref() === body) return response;
    const watched = watchedBody(body, this);
    this.#watched = new WeakRef(watched);
    dropped.register(watched, this);
    return new Response(watched, response);
  }

  /** The body has been read to its end. */
  finish(): void {
    if (this.#isClosed) return;
    this.#emit('finish');
    this.close();
  }

  /** Nothing more will be sent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#emit('close');
  }

  get #isAwaited(): boolean {
    return this.#listeners !== undefined && !this.#isClosed;
  }

  #emit(event: 'close' | 'finish'): void {
    for (const each of this.#listeners?.[event] ?? []) each();
  }
}
