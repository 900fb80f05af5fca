import type { CanActivate, ExecutionContext, Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthenticatedRateLimitGuard, RateLimitGuard } from '@sluice/nestjs';

/** Tells who a request is from, by what it says itself. */
export class NameGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: { id: string } }>();
    const id = request.headers['x-name'];
    if (id !== undefined) request.user = { id };
    return id !== undefined;
  }
}

/** Guards of all handlers, in their order. */
export const atEntry: Provider = { provide: APP_GUARD, useExisting: RateLimitGuard };
export const byName: Provider = { provide: APP_GUARD, useClass: NameGuard };
export const authenticated: Provider = { provide: APP_GUARD, useExisting: AuthenticatedRateLimitGuard };

/** A request from somebody. */
export function from(name: string): RequestInit {
  return { headers: { 'x-name': name } };
}
