import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
import { isMain } from './root.mjs';

export const chromiumAdvice =
  'test/browser did not run, because it needs Chromium: install it, or set SLUICE_CHROMIUM to its path.';

/** The path of Chromium. Installs it where that is allowed. Undefined on a system without it. */
export function chromium() {
  return find() ?? (install() ? find() : undefined);
}

/** Chromium without windows: it takes half the CPU of the others, which make a window for each context. */
const SHELL = 'chromium-headless-shell';

function find() {
  const named = process.env['SLUICE_CHROMIUM'];
  if (named) return isProgram(named) ? named : undefined;
  return onPath(SHELL) ?? onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome');
}

/** It needs many libraries, and starts no service. Ubuntu has no shell. */
function install() {
  if (process.env['SLUICE_CHROMIUM']) return false;
  const add = (/** @type {string} */ name) =>
    apt('install', '-y', '--no-install-recommends', name, 'fonts-dejavu-core');
  const addEither = () => add(SHELL) || add('chromium');
  return addEither() || (apt('update') && addEither());
}

if (isMain(import.meta.url)) console.log(chromium() ?? chromiumAdvice);
