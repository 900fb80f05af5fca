import { StoreError, UsageError } from '@sluice/core';
import type { Override } from '../overrides/index.js';
import { actIn, openAct, repeatedAct, type Act, type NewAct } from '../audit/act.js';
import type { AuditLog } from '../audit/audit-log.js';
import { overrideActsKey } from '../audit/client-acts.js';
import type { ScriptClient } from '../scripts/script-client.js';
import { timeOf } from './fleet-news.js';
import type { FleetOverride } from './fleet-state.js';
import { mark } from './mark.js';
import { entryIn, fieldOf, openText, type Entry } from './override-entry.js';
import { heldScript, overrideScript } from './scripts.js';

export const MAX_OVERRIDES = 10_000;
/** Of a change that others are faster than. */
const MAX_ATTEMPTS = 10;

/** What is done with an override. */
export interface OverrideChange {
  /** Overrides that have ended, and make room. */
  readonly ended?: readonly Override[] | undefined;
  /** Is recorded in the same step. One that was recorded before changes nothing. */
  readonly act?: NewAct | undefined;
  /** Throws if the change must not replace what Redis has. The change is made only while Redis has that. */
  readonly replacing?: ((held: FleetOverride | undefined) => void) | undefined;
}

/** A change of an override. */
interface Setting {
  /** Undefined for a repetition, which has changed nothing. */
  readonly entry: Entry | undefined;
  /** Undefined without an author. */
  readonly act: Act | undefined;
}

interface Removal extends Setting {
  /** False: there was none in Redis. */
  readonly isFound: boolean;
}

/** Of overrideScript. None of them if there are too many overrides. */
type OverrideReply = readonly [] | readonly [head: string, value: string, found: number, act: string];

type OverrideOwner = Pick<Override, 'tier' | 'digest' | 'partition'>;

interface OverridesContext {
  readonly client: ScriptClient;
  readonly log: AuditLog;
  /** Of the policies. */
  readonly name: string;
  readonly keys: Readonly<Record<'policies' | 'overrides' | 'changes' | 'history', string>>;
}

/** The overrides in Redis, for all processes. */
export class RedisOverrides {
  readonly #context: OverridesContext;

  constructor(context: OverridesContext) {
    this.#context = context;
  }

  /** @throws UsageError beyond 10 000, and for an id that names another act; StoreError; what `replacing` throws */
  async set(override: FleetOverride, change: OverrideChange = {}): Promise<Setting> {
    const reply = await this.#change(override, openText(override), change);
    const [head, value] = reply;
    if (head === undefined) {
      throw new UsageError('USAGE_INVALID', `override: there are at most ${MAX_OVERRIDES}: remove one first`);
    }
    const entry = head === '' ? undefined : entryIn(fieldOf(override), value!)!;
    return { entry, act: await this.#reported(reply) };
  }

  /** A removal that finds none is not recorded. @throws as `set` */
  async remove(owner: OverrideOwner, change: OverrideChange = {}): Promise<Removal> {
    const reply = await this.#change(owner, '', change);
    const [head = '', , found] = reply;
    const act = await this.#reported(reply);
    if (head === '') return { entry: undefined, isFound: true, act };
    const entry = { field: fieldOf(owner), at: timeOf(head), value: '', override: undefined };
    return { entry, isFound: found === 1, act };
  }

  async #change(owner: OverrideOwner, text: string, change: OverrideChange): Promise<OverrideReply> {
    const { act, replacing, ended = [] } = change;
    const { client, log, name, keys } = this.#context;
    const { policies, overrides, changes, history } = keys;
    const actsKey = overrideActsKey(name, owner);
    const all = [policies, overrides, changes, history, actsKey];
    const recorded = act === undefined ? ['', ''] : [act.id, openAct(act)];
    const find = async () => (await log.acts.of(actsKey)).find(({ id }) => id === act?.id);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const held = replacing === undefined ? '*' : await this.#held(owner, change);
      const args = [MAX_OVERRIDES, fieldOf(owner), text, mark(), mark(), ...recorded, held, ...ended.map(fieldOf)];
      const write = async () => (await client.run(overrideScript, all, args)) as OverrideReply;
      const reply = await (act === undefined ? write() : log.watched(find, write));
      const [head, , , known = ''] = reply;
      if (head !== '') return reply;
      if (known === '') continue;
      repeatedAct('override', actIn(known), act!);
      return reply;
    }
    throw new StoreError('STORE_UNAVAILABLE', 'override: others change this override at the same time: try again');
  }

  /** The value that a change replaces. @throws what `replacing` throws */
  async #held(owner: OverrideOwner, { act, replacing }: OverrideChange): Promise<string> {
    const { client, name, keys } = this.#context;
    const field = fieldOf(owner);
    const reply = await client.run(heldScript, [keys.overrides, overrideActsKey(name, owner)], [field, act?.id ?? '']);
    const [held, known] = reply as readonly [string, string];
    // The script answers a repetition what happened then.
    if (known === '') replacing!(entryIn(field, held)?.override);
    return held;
  }

  async #reported([, , , row = '']: OverrideReply): Promise<Act | undefined> {
    const act = actIn(row);
    if (act !== undefined) await this.#context.log.report(act);
    return act;
  }
}
