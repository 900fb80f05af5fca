import { isNativeError } from 'node:util/types';
import { StoreError, type ErrorCode } from '@sluice/core/internal';

/**
 * The cause of an error. `infrastructure`: the server or the connection is in trouble. `configuration`: the server
 * refuses until an operator changes something. `request`: the server is fine, and a request or a script is wrong.
 */
export type Fault = 'infrastructure' | 'configuration' | 'request';

/** A server refuses these until its configuration or ours changes. The last two come from scripts. */
const CONFIGURATION =
  /\b(NOPERM|WRONGPASS|NOAUTH|SLUICE_UNSUPPORTED|CLUSTER_NODE|SENTINEL_GROUP|TLS_PORT|PLAIN_PORT|NOT_REDIS|DB_INDEX|DENIED|unknown command|cluster support disabled|The user executing the script|ACL failure in script)\b/;
/** The server cannot work now. No content of a request can cause one of these. */
const INFRASTRUCTURE =
  /\b(READONLY|MASTERDOWN|LOADING|OOM|BUSY|CLUSTERDOWN|NOREPLICAS|MISCONF|UNKILLABLE|max number of clients)\b/;
/** A server replies so instead of running a command. */
const INSTEAD =
  /^-?(NOPERM|NOAUTH|WRONGPASS|READONLY|OOM|LOADING|MASTERDOWN|MISCONF|CLUSTERDOWN|NOREPLICAS|BUSY|CLUSTER_NODE|ERR unknown command)\b/;
/** A server that is another one, or has another master, after a new connection. */
const OF_SERVER = /\b(READONLY|MASTERDOWN)\b/;
/** A user that has lost its rights. Another connection may have a new user or password. */
const OF_USER = /\b(NOPERM|NOAUTH)\b/;
/** A script that has met an error may have written before. */
const IN_SCRIPT = /\bscript: |@user_script/;
/** The keys of one request are on two nodes while their slot moves. The servers and all other requests are fine. */
const MOVING = /^Too many Cluster redirections|\bTRYAGAIN\b/;
/** Codes of Node for a wrong certificate or a failed handshake. */
const TLS = /^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** Errors of a node of a Cluster. A client of a Cluster never reports them. */
const OTHER_SLOT = /^(MOVED|ASK|CROSSSLOT)\b/;
/** Redis 7.0 does not name the command. */
const NAMELESS_RIGHT = /The user executing the script can't run this command/;
const NO_RIGHT =
  'NOPERM in script: the user of the store may not run one of its commands, which Redis 7.0 does not name: `npx @sluice/cli doctor --user NAME` does';
const NO_SCRIPTS = /unknown command '?`?eval/i;
const WITHOUT_SCRIPTS =
  "this server has no EVAL and no EVALSHA. If it is a Sentinel, write redisStore({ sentinels: [{ host, port }], name: 'GROUP' }); any other server must not rename or remove them";
/** The code of a reply. Redis 6 wraps an error inside an error of the script. */
const STARTS_WITH_CODE = /^-?[A-Z][A-Z_]+ /;
/** A script error quotes the script after this length, and the quoted text is not the cause. */
const MAX_HEAD_LENGTH = 200;
/** ioredis waits for a random time before it looks for the Sentinels again. One problem has one text. */
const RANDOM_WAIT = / Retrying from scratch after [\d.]+ms\./;
/** A server that wants a password names commands of Redis, and not what an application has to write. */
const NO_PASSWORD = /^NOAUTH .*/s;
const WANTS_PASSWORD =
  "NOAUTH this Redis wants a password: write redisStore({ url: 'redis://:password@host:6379' }), or connection: { password }; a client of your own takes it in its own options";
