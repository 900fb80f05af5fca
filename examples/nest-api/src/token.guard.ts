import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { claimsOf, type Claims } from '@sluice/example-shared';

export interface AuthenticatedRequest {
  readonly headers: { readonly authorization?: string };
  user?: Claims;
}

/** Verifies the token and stores its claims in `request.user`, where `byJwtSubject()` reads them. */
export class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const claims = await claimsOf(request.headers.authorization);
    if (!claims) {
      http.getResponse<{ header(name: string, value: string): void }>().header('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('A token is required: see POST /login');
    }
    request.user = claims;
    return true;
  }
}
