import type { Fleet, Member } from '../fleet.js';

/** What an operator has said about a tenant, or about the text of all limits. */
export interface Word {
  readonly member: Member;
  readonly of: string;
  /** Undefined: there is to be no override. */
  readonly value: string | undefined;
  readonly calledAt: number;
  /** Infinity: not yet. */
  settledAt: number;
  /** False: Redis may have heard it. */
  isHeard: boolean;
}

/** All words of operators in a run. */
export class Words {
  readonly #words: Word[] = [];

  constructor(readonly fleet: Fleet) {}

  begin(member: Member, of: string, value: string | undefined): Word {
    const { now } = this.fleet.world;
    const word: Word = { member, of, value, calledAt: now, settledAt: Infinity, isHeard: false };
    this.#words.push(word);
    return word;
  }

  /** It has not left its process. */
  withdraw(word: Word): void {
    this.#words.splice(this.#words.indexOf(word), 1);
  }

  /** The word that must stand. Undefined where several answers are right. */
  last(of: string): { readonly value: string | undefined } | undefined {
    const all = this.#words.filter((each) => each.of === of);
    const last = all.at(-1);
    if (last === undefined) return { value: undefined };
    const isClear = all.every((each) => each.isHeard && (each === last || each.settledAt < last.calledAt));
    return isClear && !this.#isForgotten(last) ? last : undefined;
  }

  checkSettled(): void {
    const { world } = this.fleet;
    for (const { member, of, settledAt } of this.#words) {
      if (settledAt === Infinity && !member.process.isDead) world.fail(`a change of ${of} has no end`);
    }
  }

  /** Redis has lost it, and so has the process that knew it, or it was lost before a process could know it. */
  #isForgotten({ member, calledAt, settledAt }: Word): boolean {
    return this.fleet.losses.some((at) => at >= calledAt && (member.process.isDead || at <= settledAt));
  }
}

export function isUnreachable(error: unknown): boolean {
  return (error as { code?: string }).code === 'STORE_UNAVAILABLE';
}

/** Redis cannot have heard it. */
export function isUnsent(error: unknown): boolean {
  return isUnreachable(error) && (error as Error).message.endsWith('there is no connection');
}
