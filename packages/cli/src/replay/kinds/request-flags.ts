/** What a request is, in bits of one byte. */
export const FILE = 1;
/** An attempt to sign in. */
export const SIGN_IN = 2;
/** Left out by `--only` or `--without`. */
export const LEFT_OUT = 4;

/** Of what a page pulls in, which nginx or a CDN usually serves. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  'css js mjs map png jpg jpeg gif svg webp avif ico bmp xbm woff woff2 ttf otf eot mp4 webm mp3 ogg wav swf mpg mpeg mov avi webmanifest'.split(
    ' ',
  ),
);
const LONGEST = 11;
const DOT = 46;
const SLASH = 47;

/** True for a style sheet, script, picture, font or film, by the extension of the path. */
export function isFile(path: string): boolean {
  const least = Math.max(0, path.length - LONGEST - 1);
  for (let at = path.length - 1; at >= least; at -= 1) {
    const code = path.charCodeAt(at);
    if (code === SLASH) return false;
    if (code === DOT) return EXTENSIONS.has(path.slice(at + 1).toLowerCase());
  }
  return false;
}

const SIGN_IN_PATH =
  /\/(?:[\w-]*[-_])?(?:log[-_]?in|sign[-_]?in|sessions?|authenticate|auth|credentials|wp-login\.php)\/?$/i;
/** Of the last letters of these paths: few others end so, and a pattern takes longer. */
const LAST = new Set('nNsSeEhHpP/'.split('').map((letter) => letter.charCodeAt(0)));

/** True for a path whose words frameworks use for signing in. */
export function isSignInPath(path: string): boolean {
  return LAST.has(path.charCodeAt(path.length - 1)) && SIGN_IN_PATH.test(path);
}
