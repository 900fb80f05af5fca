import type { Answer, Claim, Deferred, PendingCheck, RequestFacts } from '@sluice/core/internal';

/** A check whose caller gets what Redis says. */
export class PlainCheck implements PendingCheck {
  readonly group: readonly Claim[];
  readonly isPeek: boolean;
  readonly facts: RequestFacts | undefined;
  readonly isPlain = true;
  answer: Deferred<Answer> | undefined;

  constructor(group: readonly Claim[], isPeek: boolean, facts?: RequestFacts) {
    this.group = group;
    this.isPeek = isPeek;
    this.facts = facts;
  }

  onAnswer(answer: Answer): Answer {
    return answer;
  }

  onError(error: unknown): never {
    throw error;
  }
}