/** The messages of ioredis for a command that it does not resend, and for one that it could not send. */
const NOT_RESENT = /^(Reached the max retries per request limit |Stream isn't writeable ).*/s;

/** @param error from a reply or from the connection, as the client reports it */
export function classifyError(error: Error): Fault {
  const head = error.message.slice(0, MAX_HEAD_LENGTH);
  if (CONFIGURATION.test(head) || TLS.test(String((error as NodeJS.ErrnoException).code))) return 'configuration';
  if (MOVING.test(head)) return 'request';
  if (INFRASTRUCTURE.test(head)) return 'infrastructure';
  return isReply(error) ? 'request' : 'infrastructure';
}

/**
 * True for an error that only another connection can end: the name of the server points at a new master by now, or the
 * user of this connection was replaced.
 *
 * @param hasAnswered the server has answered once. Without that its user has never had the rights
 */
export function endsWithConnection(error: Error, hasAnswered: boolean): boolean {
  const head = error.message.slice(0, MAX_HEAD_LENGTH);
  return OF_SERVER.test(head) || (hasAnswered && OF_USER.test(head));
}

/** True if the server replied with this error. The name says so with ioredis, and the code with other clients. */
export function isReply({ name, message }: Error): boolean {
  return name === 'ReplyError' || STARTS_WITH_CODE.test(message);
}

/** True for the StoreError of a server that refuses until its configuration or ours changes. */
export function isRefusal(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return isNativeError(cause) && classifyError(cause) === 'configuration';
}

/** True for the StoreError of a call that the server has refused before it ran. */
export function changedNothing(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return isNativeError(cause) && INSTEAD.test(cause.message) && !IN_SCRIPT.test(cause.message);
}

/** Converts an error of a client. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const redacted = redactCommand(cause);
  const { message } = redacted;
  if (message.startsWith('WRONGTYPE')) return unreadableKey(message);
  const code: ErrorCode = message.includes('SLUICE_UNSUPPORTED') ? 'STORE_UNSUPPORTED' : 'STORE_UNAVAILABLE';
  return new StoreError(code, `Redis could not answer: ${message}`, { cause: redacted });
}

/** The error of a key that holds other data. Other requests of the same call are not affected. */
export function unreadableKey(problem: string): StoreError {
  return new StoreError('STORE_KEY_UNREADABLE', `a key of this request does not hold state of its tier: ${problem}`);
}

/** The error of a call that is not sent. */
export function unreachable(why: string, cause?: Error): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `Redis cannot be reached: ${why}`, cause && { cause });
}

/** The error of a client, without keys. A node of a Cluster names slots, and each text would be another problem. */
export function toServerError(cause: unknown, isCluster: boolean): Error {
  const error = redactCommand(cause);
  if (NAMELESS_RIGHT.test(error.message)) return replyOf(NO_RIGHT);
  if (NO_SCRIPTS.test(error.message)) return replyOf(`${error.message}: ${WITHOUT_SCRIPTS}`);
  if (isCluster || !OTHER_SLOT.test(error.message)) return error;
  return new Error('CLUSTER_NODE the server is a node of a Cluster: connect with redisStore({ cluster: [...] })');
}

/** An error that a server has replied, in other words. */
function replyOf(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

/** The error of a reply that is not that of a script. */
export function foreignReply(): Error {
  return new Error(
    'SLUICE_UNSUPPORTED a script got a reply of another form: use Redis or Valkey, and memoryStore() in tests',
  );
}

/** A copy of an error without the command that ioredis adds: keys, recorded texts and the password of AUTH. */
export function redactCommand(cause: unknown): Error {
  // A module in a VM context gets system errors from another realm, where `instanceof Error` fails.
  if (!isNativeError(cause)) return new Error(String(cause));
  // A server quotes the arguments of an unknown command, and keys must not appear in logs.
  const message = (cause.message || messagesOf(cause))
    .replace(/, with args beginning with:.*/s, '')
    .replace(RANDOM_WAIT, '')
    .replace(NO_PASSWORD, WANTS_PASSWORD)
    .replace(NOT_RESENT, 'the connection was lost');
  const redacted = new Error(message, cause.cause ? { cause: redactCommand(cause.cause) } : undefined);
  redacted.name = cause.name;
  const { code } = cause as NodeJS.ErrnoException;
  return code === undefined ? redacted : Object.assign(redacted, { code });
}

/** Node names no problem itself if each address of a host has failed, as of `localhost`. */
function messagesOf({ errors = [] }: Error & { readonly errors?: readonly Error[] }): string {
  return errors.map(({ message }) => message).join(', ');
}
