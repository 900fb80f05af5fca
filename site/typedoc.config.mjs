import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from '../scripts/workspace.mjs';

/** The built declarations of each entry point of each package. */
const entryPoints = publishedPackages().flatMap((folder) => {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((entry) => (entry.import?.types ? [join(folder, entry.import.types)] : []));
});

/** @type {Partial<import('typedoc').TypeDocOptions> & Partial<import('typedoc-plugin-markdown').PluginOptions>} */
export default {
  entryPoints,
  tsconfig: 'tsconfig.typedoc.json',
  plugin: ['typedoc-plugin-markdown', './typedoc-names.mjs'],
  out: 'pages/api',
  readme: 'none',
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  disableSources: true,
  excludeInternal: true,
  // Those that classes inherit from Node, such as `Error.stackTraceLimit`.
  excludeExternals: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  logLevel: 'Warn',
};
