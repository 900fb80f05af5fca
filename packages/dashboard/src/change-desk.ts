import { isSluiceError, type LimiterView, type Store } from '@sluice/core';
import { IdentityDigest, type TierState } from '@sluice/metrics/operations';
import { auditLog, type Act } from '@sluice/policies';
import { newId } from '@sluice/policies/operations';
import { mayAct, type Caller } from './api/role.js';
import type { OverrideDesk } from './dashboard-options.js';
import { HttpFailure } from './http-failure.js';
import type { IdentityDesk, Named } from './identity-desk.js';
import type { ActFields, Look, Overriding } from './messages.js';

interface DeskContext {
  readonly store: Store;
  readonly identities: IdentityDesk;
  readonly overrides: OverrideDesk | undefined;
}

/** A body whose fields were checked. */
export type Pausing = Overriding & { readonly lasts?: number; readonly until?: number | string };

interface NamedAuthor {
  readonly id: string;
  readonly by?: string;
  readonly reason?: string;
}

type Operation = 'override' | 'end-override' | 'pause' | 'release';

/** Changes the limits of identities in the name of a caller. */
export class ChangeDesk {
  readonly #context: DeskContext;

  constructor(context: DeskContext) {
    this.#context = context;
  }

  /** Sets or removes an override. Its end is counted from the time of the store. @throws HttpFailure; StoreError */
  async override(body: Overriding, caller: Caller): Promise<Look> {
    const { override, tier, plan } = body;
    if (override === null) return this.#remove(body, caller, 'end-override');
    const { limit, more, reason } = override;
    if ((limit === undefined) === (more === undefined)) throw new HttpFailure(400, 'send either limit or more');
    const change = { ...body, ...override, reason };
    return this.#set(change, caller, 'override', (state) =>
      more === undefined ? limit! : ownLimit(state, plan, tier) + more,
    );
  }

  /** Denies all requests until a time. */
  pause(body: Pausing, caller: Caller): Promise<Look> {
    return this.#set(body, caller, 'pause', () => 0);
  }

  async release(body: Pausing, caller: Caller): Promise<Look> {
    const { inspection } = await this.#stateIn(body);
    if (inspection.override !== undefined && inspection.override.limit !== 0) {
      throw new HttpFailure(400, 'this client has an override that is no pause: end it by override, with null');
    }
    return this.#remove(body, caller, 'release');
  }

  async #set(
    body: Pausing,
    caller: Caller,
    operation: Operation,
    limitOf: (state: TierState) => number | null,
  ): Promise<Look> {
    const { tier, lasts, until, reason = '' } = body;
    if (lasts !== undefined && until !== undefined) throw new HttpFailure(400, 'send either lasts or until');
    if (lasts === undefined && until === undefined && !mayAct(caller, 'admin')) {
      throw new HttpFailure(403, 'a limit without an end needs the role admin: send lasts or until');
    }
    const state = await this.#stateIn(body);
    const end = lasts === undefined ? until : Math.round(state.inspection.readAt + lasts);
    const limit = limitOf(state);
    const choice = this.#choiceOf(body, tier);
    const { by, id } = authorOf(body, caller);
    const author = by === undefined ? {} : { by };
    const set = { ...choice, limit, until: end, reason, ...author };
    const done = (await this.#ask(() => this.#desk.set(set, { id, operation }))) as { readonly until?: number };
    const detail = { limit, ...(done?.until !== undefined && { until: done.until }) };
    await this.#report(state, body, { id, operation, ...author, reason, detail });
    return this.#look(body);
  }

  async #remove(body: Overriding, caller: Caller, operation: Operation): Promise<Look> {
    const { tier, reason } = body;
    const state = await this.#stateIn(body);
    const author = { ...authorOf(body, caller), ...(reason !== undefined && { reason }) };
    const isFound = await this.#ask(() => this.#desk.remove(this.#choiceOf(body, tier), { ...author, operation }));
    if (isFound === false) throw new HttpFailure(404, `this client has no override in ${tier}`);
    await this.#report(state, body, { ...author, operation });
    return this.#look(body);
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

  /** What the desk of the overrides does not report itself. */
  async #report(state: TierState, body: Overriding, act: Omit<Act, 'at' | 'tiers'>): Promise<void> {
    if (this.#context.overrides?.isAudited === true && act.by !== undefined) return;
    const { identity, partition } = this.#context.identities.namedBy(body);
    const tiers = [{ tier: body.tier, digest: digestIn(state.limiter, identity) }];
    const partitioned = partition === undefined ? {} : { partition: digestIn(state.limiter, partition) };
    await auditLog(this.#context.store).report({ ...act, at: Date.now(), tiers, ...partitioned });
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
