import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
import { isMain } from './root.mjs';

export const chromiumAdvice =
  'test/browser did not run, because it needs Chromium: install it, or set SLUICE_CHROMIUM to its path.';

/** The path of Chromium. Installs it where that is allowed. Undefined on a system without it. */
export function chromium() {
  return find() ?? (install() ? find() : undefined);
}

function find() {
  const named = process.env['SLUICE_CHROMIUM'];
  if (named) return isProgram(named) ? named : undefined;
  return onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome');
}

/** It needs many libraries, and starts no service. */
function install() {
  if (process.env['SLUICE_CHROMIUM']) return false;
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
  return apt(...packages) || (apt('update') && apt(...packages));
}

if (isMain(import.meta.url)) console.log(chromium() ?? chromiumAdvice);
