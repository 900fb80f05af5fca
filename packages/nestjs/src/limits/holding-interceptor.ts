import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { algorithmNamed } from '@sluice/core/internal';
import { heldBy, mayHold } from '@sluice/http/adapter';

/** An Observable of the application's own rxjs, so that this package needs none. */
type Handled = ReturnType<CallHandler['handle']>;
type HandledClass = new (subscribe: (subscriber: Parameters<Handled['subscribe']>[0]) => () => void) => Handled;

/** Holds the permits of a request until its handler has ended. Only limits that may hold permits use it. */
export class HoldingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Handled | Promise<Handled> {
    const held = context.getType() === 'http' ? heldBy(context.switchToHttp().getRequest<object>()) : undefined;
    const handled = next.handle();
    if (held === undefined) return handled;
    // The client has left while other guards ran. The promise is collected with the request.
    if (held.isOver) return new Promise(() => {});
    const Stream = handled.constructor as HandledClass;
    return new Stream((subscriber) => {
      held.begin();
      handled.subscribe(subscriber);
      return () => held.end();
    });
  }
}

// Called by hand, because the build emits no metadata.
Injectable()(HoldingInterceptor);

/** Whether a limit may hold permits. The application starts later, and checks its options then. */
export function mayHoldPermits(options: unknown): boolean {
  const { limiter, tiers, algorithm } = Object(options) as Readonly<Record<string, unknown>>;
  if (limiter !== undefined) return mayHold(Object(limiter) as object);
  if (tiers === undefined) return isHeld(algorithm);
  // A function chooses among plans.
  return !Array.isArray(tiers) || tiers.some((tier) => isHeld((Object(tier) as { algorithm?: unknown }).algorithm));
}

/** @param algorithm an option that was not checked yet */
function isHeld(algorithm: unknown): boolean {
  return typeof algorithm === 'string' && algorithmNamed(algorithm)?.endsWithRequest === true;
}
