import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The license of each package that modules come from. @param {readonly string[]} modules their paths */
export function noticesOf(modules) {
  const folders = new Set(modules.filter((path) => path.includes('node_modules')).map(packageFolder));
  const texts = [...folders].map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} is bundled, and has no license file`);
    return `${name} ${version}, ${license}\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
  });
  return ['The page of @sluice/dashboard contains these packages.\n', ...texts.toSorted()].join('\n---\n\n');
}

/** The folder with the package.json that names a package: those of folders inside of it have no name. @param {string} path */
function packageFolder(path) {
  let at = dirname(path);
  while (!/node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+$/.test(at)) at = dirname(at);
  return at;
}
