import { spanOf } from '../../logs/span.js';
import { isFile, isSignInPath } from './request-flags.js';

describe('isFile', () => {
  it.each(['/a.css', '/static/app-1.JS', '/logo.webp', '/site.webmanifest', '/intro.swf', '/bell.wav'])(
    'is true for %s',
    (path) => {
      expect(isFile(spanOf(path))).toBe(true);
    },
  );

  it.each(['/', '', '/a', '/a.css/b', '/backup.zip', '/index.php', '/.env', '/api/items.json'])(
    'is false for %s',
    (path) => {
      expect(isFile(spanOf(path))).toBe(false);
    },
  );
});

describe('isSignInPath', () => {
  it.each(['/login', '/users/sign_in', '/api/sessions/', '/wp-login.php', '/auth'])('is true for %s', (path) => {
    expect(isSignInPath(path)).toBe(true);
  });

  it.each(['/', '', '/logins/7', '/authors', '/blog', '/catalog-in-print'])('is false for %s', (path) => {
    expect(isSignInPath(path)).toBe(false);
  });
});
