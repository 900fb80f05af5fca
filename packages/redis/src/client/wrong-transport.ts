import { connect as connectPlain, type Socket } from 'node:net';

/** Where a client connects, and how. */
export interface Transport {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** The longest wait for an answer, in milliseconds. */
const TIMEOUT = 1_000;
/** What Redis answers to a PING, with or without a password. */
const REDIS = /^(\+PONG|-[A-Z]+ )/;
/** What a web server answers to it. */
const HTTP = /^HTTP\//;

/**
 * Whether a connection that failed speaks TLS to a port without it, or the reverse, or to a web server. ioredis says
 * `ECONNRESET`, `ETIMEDOUT` or a byte that it does not know then. It sends no credentials.
 *
 * @returns what is wrong and what to write. Undefined if that is not certain
 * @example
 * const mistake = await wrongTransport({ host: 'redis.example', port: 6380, isTls: false });
 */
export async function wrongTransport({ host, port, isTls }: Transport): Promise<string | undefined> {
  if (isTls) {
    const remedy = 'write redis:// instead of rediss://, or the port for TLS';
    return (await answersPing({ host, port }, REDIS))
      ? `PLAIN_PORT ${host}:${port} does not speak TLS: ${remedy}`
      : undefined;
  }
  if (await answersPing({ host, port }, HTTP))
    return `NOT_REDIS ${host}:${port} speaks HTTP: write the host and the port of Redis`;
  const remedy = 'write rediss:// instead of redis://';
  return (await speaksTls({ host, port })) ? `TLS_PORT ${host}:${port} speaks TLS: ${remedy}` : undefined;
}

type Address = Pick<Transport, 'host' | 'port'>;

function answersPing(address: Address, answer: RegExp): Promise<boolean> {
  const socket = connectPlain(address, () => socket.write('PING\r\n'));
  return ends(socket, (settle) =>
    socket.once('data', (reply: Buffer) => settle(answer.test(reply.toString('latin1')))),
  );
}

function speaksTls(address: Address): Promise<boolean> {
  // Loaded when it is needed: it takes longer than the rest of the package.
  const { connect } = process.getBuiltinModule('node:tls');
  const socket = connect({ ...address, rejectUnauthorized: false });
  return ends(socket, (settle) => {
    socket.once('secureConnect', () => settle(true));
    // One that asks for a certificate of the client has answered in TLS as well.
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => settle(code.includes('_ALERT_')));
  });
}

function ends(socket: Socket, listen: (settle: (answer: boolean) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    listen(settle);
    socket.on('error', () => settle(false));
    socket.once('close', () => settle(false));
    socket.setTimeout(TIMEOUT, () => settle(false));
  });
}
