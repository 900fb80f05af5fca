import { isSluiceError, type LimiterView, type Store } from '@sluice/core';
import { IdentityDigest, type TierState } from '@sluice/metrics/operations';
import { auditLog, type Act, type ActOptions } from '@sluice/policies';
import { newId, readMoment, repeatedAct, type NewAct } from '@sluice/policies/operations';
import type { Override } from '@sluice/policies/overrides';
import type { Caller } from './api/role.js';
import type { OverrideDesk } from './dashboard-options.js';
import { HttpFailure } from './http-failure.js';
import type { IdentityDesk, Named } from './identity-desk.js';
import type { ActFields, Look, Overriding } from './messages.js';
import type { BoundsOfRoles } from './support-bounds.js';

interface DeskContext {
  readonly store: Store;
  readonly identities: IdentityDesk;
  readonly overrides: OverrideDesk | undefined;
  readonly bounds: BoundsOfRoles;
}

/** A body whose fields were checked. */
export type Pausing = Overriding & { readonly lasts?: number; readonly until?: number | string };

interface NamedAuthor {
  readonly id: string;
  readonly by?: string;
  readonly reason?: string;
}

type Operation = 'override' | 'end-override' | 'pause' | 'release';

/** A change of the override of an identity. */
interface Change {
  readonly operation: Operation;
  readonly state: TierState;
  readonly author: NamedAuthor;
  readonly detail?: Act['detail'];
  /** Throws if the caller must not replace an override. */
  readonly replacing: (held: Override | undefined) => void;
}

/** Changes the limits of identities in the name of a caller. */
export class ChangeDesk {
  readonly #context: DeskContext;

  constructor(context: DeskContext) {
    this.#context = context;
  }

  /** Sets or removes an override. Its end is counted from the time of the store. @throws HttpFailure; StoreError */
  async override(body: Overriding, caller: Caller): Promise<Look> {
    const { override, plan } = body;
    if (override === null) return this.#remove(body, caller, 'end-override');
    const { limit, more, reason } = override;
    if ((limit === undefined) === (more === undefined)) throw new HttpFailure(400, 'send either limit or more');
    const asked = more === undefined ? {} : { more, ...(plan !== undefined && { plan }) };
    return this.#set({ ...body, ...override, reason }, caller, { operation: 'override', asked });
  }

  /** Denies all requests until a time. */
  pause(body: Pausing, caller: Caller): Promise<Look> {
    return this.#set({ ...body, limit: 0 }, caller, { operation: 'pause', asked: {} });
  }

  release(body: Pausing, caller: Caller): Promise<Look> {
    return this.#remove(body, caller, 'release');
  }

