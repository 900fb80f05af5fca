import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { accountWithKey, type Account } from '@sluice/example-shared';
import type { HttpRequest } from '@sluice/nestjs';

/** Whose API key a request has; undefined where it has none that we know. */
export function keyHolder(request: HttpRequest): Account | undefined {
  return accountWithKey(request.headers?.['x-api-key']);
}

/** Lets nobody pass without a known key. */
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    if (keyHolder(context.switchToHttp().getRequest())) return true;
    throw new UnauthorizedException('X-API-Key is free-key or pro-key');
  }
}
