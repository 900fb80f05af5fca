// sign-in/ limits the attempts of a login by account, device and network. Requests of a sign-in and their results
// enter. It imports keys, request and gate.
import {
  chain,
  type Identity,
  isPromise,
  type Key,
  type KeyFunction,
  type MaybePromise,
  UsageError,
} from '@sluice/core/internal';
import { by, textOf } from '../keys/by.js';
import { called, joined } from '../keys/compose.js';
import { byIp } from '../keys/ip.js';
import type { HttpRequest } from '../request/request.js';
import { accountText } from './account-text.js';

/** The identities of a sign-in. */
export interface SignIn {
  /** The address, if the request names no account. */
  readonly account: Key;
  /** An IPv4 address, or the /48 of an IPv6 address: the owner of a /48 has 65 536 networks of 64 bits. */
  readonly network: Key;
  /** Account and network. */
  readonly pair: Key;
  /** Account and device. The pair without a device. */
  readonly device: Key;
  /** Where the owner has signed in before: the device, or the pair. */
  place: Key;
}

/** How a request tells what it signs in to. */
export interface SignInSource<S> {
  readonly account: (request: S) => MaybePromise<unknown>;
  readonly device: ((request: S) => MaybePromise<string | undefined>) | undefined;
}

/** Reads the identities of each sign-in, for all tiers of its request. */
export class SignIns<S extends HttpRequest> {
  readonly #latest = new WeakMap<S, SignIn>();
  readonly #network = byIp<S>({ ipv6Subnet: 48 });
  readonly #account: KeyFunction<S>;
  readonly #device: SignInSource<S>['device'];

  constructor({ account, device }: SignInSource<S>) {
    this.#account = by<S>('account', (request) => chain(account(request), accountText), { otherwise: this.#network });
    this.#device = device;
  }

  /** The key of a tier. */
  key(name: keyof SignIn): KeyFunction<S> {
    const key = (request: S): Key => {
      const signIn = this.#latest.get(request);
      if (signIn) return signIn[name];
      throw new UsageError('USAGE_INVALID', 'loginTiers: pass what it returns as tiers, and not its tiers');
    };
    return name === 'network' ? Object.assign(key, { bounds: 'address' as const }) : key;
  }

  read(request: S): MaybePromise<SignIn> {
    // The address first, because after an await the client may be gone.
    const found = [
      this.#network(request),
      called(this.#account, request),
      this.#device && called(this.#device, request),
    ] as const;
    const [network, account, device] = found;
    if (!found.some((each) => isPromise(each))) return this.#remember(request, network, account, device);
    return Promise.all(found).then((all) => this.#remember(request, ...all));
  }

  #remember(request: S, network: unknown, account: unknown, id: unknown): SignIn {
    const pair = joined([account, network]);
    const text = textOf(id);
    const device = text === undefined ? pair : joined([account, { kind: 'device', parts: [text] } satisfies Identity]);
    const signIn: SignIn = { account: account as Key, network: network as Key, pair, device, place: pair };
    this.#latest.set(request, signIn);
    return signIn;
  }
}
