/**
 * What an error says of a server. `infrastructure`: it, or the way to it, is in trouble. `configuration`: it refuses, and
 * will until somebody changes something. `request`: it is well, and a request or a script is at fault.
 */
export type Fault = 'infrastructure' | 'configuration' | 'request';

/** What a server goes on refusing; to a script it says it in other words. */
const CONFIGURATION =
  /\b(NOPERM|WRONGPASS|NOAUTH|SLUICE_UNSUPPORTED|DENIED|unknown command|cluster support disabled|The user executing the script|ACL failure in script)\b/;
/** What servers say that cannot do now what they are there for. Nothing that a request holds can bring it about. */
const INFRASTRUCTURE =
  /\b(READONLY|MASTERDOWN|LOADING|OOM|BUSY|CLUSTERDOWN|NOREPLICAS|MISCONF|UNKILLABLE|max number of clients)\b/;
/** The keys of one request lie apart while their slot is moved: the servers are well, and so are all other requests. */
const MOVING = /^Too many Cluster redirections|\bTRYAGAIN\b/;
/** Node's codes for certificates and handshakes that do not fit. */
const TLS = /^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** Redis 6 puts its errors into one of the script. */
const WORD_AT_START = /^-?[A-Z][A-Z_]+ /;

/** @param error as a client reports it: of a reply, or of the connection */
export function classifyError(error: Error): Fault {
  const { message } = error;
  // A script's error quotes the script after this, and what it quotes is not what happened.
  const head = message.slice(0, 200);
  if (CONFIGURATION.test(head) || TLS.test(String((error as NodeJS.ErrnoException).code))) return 'configuration';
  if (MOVING.test(head)) return 'request';
  if (INFRASTRUCTURE.test(head)) return 'infrastructure';
  const isReply = error.name === 'ReplyError' || WORD_AT_START.test(message);
  return isReply ? 'request' : 'infrastructure';
}
