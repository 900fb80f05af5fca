import type { Answered, LogForm, WrittenLine } from './written-log.js';

const INFO = 30;
const line = (time: number, of: object): WrittenLine => [time, JSON.stringify(of)];
const event = (time: number, of: object): WrittenLine => [time, JSON.stringify(of), 'other event'];
const PROCESS = { pid: 71, hostname: 'web-6f9c' };

function pinoRequest({ id, method, url, agent, client }: Answered) {
  const headers = { host: 'www.example.com', 'user-agent': agent };
  return { id, method, url, query: {}, params: {}, headers, remoteAddress: client.name, remotePort: 1_024 + id };
}

/** pino-http: lines about requests that run have the request, too, and no answer. */
export const PINO_HTTP: LogForm = {
  lines: (request) => {
    const { arrived, ended, status, id } = request;
    const req = pinoRequest(request);
    const res = { statusCode: status, headers: { 'content-type': 'text/html' } };
    const about = { level: INFO, ...PROCESS, req };
    return [
      ...(id % 3 === 0 ? [event(arrived, { ...about, time: arrived, msg: 'looked up the basket' })] : []),
      line(ended, { ...about, time: ended, res, responseTime: ended - arrived, msg: 'request completed' }),
    ];
  },
  timeOf: ({ arrived }) => arrived,
  others: [
    ['other event', (time) => JSON.stringify({ level: INFO, time, ...PROCESS, msg: 'cache is warm' })],
    ['unreadable', () => 'npm warn config production Use `--omit=dev` instead.'],
  ],
};

/** nestjs-pino behind a proxy, whose header names the client. */
export const NESTJS_PINO: LogForm = {
  lines: (request) => {
    const { arrived, ended, status, client, id } = request;
    const req = pinoRequest(request);
    const forwarded = `${id % 5 === 0 ? '192.0.2.77, ' : ''}${client.name}`;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded };
    const about = { level: INFO, ...PROCESS, req: { ...req, headers, remoteAddress: `::ffff:10.0.0.${7 + (id % 3)}` } };
    return [
      ...(id % 2 === 0
        ? [event(arrived, { ...about, time: arrived, context: 'ItemsService', msg: 'found 12 items' })]
        : []),
      line(ended, {
        ...about,
        time: ended,
        context: 'HTTP',
        res: { statusCode: status, headers: { 'x-powered-by': 'Express' } },
        responseTime: ended - arrived,
        msg: 'request completed',
      }),
    ];
  },
  timeOf: ({ arrived }) => arrived,
  others: [
    [
      'other event',
      (time) =>
        JSON.stringify({
          level: INFO,
          time,
          ...PROCESS,
          context: 'InstanceLoader',
          msg: 'AppModule dependencies initialized',
        }),
    ],
  ],
};

/** Requests until an application of Fastify starts again, with its first id. */
const UNTIL_RESTART = 900;

/** Fastify: the client is in the line of the arrival, and the status in that of the answer. It logs no headers. */
export const FASTIFY: LogForm = {
  lines: (request) => {
    const { arrived, ended, status, method, url, client, id } = request;
    const about = { level: INFO, ...PROCESS, reqId: `req-${((id % UNTIL_RESTART) + 1).toString(36)}` };
    const req = { method, url, host: 'www.example.com', remoteAddress: client.name, remotePort: 1_024 + id };
    return [
      line(arrived, { ...about, time: arrived, req, msg: 'incoming request' }),
      ...(id % 4 === 0 ? [event(arrived + 0.5, { ...about, time: arrived, msg: 'reads the session' })] : []),
      line(ended, {
        ...about,
        time: ended,
        res: { statusCode: status },
        responseTime: ended - arrived,
        msg: 'request completed',
      }),
    ];
  },
  timeOf: ({ arrived }) => arrived,
  others: [
    [
      'other event',
      (time) => JSON.stringify({ level: INFO, time, ...PROCESS, msg: 'Server listening at http://0.0.0.0:3000' }),
    ],
  ],
};

/** An application whose clients have keys. Those without one are browsers. */
export const KEYS: LogForm = {
  ...PINO_HTTP,
  nameOf: ({ name }) => (name.startsWith('key-') ? name : ''),
  lines: (request) => {
    const { arrived, ended, status, client } = request;
    const req = pinoRequest(request);
    const key = client.name.startsWith('key-') ? { 'x-api-key': client.name } : {};
    return [
      line(ended, {
        level: INFO,
        time: ended,
        ...PROCESS,
        req: { ...req, headers: { ...req.headers, ...key }, remoteAddress: '192.0.2.1' },
        res: { statusCode: status },
        responseTime: ended - arrived,
      }),
    ];
  },
};

function gatewayLine({ arrived, method, url, status, agent, client, id }: Answered) {
  const requestTime = new Date(arrived)
    .toUTCString()
    .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
  return {
    requestId: `c1-${id}`,
    ip: client.name,
    requestTime,
    httpMethod: method,
    path: url,
    status: String(status),
    protocol: 'HTTP/1.1',
    responseLength: '512',
    userAgent: agent,
  };
}

/** API Gateway, as its console proposes it: whole seconds. */
export const API_GATEWAY: LogForm = {
  lines: (request) => [line(request.ended, gatewayLine(request))],
  timeOf: ({ arrived }) => Math.floor(arrived / 1_000) * 1_000,
  others: [['unreadable', () => '{"requestId":"c1-","ip":"198.51']],
};

/** With the time in milliseconds beside it. */
export const API_GATEWAY_EPOCH: LogForm = {
  ...API_GATEWAY,
  lines: (request) => [line(request.ended, { ...gatewayLine(request), requestTimeEpoch: String(request.arrived) })],
  timeOf: ({ arrived }) => arrived,
};

/** Caddy, whose clients have networks of IPv6, and come with an address of theirs after the other. */
export const CADDY_IPV6: LogForm = {
  nameOf: ({ name }) => `2001:db8:0:${networkOf(name)}:0:0:0:0/64`,
  lines: (request) => {
    const { arrived, ended, method, url, status, agent, client, id } = request;
    const ip = `2001:db8:0:${networkOf(client.name)}::${(1 + (id % 900)).toString(16)}`;
    return [
      line(ended, {
        level: 'info',
        ts: ended / 1e3,
        logger: 'http.log.access.log0',
        msg: 'handled request',
        request: {
          remote_ip: ip,
          client_ip: ip,
          proto: 'HTTP/2.0',
          method,
          host: 'www.example.com',
          uri: url,
          headers: { 'User-Agent': [agent] },
        },
        user_id: '',
        duration: (ended - arrived) / 1e3,
        size: 12,
        status,
      }),
    ];
  },
  timeOf: ({ arrived }) => arrived,
  others: [
    [
      'other event',
      (time) => JSON.stringify({ level: 'warn', ts: time / 1e3, logger: 'tls', msg: 'certificate expires soon' }),
    ],
  ],
};

function networkOf(name: string): string {
  const [, , third, fourth] = name.split('.').map(Number) as [number, number, number, number];
  return (third * 256 + fourth).toString(16);
}
