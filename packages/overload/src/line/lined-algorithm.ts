import {
  type Algorithm,
  algorithmOf,
  type Beside,
  type Kernel,
  type Outcome,
  type Policy,
  type Reporting,
} from '@sluice/core/internal';
import { besideOf } from './line-beside.js';
import type { LinedPolicy, LineTerms } from './lined-policy.js';
import type { LinedRuling } from './lined-ruling.js';
import { placeNoteOf } from './standing.js';

/** By what lines of an algorithm keep. */
const known = new WeakMap<object, Map<object, Algorithm>>();

/** The algorithm of a limit with a line. It decides as the one that it is made of, and tells denied requests their places. */
export function linedAlgorithm(policy: Policy, terms: LineTerms): Algorithm<LinedPolicy> {
  const plain = algorithmOf(policy);
  const beside = besideOf(terms);
  const ofPlain = known.get(plain) ?? new Map<object, Algorithm>();
  const made = ofPlain.get(beside) ?? lined(plain, beside);
  known.set(plain, ofPlain.set(beside, made));
  return made;
}

const reporting: Reporting = {
  denialOf: ({ fitsAfter }) =>
    fitsAfter === undefined
      ? undefined
      : {
          detail: (wait) => `Too many requests. Your place in line is in ${wait}.`,
          members: { 'fits-after': fitsAfter },
        },
};

function lined(plain: Algorithm, beside: Beside<LinedPolicy>): Algorithm {
  const kernels = new WeakMap<Kernel, Kernel>();
  return {
    ...plain,
    twin: `l${plain.twin}`,
    // Each denial has a place of its own.
    denialsLast: false,
    facets: { ...plain.facets, beside, reporting },

    kernel(policy) {
      const kernel = plain.kernel(policy);
      // A place that is kept may deny what the state admits.
      if (kernel === undefined || beside.noted !== undefined) return undefined;
      const made = kernels.get(kernel) ?? { ...kernel, leavesDenials: true };
      kernels.set(kernel, made);
      return made;
    },

    tell(outcome, claim, ruling: LinedRuling): Outcome {
      const { told, place } = ruling;
      const shown = plain.tell?.(outcome, claim, ruling) ?? outcome;
      if (told === undefined) return shown;
      const wait = Math.ceil((told * claim.policy.tick) / 1e3);
      const text = place === undefined ? undefined : placeNoteOf(claim).seal?.(place);
      return {
        ...shown,
        retryAfter: Math.max(shown.retryAfter, wait),
        fitsAfter: shown.retryAfter,
        ...(text !== undefined && { place: text }),
      };
    },
  };
}
