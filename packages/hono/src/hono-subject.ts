import { WebRequest, type WebEnding } from '@sluice/http/adapter';
import type { Context } from 'hono';

import { bindingsOf, peerOf, type NodeRequest, type ReadAddress } from './client-address.js';

/** A request of Hono as functions of tiers read it: like requests of Node's frameworks, with its context. */
export class HonoSubject extends WebRequest {
  readonly context: Context;
  /** Node's request, where the server is Node's. */
  readonly raw: NodeRequest | undefined;
  readonly #outgoing: WebEnding | undefined;

  constructor(context: Context, readAddress: ReadAddress) {
    super(context.req.raw, { ip: readAddress(context) });
    this.context = context;
    const { incoming, outgoing } = bindingsOf(context);
    this.raw = incoming;
    this.#outgoing = outgoing;
  }

  /** The connection, where the server is Node's. */
  get socket(): NodeRequest['socket'] {
    return this.raw?.socket;
  }

  override get peer(): string | undefined {
    return peerOf(this.context);
  }

  /** As Express has it, for messages. */
  get route(): { readonly path: string } {
    // Versions of Hono before 4.8 have no other way.
    // oxlint-disable-next-line typescript/no-deprecated
    return { path: this.context.req.routePath };
  }

  /** The variable `user`. */
  override get user(): unknown {
    return this.context.get('user');
  }

  /** The claims that `hono/jwt` and `hono/jwk` have verified: the variable `jwtPayload`. */
  override get auth(): unknown {
    return this.context.get('jwtPayload');
  }

  /** The variable `session`. */
  override get session(): unknown {
    return this.context.get('session');
  }

  /** Node tells the end of a response exactly; elsewhere its body does. */
  override get responseEnding(): WebEnding {
    return this.#outgoing ?? this.ending;
  }

  /** Adds what limits have set to the response of the application, and watches its end. */
  complete(): void {
    const { context } = this;
    if (!this.#outgoing) {
      const watched = this.ending.watch(context.res);
      if (watched !== context.res) context.res = watched;
    }
    try {
      this.responseHeaders.applyTo(context.res.headers);
    } catch {
      // The headers of a response of fetch() cannot be changed.
      context.res = new Response(context.res.body, context.res);
      this.responseHeaders.applyTo(context.res.headers);
    }
  }

  /** The application has failed, and its error handler makes the response. */
  fail(): void {
    this.responseHeaders.applyTo(this.context.res.headers);
    if (!this.#outgoing) this.ending.close();
  }
}

/** On the context, because a collection of garbage looks at every entry of a WeakMap. */
const SUBJECT = Symbol('sluice.subject');

/** The subject of a request. Its first limit makes it, and each limit reads the address by its own options. */
export function subjectOf(context: Context, readAddress: ReadAddress): HonoSubject {
  const holder = context as Context & { [SUBJECT]?: HonoSubject };
  const known = holder[SUBJECT];
  if (known) {
    known.take({ ip: readAddress(context) });
    return known;
  }
  return (holder[SUBJECT] = new HonoSubject(context, readAddress));
}
