import { spanOf } from '../../logs/lines/span.js';
import { isFile, isFormPath, isSignInPath } from './request-flags.js';

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
  it.each(['/login', '/users/sign_in', '/api/sessions/', '/wp-login.php', '/auth', '/login_form', '/Login.aspx'])(
    'is true for %s',
    (path) => {
      expect(isSignInPath(path)).toBe(true);
    },
  );

  it.each(['/', '', '/logins/7', '/authors', '/blog', '/catalog-in-print'])('is false for %s', (path) => {
    expect(isSignInPath(path)).toBe(false);
  });
});

describe('isFormPath', () => {
  it.each(['/register', '/users/sign_up', '/join_form', '/api/users/', '/create-account.php', '/login'])(
    'is true for %s',
    (path) => {
      expect(isFormPath(path)).toBe(true);
    },
  );

  it.each(['/', '/registered', '/users/7', '/joined'])('is false for %s', (path) => {
    expect(isFormPath(path)).toBe(false);
  });
});
