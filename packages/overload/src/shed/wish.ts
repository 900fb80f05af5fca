import { show, warn } from '@sluice/core/internal';
import type { HttpRequest } from '@sluice/http/internal';
import { isPriority } from './priority.js';
import type { ShedderSettings, Wish } from './shedder-options.js';

const NORMAL: Wish = { is: 'normal' };

/**
 * What a request is worth, and what it needs. A mistake of the application must not show under overload first: it costs the request
 * its priority, and no more.
 */
export function wishOf<S>(request: S, { priority, facets }: Pick<ShedderSettings<S>, 'priority' | 'facets'>): Wish {
  for (const facet of facets) {
    const given = facet.priorityOf?.(request as HttpRequest);
    if (given !== undefined) return { is: given };
  }
  if (priority === undefined) return NORMAL;
  try {
    const result: unknown = priority(request);
    if (isPriority(result)) return { is: result };
    if (isWish(result)) return result;
    warnOf('priority', `must return 'critical', 'normal' or 'sheddable', or { is, needs }, got ${show(result)}`);
  } catch (error) {
    warnOf('priority', `has failed: ${error instanceof Error ? error.name : typeof error}`);
  }
  return NORMAL;
}

function isWish(result: unknown): result is Wish {
  const { is, needs = [] } = Object(result) as Partial<Wish>;
  return isPriority(is) && Array.isArray(needs);
}

export function warnOf(option: string, mistake: string): void {
  warn('SLUICE_SHEDDER_FUNCTION', `shedder: the function ${option} ${mistake}`, option);
}
