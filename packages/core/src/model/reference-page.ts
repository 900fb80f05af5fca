/** Where the published package has it: for an application that was bundled into one file. */
const PUBLISHED = 'https://unpkg.com/@sluice/core/docs/reference';
/** Folders from a module to that of the package, or of the repository. */
const MAX_DEPTH = 4;

let folder: string | undefined;

/**
 * Names a section of the reference by its file in the package: from the working directory, because an absolute path says
 * more of a server than its clients should read. Package managers put the package into different folders.
 *
 * @param section such as `errors.md#cost_invalid`
 */
export function referencePage(section: string): string {
  folder ??= find() ?? PUBLISHED;
  return `${folder}/${section}`;
}

/** Looked for when it is first needed, by modules that only Node has. */
function find(): string | undefined {
  const [fs, path] = [process.getBuiltinModule?.('node:fs'), process.getBuiltinModule?.('node:path')];
  // A bundler may leave neither.
  let base = import.meta.dirname;
  if (fs === undefined || path === undefined || base === undefined) return undefined;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    base = path.dirname(base);
    const pages = path.join(base, 'docs', 'reference');
    if (fs.existsSync(path.join(pages, 'errors.md'))) return path.relative('', pages).split(path.sep).join('/');
  }
  return undefined;
}
