import type { HttpContestant } from '../http/http-contestant.js';
import type { HttpVerbs } from '../http/server-process.js';
import type { UnsentAnswers } from '../http/unsent-requests.js';
import { CPU_ALONE, type Sample } from '../measure/sample.js';
import type { Child } from '../processes/child.js';
import { troubleOf } from './http.js';

/** A server whose requests come without sockets. */
export interface UnsentServer {
  readonly contestant: HttpContestant;
  readonly child: Child<HttpVerbs>;
}

/** The CPU that a server takes while a function lets it answer requests. */
export async function unsentTurn(
  { contestant, child }: UnsentServer,
  answer: () => Promise<UnsentAnswers>,
): Promise<Sample> {
  const before = await child.call.usage();
  const { answered, refused } = await answer();
  const after = await child.call.usage();
  const cpu = after.cpu - before.cpu;
  return {
    ...CPU_ALONE,
    // Of its CPU time: others may have had the core for a part of the turn.
    rate: (answered * 1e6) / cpu,
    cpu: cpu / answered,
    userCpu: (after.userCpu - before.userCpu) / answered,
    isUnsent: true,
    trouble: troubleOf(contestant, { answered, refused, skipped: 0 }),
  };
}
