/** A request of HTTP that is wrong, byte by byte, and its refusal. */
export interface MalformedRequest {
  readonly text: string | Buffer;
  /** The status. Undefined if the connection may be closed without an answer. */
  readonly status: number | undefined;
  /** What the body has. */
  readonly says?: RegExp;
}

const RIGHT = { limiter: 'api', request: { ip: '192.0.2.1' }, identities: { tenant: 'acme' } };

/** A request to /check with a body and headers. */
function check(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Buffer {
  return sent('POST', '/check', body, headers);
}

function sent(
  method: string,
  path: string,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { host: 'a', 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

const json = (body: unknown) => check(JSON.stringify(body));
const facts = (request: object) => json({ ...RIGHT, request });
const chunked = (chunks: string) =>
  `POST /check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;

export const MALFORMED_REQUESTS: Readonly<Record<string, MalformedRequest>> = {
  // HTTP.
  'no HTTP': { text: 'hello\r\n\r\n', status: 400 },
  'HTTP/0.9': { text: 'GET /\r\n\r\n', status: 404 },
  'HTTP/2': { text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
  'a greeting of TLS': { text: Buffer.from('16030100f4010000f00303', 'hex'), status: 400 },
  'no host': { text: 'POST /check HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}', status: 400 },
  'two lengths': {
    text: 'POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    status: 400,
  },
  'a length and chunks': {
    text: 'POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    status: 400,
  },
  'a negative length': { text: check('{}', { 'content-length': '-1' }), status: 400 },
  'a length that is none': { text: check('{}', { 'content-length': 'two' }), status: 400 },
  'a length of 1 TB': {
    text: check('{}', { 'content-length': '1000000000000' }),
    status: 413,
    says: /at most 262144 bytes/,
  },
  'a chunk without its length': { text: chunked('zz\r\n{}\r\n0\r\n\r\n'), status: 400 },
  'a chunk of 16 EiB': { text: chunked('fffffffffffffffff\r\n{}'), status: 400 },
  'chunks above the bound': {
    text: chunked(`41000\r\n${' '.repeat(0x41000)}\r\n0\r\n\r\n`),
    status: 413,
    says: /at most/,
  },
  'a header above 16 KiB': { text: check('{}', { 'x-large': 'x'.repeat(20_000) }), status: 431 },
  'a path above 16 KiB': { text: sent('POST', `/${'x'.repeat(20_000)}`), status: 431 },
  'a header with a zero': { text: check('{}', { 'x-zero': 'a\0b' }), status: 400 },
  'a folded header': {
    text: 'POST /check HTTP/1.1\r\nhost: a\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n{}',
    status: 400,
  },
  'an expectation that there is not': { text: check('{}', { expect: 'luck' }), status: 417 },
  'a change of protocol': {
    text: sent('GET', '/check', '', { connection: 'upgrade', upgrade: 'websocket' }),
    status: 404,
  },
  'a tunnel': { text: 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n', status: undefined },

  // Routes.
  'another path': { text: sent('POST', '/chek', '{}'), status: 404, says: /the routes are POST \/check/ },
  'another method': { text: sent('GET', '/check'), status: 404, says: /the routes are/ },
  'a path upwards': { text: sent('POST', '/../../etc/passwd', '{}'), status: 404 },
  'a path that every object has': { text: sent('POST', '/__proto__', '{}'), status: 404 },
  'a path as a proxy has it': { text: sent('POST', 'http://other.example/check', '{}'), status: 404 },
  'a long path': { text: sent('POST', `/${'x'.repeat(9_000)}`, '{}'), status: 404 },

  // Bodies.
  'another type': { text: check('{}', { 'content-type': 'text/plain' }), status: 415, says: /application\/json/ },
  'a form': { text: check('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), status: 415 },
  'a type that only begins so': { text: check('{}', { 'content-type': 'application/jsonp' }), status: 415 },
  'a compressed body': {
    text: check(Buffer.from('1f8b0800', 'hex'), { 'content-encoding': 'gzip' }),
    status: 415,
    says: /content-encoding/,
  },
  'no body': { text: check(''), status: 400, says: /must be JSON/ },
  'half a body': { text: check('{"limiter":'), status: 400, says: /must be JSON/ },
  'bytes that are no text': { text: check(Buffer.from([0xff, 0xfe, 0x00])), status: 400, says: /must be JSON/ },
  'a list': { text: json([]), status: 400, says: /an object/ },
  null: { text: json(null), status: 400, says: /an object/ },
  '30 000 lists within lists': { text: check('['.repeat(30_000)), status: 400 },
  '10 000 objects within objects': { text: check(`{"a":`.repeat(10_000) + '1' + '}'.repeat(10_000)), status: 400 },
  '5 000 options': {
    text: check(`{${Array.from({ length: 5_000 }, (_, at) => `"o${at}":1`).join()}}`),
    status: 400,
    says: /is not an option/,
  },

  // Facts.
  'no limiter': { text: json({}), status: 400, says: /limiter is missing/ },
  'a limiter that is no text': { text: json({ ...RIGHT, limiter: {} }), status: 400, says: /limiter must be/ },
  'a limiter that every object has': {
    text: json({ ...RIGHT, limiter: 'constructor' }),
    status: 400,
    says: /must be a limiter/,
  },
  'members of every object': { text: check('{"__proto__":{"limiter":"api"},"limiter":"api"}'), status: 400 },
  'a request that is no object': { text: json({ ...RIGHT, request: 'ip' }), status: 400, says: /request must be/ },
  'an address that is none': { text: facts({ ip: 'localhost' }), status: 400, says: /ip must be/ },
  'an address that only looks like one': { text: facts({ ip: '999.1.1.1' }), status: 400 },
  'an address of colons': { text: facts({ ip: '::::::' }), status: 400, says: /ip must be/ },
  'an address with a port': { text: facts({ ip: '192.0.2.1:443' }), status: 400, says: /ip must be/ },
  '101 headers': {
    text: facts({
      ip: '192.0.2.1',
      headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`h${at}`, 'x'])),
    }),
    status: 400,
    says: /at most 100 headers/,
  },
  'headers that are no texts': {
    text: facts({ ip: '192.0.2.1', headers: { a: ['b'] } }),
    status: 400,
    says: /headers must be/,
  },
  'a cost below 0': { text: json({ ...RIGHT, cost: -1 }), status: 400, says: /cost must be/ },
  'half a unit': { text: json({ ...RIGHT, cost: 0.5 }), status: 400, says: /cost must be/ },
  'a cost that is a text': { text: json({ ...RIGHT, cost: '1' }), status: 400, says: /cost must be/ },
  'a cost above all numbers': {
    text: check(`{"limiter":"api","request":{"ip":"192.0.2.1"},"cost":1e400}`),
    status: 400,
    says: /cost must be/,
  },
  'an empty identity': {
    text: json({ ...RIGHT, identities: { tenant: '' } }),
    status: 400,
    says: /identities\.tenant must be/,
  },
  'an identity of 60 000 characters': {
    text: json({ ...RIGHT, identities: { tenant: 'x'.repeat(60_000) } }),
    status: 400,
    says: /identities\.tenant must be/,
  },
  'an identity of 10 000 parts': {
    text: json({ ...RIGHT, identities: { tenant: { kind: 'k', parts: Array.from({ length: 10_000 }, () => 'p') } } }),
    status: 400,
  },
  'an identity without its parts': {
    text: json({ ...RIGHT, identities: { tenant: { kind: 'k' } } }),
    status: 400,
    says: /identities\.tenant must be/,
  },
  'an identity that every object has': {
    text: check('{"limiter":"api","request":{"ip":"192.0.2.1"},"identities":{"constructor":"x"}}'),
    status: 400,
    says: /identities\.tenant is missing/,
  },
  'a plan that is no text': { text: json({ ...RIGHT, plan: 1 }), status: 400, says: /plan must be/ },
  'a receipt that is none': {
    text: sent('POST', '/refund', '{"receipt":"s1.a.b"}'),
    status: 400,
    says: /was not written with the secret/,
  },
  'a receipt of 60 000 dots': {
    text: sent('POST', '/refund', JSON.stringify({ receipt: '.'.repeat(60_000) })),
    status: 400,
    says: /must be the receipt/,
  },
  'a receipt that is no text': {
    text: sent('POST', '/settle', '{"receipt":{},"cost":1}'),
    status: 400,
    says: /receipt must be/,
  },
};
