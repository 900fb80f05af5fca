import type { Span } from '../../logs/lines/span.js';

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
export function isFile({ bytes, start, end }: Span): boolean {
  const least = Math.max(start, end - LONGEST - 1);
  for (let at = end - 1; at >= least; at -= 1) {
    const byte = bytes[at];
    if (byte === SLASH) return false;
    if (byte === DOT) return EXTENSIONS.has(bytes.toString('latin1', at + 1, end).toLowerCase());
  }
  return false;
}

const SIGN_IN_PATH =
  /\/(?:[\w-]*[-_])?(?:log[-_]?in|sign[-_]?in|sessions?|authenticate|auth|credentials)(?:[-_]?form)?(?:\.(?:php|aspx?|jsp|do|html))?\/?$/i;
const SIGN_UP_PATH =
  /\/(?:[\w-]*[-_])?(?:register|registration|registrations|sign[-_]?up|join|create[-_]?account|users)(?:[-_]?form)?(?:\.(?:php|aspx?|jsp|do|html))?\/?$/i;

/** True for a path whose words frameworks use for signing in. */
export function isSignInPath(path: string): boolean {
  return SIGN_IN_PATH.test(path);
}

/** True for a path whose words frameworks use for signing in, or for a new account. */
export function isFormPath(path: string): boolean {
  return SIGN_IN_PATH.test(path) || SIGN_UP_PATH.test(path);
}
