import type { LoggedRequest } from '../../packages/cli/src/logs/lines/logged-request.js';
import { hashOf, spanOf } from '../../packages/cli/src/logs/lines/span.js';

/** A request as readers of logs return it. */
export function loggedRequest({
  ip = '203.0.113.7',
  path = '/',
  agent = '',
  ...others
}: Partial<Omit<LoggedRequest, 'ipBytes' | 'pathBytes' | 'agentCode'>>): LoggedRequest {
  return {
    time: 0,
    ip,
    path,
    user: '',
    method: 'GET',
    url: path,
    status: 200,
    agent,
    key: '',
    cost: '',
    ...others,
    get ipBytes() {
      return spanOf(ip);
    },
    get agentCode() {
      return agent === '' ? 0 : hashOf(spanOf(agent)) >>> 2;
    },
    get pathBytes() {
      return spanOf(path);
    },
  };
}
