import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { knownHoleOf, NO_HTTP } from './known-hole.js';

const holeOf = (url: string, status: number) => knownHoleOf({ url, path: url.split('?')[0], status } as LoggedRequest);

describe('knownHoleOf', () => {
  it.each([
    ['/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php', 404],
    ['/.env', 403],
    ['/app/.env.production', 404],
    ['/.git/config', 404],
    ['/solr/admin/info/system?wt=json', 404],
    ['/wp-login.php', 404],
    ['/blog/wp-admin/', 404],
    ['/cgi-bin/luci/;stok=/locale', 404],
    ['/boaform/admin/formLogin', 404],
    ['/actuator/gateway/routes', 404],
    ['/HNAP1/', 404],
    ['/manager/html', 404],
    ['/phpMyAdmin-4.9/index.php', 404],
    ['/sdk', 404],
    ['/index.php?s=/Index/\\think\\app/invokefunction&function=call_user_func_array', 404],
    ['/download?file=../../../../etc/passwd', 400],
    ['/cgi-bin/.%2e/.%2e/bin/sh', 400],
  ])('knows that of %s, answered %i', (url, status) => {
    expect(holeOf(url, status)).toBe(
      url.includes('?s=') || url.includes('?file') ? short(url) : short(url.split('?')[0]!),
    );
  });

  it.each([
    ['/', 404],
    ['/old-page', 404],
    ['/environment', 404],
    ['/blog/what-is-a-.env-file', 404],
    ['/actuator/health', 404],
    ['/cgi-bin/imagemap/countdown', 404],
    ['/admin', 403],
    ['/wp-login.php', 403],
    ['/wp-admin/', 401],
    ['/.well-known/security.txt', 404],
    ['/autodiscover/autodiscover.xml', 404],
    ['/sdk/download', 404],
    ['/font/roboto.woff2%22),url(../font/roboto.woff', 404],
  ])('takes %s, answered %i, for a request that a person may send', (url, status) => {
    expect(holeOf(url, status)).toBeUndefined();
  });

  it('looks at the first part of a long URL alone', () => {
    expect(holeOf(`/${'wp-content/'.repeat(1_000)}a.php`, 404)).toBeUndefined();
    expect(holeOf(`/?${'a'.repeat(1_000)}=/etc/passwd`, 404)).toBeUndefined();
  });

  it.each(['\\x16\\x03\\x01', '../../mnt/custom', 'example.com:443'])('knows that %s is no HTTP', (line) => {
    expect(holeOf(line, 400)).toBe(NO_HTTP);
  });

  it.each(['', '-', '*'])('says nothing of a connection that sent %j', (line) => {
    expect(holeOf(line, 400)).toBeUndefined();
  });
});

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
