import { isPromise, warnOfUnsentResult, watchDenial, type DenialAnswer } from '@sluice/http/adapter';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const REMEDY = 'answer with response.json(…), or write the option body in place of onDenied';

/** Calls `onDenied`, and warns once if it leaves its client without an answer: Express sends nothing that it returns. */
export function answerDenial(
  onDenied: RequestHandler,
  { request, response, next }: { request: Request; response: Response; next: NextFunction },
): unknown {
  let isPassedOn = false;
  const passOn = (...args: Parameters<NextFunction>): void => {
    isPassedOn = true;
    next(...args);
  };
  const isOver = (): boolean => isPassedOn || response.headersSent || response.writableEnded || response.destroyed;
  const answer = { isOver, remedy: REMEDY };
  const result: unknown = onDenied(request, response, passOn as NextFunction);
  if (isPromise(result)) return Promise.resolve(result).then((resolved) => inspectResult(resolved, answer));
  inspectResult(result, answer);
  return result;
}

function inspectResult(result: unknown, answer: DenialAnswer): void {
  if (answer.isOver()) return;
  if (isPayload(result)) warnOfUnsentResult('Express', answer);
  else watchDenial(answer);
}

/** What a program means as a body. A handler that answers later may return anything else, such as a timer. */
function isPayload(result: unknown): boolean {
  if (typeof result === 'string' || Array.isArray(result)) return true;
  if (typeof result !== 'object' || result === null) return false;
  return Object.getPrototypeOf(result) === Object.prototype || result instanceof globalThis.Response;
}
