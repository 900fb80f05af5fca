import type { LoggedRequest } from '../../logs/lines/logged-request.js';

/** Weak points of programs, which nobody asks for but to find out whether they are open. */
const HOLES = holes(
  // Files that were never meant to be served.
  String.raw`\.env\b|\.git(?:$|/|config)|\.(?:svn|hg|aws|ssh|vscode|idea)/|\.ds_store|\.htpasswd|sftp-config\.json|wp-config\.php`,
  String.raw`(?:backup|dump|db|database|site|www)\.(?:sql|zip|rar|tar\.gz)$|id_rsa|etc/passwd`,
  // Libraries and frameworks.
  String.raw`phpunit/|eval-stdin\.php|_ignition/|telescope/requests|_profiler/|solr/admin|api/jsonws/invoke|struts2`,
  String.raw`actuator/(?:gateway|env|heapdump|jolokia)|invoker/jmx|wls-wsat|_async/async|druid/index|nacos/|thinkphp/`,
  // Routers, cameras, and doors of networks.
  String.raw`cgi-bin/(?:luci|viewlog|test-cgi|authlogin|\.|%2e)|boaform|gponform|hnap1|web_shell_cmd|hedwig\.cgi|tmunblock\.cgi`,
  String.raw`goform/|spywall/|dana-na/|\+cscoe\+|remote/fgt_lang|global-protect/|sdk$|nmaplowercheck|evox/about|containers/json`,
  // Scanners that sign what they ask for.
  String.raw`w00tw00t|muieblackcat|trinity\.txt|testproxy\.php|azenv\.php`,
);

/** Doors of programs that a site may have. A site without them answers that there is no such page. */
const DOORS = holes(
  String.raw`wp-login\.php|wp-admin(?:$|/)|xmlrpc\.php|wlwmanifest\.xml|wp-includes/|wp-content/.*\.php`,
  String.raw`(?:php)?myadmin|pma(?:$|/)|dbadmin|sqladmin|adminer|administrator(?:$|/)|manager/html|jmx-console|admin\.php`,
  String.raw`owa/|ecp/|phpinfo|shell\.php|fckeditor|ckfinder|webfig(?:$|/)|setup\.php`,
);

/** What stands in a URL to make a program run or read something else. */
const INJECTED =
  /(?:(?:\.\.|%2e%2e)(?:\/|%2f)){2}|etc(?:\/|%2f)passwd|\$\{jndi|invokefunction|auto_prepend_file|union(?:\+|%20)(?:all(?:\+|%20))?select|<\?php|@?md5\(|xdebug_session|wget(?:\+|%20)|<script|%3cscript/i;

const ABSENT: ReadonlySet<number> = new Set([404, 410, 444]);
const MALFORMED = 400;
const LONGEST = 40;
/** Characters that are looked at: a pattern takes the longer the more of a URL of any length it could begin at. */
const READ = 512;
/** What servers log where nothing was sent, and what asks about all of a server. */
const NOTHING: ReadonlySet<string> = new Set(['', '-', '*']);

/** In place of a URL. */
export const NO_HTTP = 'no HTTP';

/**
 * The known hole that a failed request asks for, short enough for a table, or that it is no HTTP. Undefined for a request
 * that a person may send: for a door of WordPress on a site that has it, too.
 */
export function knownHoleOf(request: LoggedRequest): string | undefined {
  const { status } = request;
  const path = request.path.slice(0, READ);
  if (!path.startsWith('/')) return status === MALFORMED && !NOTHING.has(path) ? NO_HTTP : undefined;
  if (HOLES.test(path) || (ABSENT.has(status) && DOORS.test(path))) return short(path);
  const url = request.url.slice(0, READ);
  return INJECTED.test(url) ? short(url) : undefined;
}

function holes(...paths: readonly string[]): RegExp {
  return new RegExp(`/(?:${paths.join('|')})`, 'i');
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
