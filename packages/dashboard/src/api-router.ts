import { limitersOf, type Store } from '@sluice/core';
import { isLine } from '@sluice/metrics/operations';
import { auditLog, type AuditLog } from '@sluice/policies';
import { actsOnClient } from '@sluice/policies/operations';
import { isSameOrigin } from './access.js';
import { sendJson, statusOf } from './answers.js';
import { openApi } from './api/open-api.js';
import { type Operation, OPERATIONS, type OperationName } from './api/operations.js';
import { mayAct, type Caller } from './api/role.js';
import { mistakeIn } from './api/schema.js';
import { BalanceDesk } from './balance-desk.js';
import { authorOf, ChangeDesk, type Pausing } from './change-desk.js';
import type { OverrideDesk } from './dashboard-options.js';
import { deskEvent, resultOf } from './desk-event.js';
import { HttpFailure } from './http-failure.js';
import type { IdentityDesk } from './identity-desk.js';
import type { Acts, Crediting, HistoryChoice, Overriding, State } from './messages.js';
import type { Mounted } from './mounted.js';
import { readBody } from './request-body.js';
import type { BoundsOfRoles } from './support-bounds.js';

/** An admitted request. */
export interface Visit extends Mounted {
  readonly caller: Caller;
}

interface RouterContext {
  readonly store: Store;
  readonly identities: IdentityDesk;
  readonly overrides: OverrideDesk | undefined;
  readonly bounds: BoundsOfRoles;
  readonly readOnly: boolean;
  readonly state: (caller: Caller) => State;
  readonly openEvents: (visit: Visit) => void;
}

type NamedOperation = Operation & { readonly name: OperationName };

type Handler = (visit: Visit, body: object) => object | Promise<object> | undefined;

/** The routes below `api/`, whose operations say who may call them and with which bodies. */
export class ApiRouter {
  readonly #readOnly: boolean;
  readonly #handlers: Readonly<Record<OperationName, Handler>>;

  constructor({ store, identities, overrides, bounds, readOnly, state, openEvents }: RouterContext) {
    this.#readOnly = readOnly;
    // Credits of this process are in the list of the store from now on.
    const log = auditLog(store);
    const changes = new ChangeDesk({ store, identities, overrides, bounds });
    const balances = new BalanceDesk(store, identities, bounds);
    this.#handlers = {
      'openapi.json': () => openApi(),
      state: ({ caller }) => state(caller),
      events(visit) {
        openEvents(visit);
        return undefined;
      },
      look: (_visit, body) => identities.look(body),
      history: (_visit, body) => history({ store, log, identities, overrides }, body),
      overrides: () => ({ overrides: overrides?.list?.() ?? limitersOf(store).flatMap((each) => each.overrides) }),
      override: ({ caller }, body) => changes.override(body as Overriding, caller),
      pause: ({ caller }, body) => changes.pause(body as Pausing, caller),
      release: ({ caller }, body) => changes.release(body as Pausing, caller),
      forget: ({ caller }, body) => identities.forget(body, authorOf(body, caller), mayAct(caller, 'admin')),
      credit: ({ caller }, body) => balances.credit(body as Crediting, caller),
      debit: ({ caller }, body) => balances.debit(body as Crediting, caller),
    };
  }

  async answer(visit: Visit): Promise<void> {
    const operation = OPERATIONS.find(({ name }) => `/api/${name}` === visit.path);
    const isChange = operation !== undefined && operation.role !== 'read';
    try {
      await this.#run(visit, operation);
      if (isChange) tellRequest(operation, visit.caller, 200);
    } catch (error) {
      if (isChange) tellRequest(operation, visit.caller, statusOf(error));
      throw error;
    }
  }

  async #run(visit: Visit, operation: NamedOperation | undefined): Promise<void> {
    const { request, response, caller } = visit;
    if (!isSameOrigin(request))
      throw new HttpFailure(403, 'only the page of this dashboard and programs may send this');
    if (operation === undefined) throw new HttpFailure(404, 'not found: api/openapi.json lists all routes');
    const { method } = operation;
    // The end of a stream never comes.
    const isHead = request.method === 'HEAD' && method === 'GET' && operation.name !== 'events';
    if (request.method !== method && !isHead) {
      response.setHeader('allow', method);
      throw new HttpFailure(405, `send ${method}`);
    }
    this.#checkRole(operation, caller);
    const body = method === 'POST' ? await readBody(request) : {};
    const mistake = operation.body && mistakeIn(operation.body, body);
    if (mistake !== undefined) throw new HttpFailure(400, mistake);
    const answer = await this.#handlers[operation.name](visit, body);
    if (answer !== undefined) sendJson(response, answer);
  }

  #checkRole({ name, role }: Operation, caller: Caller): void {
    if (role !== 'read' && caller.by !== undefined && !isLine(caller.by, 100)) {
      throw new HttpFailure(403, 'the name of this caller must be 1 to 100 characters on one line to change something');
    }
    if (mayAct(caller, role)) return;
    if (this.#readOnly)
      throw new HttpFailure(403, 'this dashboard is read-only: readOnly: false lets it change something');
    throw new HttpFailure(403, `${name} needs the role ${role}, and this caller has the role ${caller.role}`);
  }
}

function tellRequest({ name }: NamedOperation, { by, role }: Caller, status: number): void {
  if (!deskEvent.hasSubscribers) return;
  deskEvent.publish({ operation: name, role, ...(by !== undefined && { by }), result: resultOf(status) });
}

async function history(
  {
    store,
    log,
    identities,
    overrides,
  }: Pick<RouterContext, 'identities' | 'overrides' | 'store'> & { readonly log: AuditLog },
  { limit = 1_000, ...choice }: HistoryChoice,
): Promise<Acts> {
  const { by, since, tier } = choice;
  const isOfClient = 'kind' in choice || 'digest' in choice;
  const { name = 'limits' } = overrides ?? {};
  const acts = isOfClient
    ? await actsOnClient(store, limitersOf(store), { ...identities.namedBy(choice), by, since, policies: [name] })
    : await log.list({ by, since });
  const own = acts.filter(({ tiers }) => tier === undefined || tiers.some((each) => each.tier === tier));
  return { acts: own.slice(0, limit) };
}
