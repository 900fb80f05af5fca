import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { accountWithKey, type Account } from '@sluice/example-shared';
import type { HttpRequest } from '@sluice/nestjs';

/** The account of the API key of a request; undefined without a known key. */
export function keyHolder(request: HttpRequest): Account | undefined {
  return accountWithKey(request.headers?.['x-api-key']);
}

/** Denies requests without a known key. */
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    if (keyHolder(context.switchToHttp().getRequest())) return true;
    throw new UnauthorizedException('X-API-Key must be free-key or pro-key');
  }
}
