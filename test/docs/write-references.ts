import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { cliReference, migrateReference } from './cli/reference.js';
import { keysReference } from './keys/reference.js';
import { metricsReference } from './metrics/reference.js';
import { modelsPage } from './model-results.js';
import { overloadGuide, overloadPage } from './overload-results.js';
import { proofPage } from './simulation-results.js';
import { openApi as dashboardApi } from '../../packages/dashboard/src/api/open-api.js';
import { limitsSchema } from '../../packages/policies/src/document/limits-schema.js';
import { openApi } from '../../packages/server/src/http/open-api.js';
import { rulesSchema } from '../../packages/server/src/rules/rules-schema.js';

// npm run reference
const folder = join(root, 'docs', 'reference');
writeFileSync(join(folder, 'cli.md'), cliReference());
writeFileSync(join(folder, 'migrate.md'), migrateReference());
writeFileSync(join(folder, 'keys.md'), keysReference());
writeFileSync(join(folder, 'metrics.md'), metricsReference());
writeFileSync(join(root, 'docs', 'models.md'), modelsPage());
writeFileSync(join(root, 'docs', 'proof.md'), proofPage());
writeFileSync(join(root, 'docs', 'benchmarks', 'overload.md'), overloadPage());
writeFileSync(join(root, 'docs', 'guide', 'overload.md'), overloadGuide());
writeFileSync(
  join(root, 'packages', 'policies', 'limits.schema.json'),
  `${JSON.stringify(limitsSchema(), undefined, 2)}\n`,
);
const server = join(root, 'packages', 'server');
const serverSchema = limitsSchema({ server: rulesSchema });
writeFileSync(join(server, 'limits.schema.json'), `${JSON.stringify(serverSchema, undefined, 2)}\n`);
writeFileSync(join(server, 'openapi.json'), `${JSON.stringify(openApi(), undefined, 2)}\n`);
const dashboard = join(root, 'packages', 'dashboard');
writeFileSync(join(dashboard, 'openapi.json'), `${JSON.stringify(dashboardApi(), undefined, 2)}\n`);