  async #set(
    body: Pausing & { readonly limit?: number | null },
    caller: Caller,
    { operation, asked }: { readonly operation: Operation; readonly asked: Asked },
  ): Promise<Look> {
    const { tier, lasts, until, reason = '' } = body;
    if (lasts !== undefined && until !== undefined) throw new HttpFailure(400, 'send either lasts or until');
    const state = await this.#stateIn(body);
    const end = lasts === undefined ? until : Math.round(state.inspection.readAt + lasts);
    const { more, plan } = asked;
    const limit = more === undefined ? body.limit! : ownLimit(state, plan, tier) + more;
    const bounds = this.#context.bounds.for(caller, state);
    bounds.check(limit, end === undefined ? undefined : momentOf('until', end));
    const detail = { limit, ...(end !== undefined && { until: momentOf('until', end) }), ...asked, ...lasting(lasts) };
    const { id, by } = authorOf(body, caller);
    const author = { id, ...(by !== undefined && { by }), reason };
    const replacing = (held: Override | undefined) => bounds.checkHeld(held);
    await this.#change(body, { operation, state, author, detail, replacing }, (about) =>
      this.#desk.set(
        { ...this.#choiceOf(body, tier), limit, until: end, reason, ...(by !== undefined && { by }) },
        { ...about, asked: { ...asked, ...lasting(lasts) } },
      ),
    );
    return this.#look(body);
  }

  async #remove(body: Overriding, caller: Caller, operation: Operation): Promise<Look> {
    const { tier, reason } = body;
    const state = await this.#stateIn(body);
    const bounds = this.#context.bounds.for(caller, state);
    const author = { ...authorOf(body, caller), ...(reason !== undefined && { reason }) };
    const replacing = (held: Override | undefined) => {
      if (operation === 'release' && held !== undefined && held.limit !== 0) {
        throw new HttpFailure(400, 'this client has an override that is no pause: end it by override, with null');
      }
      bounds.checkHeld(held);
    };
    await this.#change(body, { operation, state, author, replacing }, async (about) => {
      const isFound = await this.#desk.remove(this.#choiceOf(body, tier), { ...author, ...about });
      if (isFound === false) throw new HttpFailure(404, `this client has no override in ${tier}`);
    });
    return this.#look(body);
  }

  /** A desk that has an audit checks there what it replaces, and whether it knows the id. */
  async #change(body: Overriding, change: Change, run: (about: ActOptions) => unknown): Promise<void> {
    const { operation, state, author, replacing } = change;
    const about = { id: author.id, operation };
    if (this.#desk.isAudited === true) {
      await this.#ask(() => run({ ...about, replacing }));
      return;
    }
    const act = this.#actOf(body, change);
    const { acts } = auditLog(this.#context.store);
    const isSameClient = ({ tiers: [first] }: Act) => first?.digest === act.tiers[0]!.digest;
    const known = (await acts.all()).find((each) => each.id === act.id && isSameClient(each));
    if (known !== undefined) {
      repeatedAct('override', known, act);
      return;
    }
    replacing(state.inspection.override);
    await this.#ask(() => run(about));
    await auditLog(this.#context.store).report({ ...act, at: Date.now() });
  }

  #actOf(body: Overriding, { operation, state, author, detail }: Change): NewAct {
    const { identity, partition } = this.#context.identities.namedBy(body);
    const { id, ...others } = author;
    return {
      id,
      operation,
      ...others,
      tiers: [{ tier: body.tier, digest: digestIn(state.limiter, identity) }],
      ...(partition !== undefined && { partition: digestIn(state.limiter, partition) }),
      ...(detail !== undefined && { detail }),
    };
  }

  /** All tiers of the client, of which one has changed. */
  #look(body: Overriding): Promise<Look> {
    const { tier: _one, ...client } = body;
    return this.#context.identities.look('kind' in client ? client : body);
  }

  get #desk(): OverrideDesk {
    const { overrides } = this.#context;
    if (overrides === undefined) throw new HttpFailure(403, 'this dashboard changes no limits: pass overrides');
    return overrides;
  }

  /** An error of options shows no identity, and says what to type instead. */
  async #ask(change: () => unknown): Promise<unknown> {
    try {
      return await change();
    } catch (error) {
      if (isSluiceError(error) && error.name === 'ConfigError') throw new HttpFailure(400, error.message);
      throw error;
    }
  }

  #choiceOf(body: Overriding, tier: string) {
    const { identity, partition } = this.#context.identities.namedBy(body);
    return { tier, identity, ...(partition !== undefined && { partition }) };
  }

  /** What the tier has of the client. @throws HttpFailure 404 */
  async #stateIn(body: Overriding): Promise<TierState> {
    const { identities } = this.#context;
    const states = await identities.statesOf({ ...identities.namedBy(body), tier: body.tier });
    const state = states.find(({ tier }) => tier.name === body.tier);
    if (state === undefined)
      throw new HttpFailure(404, 'no tier of this name has this identity: look lists them as names');
    return state;
  }
}

type Asked = NonNullable<ActOptions['asked']>;

function lasting(lasts: number | undefined): Pick<Asked, 'lasts'> {
  return lasts === undefined ? {} : { lasts };
}

/** A date is its end in UTC. @throws HttpFailure 400 */
export function momentOf(name: string, given: number | string): number {
  const moment = readMoment(given);
  if (moment !== undefined) return moment;
  throw new HttpFailure(400, `${name} must be a moment such as 2027-01-31 or 2027-01-31T12:00:00Z, or milliseconds`);
}

/** The author of a change, whose act has an id in any case. */
export function authorOf({ id = newId(), reason }: ActFields, { by }: Caller): NamedAuthor {
  return { id, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
}

export function digestIn(limiter: LimiterView, identity: Named['identity']): string {
  return identity instanceof IdentityDigest ? identity.digest : limiter.digestOf(identity);
}

/** The limit without an override. @throws HttpFailure 400 where it depends on a plan or a request */
function ownLimit({ tier }: TierState, plan: string | undefined, name: string): number {
  if (tier.limit !== 'by-request') return tier.limit;
  const { plans = {} } = tier;
  const limit = plan === undefined ? undefined : plans[Object.hasOwn(plans, plan) ? plan : 'otherwise'];
  if (typeof limit === 'number') return limit;
  const names = Object.keys(plans);
  const remedy =
    names.length === 0 ? 'send limit in place of more' : 'send the plan of the client, or limit in place of more';
  throw new HttpFailure(400, `the limit of ${name} depends on the request: ${remedy}`);
}
