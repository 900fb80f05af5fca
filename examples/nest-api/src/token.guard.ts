import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { claimsOf, type Claims } from '@sluice/example-shared';

export interface AuthenticatedRequest {
  readonly headers: { readonly authorization?: string };
  user?: Claims;
}

/** Leaves the claims of a token in `request.user` once they are verified: `byJwtSubject()` looks there. */
export class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const claims = await claimsOf(request.headers.authorization);
    if (!claims) {
      http.getResponse<{ header(name: string, value: string): void }>().header('WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('POST /login gives you a token');
    }
    request.user = claims;
    return true;
  }
}
