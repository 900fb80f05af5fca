import { Body, Controller, Get, HttpCode, Post, Req, UnauthorizedException, UseGuards } from '@nestjs/common';
import { authenticate, signToken } from '@sluice/example-shared';
import { AuthenticatedRateLimitGuard, RateLimit, signedIn, type Decision } from '@sluice/nestjs';
import { loginLimit, meLimit } from './limits.js';
import { TokenGuard, type AuthenticatedRequest } from './token.guard.js';

@Controller()
export class UsersController {
  /** Returns a token for a user name and its password. Guards, and so the limit, run before the password check. */
  @Post('login')
  @HttpCode(200)
  @RateLimit(loginLimit)
  async login(
    @Body() body: { user?: unknown; password?: unknown } | undefined,
    @Req() { rateLimit }: { rateLimit?: Decision },
  ): Promise<object> {
    const account = await authenticate(body?.user, body?.password);
    if (!account) throw new UnauthorizedException('Wrong user or password');
    await signedIn(rateLimit);
    return { token: await signToken(account) };
  }

  @Get('me')
  @RateLimit(meLimit)
  @UseGuards(TokenGuard, AuthenticatedRateLimitGuard)
  me(@Req() { user }: AuthenticatedRequest): object {
    return { user: user?.sub, plan: user?.['plan'] };
  }
}
