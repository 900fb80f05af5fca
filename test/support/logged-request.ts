import type { LoggedRequest } from '../../packages/cli/src/logs/logged-request.js';
import { spanOf } from '../../packages/cli/src/logs/span.js';

/** A request as readers of logs return it. */
export function loggedRequest({
  ip = '203.0.113.7',
  path = '/',
  ...others
}: Partial<Omit<LoggedRequest, 'ipBytes' | 'pathBytes'>>): LoggedRequest {
  return {
    time: 0,
    ip,
    path,
    user: '',
    method: 'GET',
    url: path,
    status: 200,
    agent: '',
    key: '',
    cost: '',
    ...others,
    get ipBytes() {
      return spanOf(ip);
    },
    get pathBytes() {
      return spanOf(path);
    },
  };
}
