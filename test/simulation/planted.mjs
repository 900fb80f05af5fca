const STORES = 'packages/core/src/stores/';
const LINE = 'packages/overload/src/line/';

/**
 * Defects that Sluice once had, put back. The simulation must find each.
 *
 * @typedef {object} Planted
 * @property {string} name
 * @property {readonly string[]} [kinds] of fleets that run what is edited
 * @property {readonly { file: string, text: string, replacement: string }[]} edits
 */

/** @type {readonly Planted[]} */
export const planted = [
  {
    name: 'a limit that moves across 64 forgets units',
    edits: [
      {
        file: 'packages/core/src/algorithms/sliding-window/sliding-window.lua',
        text: 'if not stored and policy.keeps_log then return { stamps = {} } end',
        replacement: `if not stored and policy.keeps_log then return { stamps = {} } end
  if policy.keeps_log then
    local log = log_at(to_log(read_ring(stored, value, now, policy), now, policy), now, policy)
    while #log.stamps > policy.limit do table.remove(log.stamps, 1) end
    return log
  end`,
      },
      {
        file: 'packages/core/src/algorithms/sliding-window/sliding-window.lua',
        text: 'return is_ring_ahead(stored, value, now, policy)',
        replacement: 'return policy.keeps_log or is_ring_ahead(stored, value, now, policy)',
      },
    ],
  },
  {
    name: 'a Redis that answers again gives permits before it hears what runs',
    kinds: ['permits'],
    edits: [
      {
        file: `${STORES}with-permits/renewals.ts`,
        text: 'readonly isVital = true;',
        replacement: 'readonly isVital = false;',
      },
    ],
  },
  {
    name: 'a lost release blocks its permit for a third of its time',
    kinds: ['permits'],
    edits: [
      {
        file: `${STORES}between-processes/outbox.ts`,
        text: 'store.link?.onAnswer(() => void this.sendAll()),',
        replacement: '',
      },
      {
        file: `${STORES}with-permits/renewals.ts`,
        text: 'void context.outbox.sendAll();',
        replacement: 'void context.outbox.before([...context.held.all()].map(({ receipt }) => receipt));',
      },
      {
        file: `${STORES}between-processes/outbox.ts`,
        text: 'if (this.#letters.size > 0) this.#alarm.setFor(Infinity);',
        replacement: `const untils = [...this.#letters.values()].flatMap((each) => [...each.values()]).map(({ fact }) => fact.until);
    if (untils.length > 0) setTimeout(() => void this.sendAll(), (Math.max(...untils) - this.#clock()) / 3).unref();`,
      },
    ],
  },
  {
    name: 'a pause ends with the outage in which it began',
    kinds: ['pauses'],
    edits: [
      {
        file: `${STORES}with-permits/attempts.ts`,
        text: 'if (pauses !== undefined) outbox.keep(pauses.of(named, sentAt));',
        replacement: '',
      },
    ],
  },
  {
    name: 'a request that may wait has the whole limit while Redis is away, and not the share of its process',
    kinds: ['permits'],
    edits: [
      {
        file: `${STORES}between-processes/with-fallback.ts`,
        text: 'const localPolicy = terms.localPolicyOf(tierPolicyOf(policy));',
        replacement: 'const localPolicy = terms.localPolicyOf(policy);',
      },
      {
        file: `${STORES}between-processes/with-fallback.ts`,
        text: 'cost > terms.localPolicyOf(tierPolicyOf(policy)).capacity;',
        replacement: 'cost > terms.localPolicyOf(policy).capacity;',
      },
    ],
  },
  {
    name: 'a request that another slot denies forgives all strikes of an account',
    kinds: ['accounts'],
    edits: [
      {
        file: 'packages/redis/src/cluster.ts',
        text: 'await calls.refund(undoOf(undone));',
        replacement: 'await calls.refund(undone);',
      },
    ],
  },
  {
    name: 'a permit stays in use whose end a Redis refused to write',
    kinds: ['lapses'],
    edits: [
      {
        file: 'packages/core/src/scripts/release.lua',
        text: "if released.err:sub(1, 9) ~= 'WRONGTYPE' then return released end",
        replacement: '',
      },
    ],
  },
  {
    name: 'a primary of a Cluster that was ready, and is lost, keeps its first request for two seconds',
    kinds: ['accounts'],
    edits: [
      {
        file: 'packages/redis/src/connection/cluster-endpoints.ts',
        text: 'wasReady: node !== undefined && this.#wasReady.has(node),',
        replacement: '',
      },
    ],
  },
  {
    name: 'a write-back brings a removed override back',
    kinds: ['fleets'],
    edits: [
      {
        file: 'packages/policies/src/fleet/fleet-memory.ts',
        text: 'other === undefined ? entry.override !== undefined : isLater(entry, other)',
        replacement: 'entry.override !== undefined && (other === undefined || isLater(entry, other))',
      },
    ],
  },
  {
    name: 'a process of an older release begins with its file, and not with the version that it understands',
    kinds: ['fleets'],
    edits: [
      {
        file: 'packages/policies/src/fleet/fleet-follower.ts',
        text: 'const older = this.#looksBack ? await this.#lookBack() : undefined;',
        replacement: 'const older: KnownText | undefined = undefined;',
      },
    ],
  },
  {
    name: 'a version that processes remember wins over one that is applied after a loss',
    kinds: ['fleets'],
    edits: [
      {
        file: 'packages/policies/src/fleet/fleet-memory.ts',
        text: 'const isOwn = own.at > text.at || (own.at === text.at && own.sha > text.sha);',
        replacement: 'const isOwn = own.version > text.version;',
      },
    ],
  },
  {
    name: 'an override that is set after a loss never reaches the processes that run',
    kinds: ['fleets'],
    edits: [
      {
        file: 'packages/policies/src/fleet/fleet-memory.ts',
        text: '} else if (this.#put(entry)) fields.push(entry.field);',
        replacement: '} else if ((isSame || this.#last === undefined) && this.#put(entry)) fields.push(entry.field);',
      },
    ],
  },
  {
    name: 'callers that share a limit have no shares',
    kinds: ['shares'],
    edits: [
      {
        file: 'packages/core/src/algorithms/concurrency/wishes/shares.lua',
        text: 'if #others == 0 then return true end',
        replacement: 'if true then return true end',
      },
    ],
  },
  {
    name: 'a refund of an earlier month takes units out of this one',
    kinds: ['subscriptions'],
    edits: [
      {
        file: 'packages/core/src/algorithms/fixed-window/fixed-window.lua',
        text: 'if ends == until_ then given = min(units, count) end',
        replacement: 'given = min(units, count)',
      },
    ],
  },
  {
    name: 'a reconciliation forgets what the ledger does not know',
    kinds: ['subscriptions'],
    edits: [
      {
        file: 'packages/quotas/src/credits/reconcile.lua',
        text: 'if hour and hour >= since then left = left - tonumber(fields[place + 1]) end',
        replacement: '',
      },
    ],
  },
  {
    name: 'a mark is told again after a refund',
    kinds: ['quotas'],
    edits: [
      {
        file: 'packages/quotas/src/notices/noticed-window.lua',
        text: 'if window.told == count then',
        replacement: 'if window.told >= count then',
      },
    ],
  },
  {
    name: 'an id counts again after a second',
    kinds: ['quotas'],
    edits: [
      {
        file: 'packages/quotas/src/credits/credit.lua',
        text: 'if counted and time_of(counted) > now - STORED_FOR then',
        replacement: 'if counted and time_of(counted) > now - 1000 then',
      },
    ],
  },
  {
    name: 'a balance pays although another tier denies',
    kinds: ['quotas'],
    edits: [
      {
        file: 'packages/quotas/src/credits/covers.lua',
        text: 'pays = pays and (fits[other] or others >= 0 or covers(places, other))',
        replacement: 'pays = pays and true',
      },
    ],
  },
  {
    name: 'an override that was replaced or removed goes on for clients whose requests have met it',
    kinds: ['overrides'],
    edits: [
      {
        file: 'packages/policies/src/overrides/tier-overrides.ts',
        text: 'readonly #known = new Map<string, TierOverride>();',
        replacement: `get #known(): Map<string, TierOverride> {
    const all = ((globalThis as { met?: WeakMap<object, Map<string, TierOverride>> }).met ??= new WeakMap());
    const met = all.get(this.#tier) ?? new Map<string, TierOverride>();
    all.set(this.#tier, met);
    return met;
  }`,
      },
    ],
  },
  {
    name: 'an export runs beside another one, and marks what that has marked',
    kinds: ['subscriptions'],
    edits: [
      {
        file: 'packages/core/src/scripts/lock-usage.lua',
        text: 'holder and holder ~= name',
        replacement: 'false',
      },
      {
        file: 'packages/core/src/scripts/mark-usage.lua',
        text: "(call('HGET', key, 'x' .. hour) or '0') == before and ",
        replacement: '',
      },
    ],
  },
  {
    name: 'a place that is kept is taken by whoever comes',
    kinds: ['lines'],
    edits: [
      {
        file: `${LINE}lined-claims.lua`,
        text: 'if left < costs[claim] + owes[claim] then waits[claim] = 1 end',
        replacement: '',
      },
      {
        file: `${LINE}standing.ts`,
        text: 'if (algorithm.remaining(state, now, policy) >= units) return 0;',
        replacement: 'if (retryAfter === 0) return 0;',
      },
    ],
  },
  {
    name: 'a line is longer than its bound',
    kinds: ['lines'],
    edits: [
      {
        file: `${LINE}lined-claims.lua`,
        text: 'if at - now <= max(exact, policy.line.longest) then return at, line_end end',
        replacement: 'if now then return at, line_end end',
      },
      {
        file: `${LINE}pace.ts`,
        text: 'if (place.at - now <= Math.max(exact, policy.line.longest)) return',
        replacement: 'if (place.at - now <= Infinity) return',
      },
    ],
  },
  {
    name: 'each settlement that finds no units in a balance gives notice of it',
    kinds: ['grants'],
    edits: [
      {
        file: 'packages/quotas/src/credits/balance.ts',
        text: 'lowered(units === 0 ? account : spend(account, units, now), now, policy)',
        replacement: 'units === 0 ? account : lowered(spend(account, units, now), now, policy)',
      },
      {
        file: 'packages/quotas/src/credits/balance.lua',
        text: '  -- A settlement may find nothing, and tells marks all the same.\n',
        replacement: '  if units == 0 then return account, change end\n',
      },
    ],
  },
];
