import { Converter, ReflectionKind } from 'typedoc';

/**
 * Names each entry point as a program imports it: 'core/dist/esm/app' becomes 'core/app'.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = module.name.replace('/dist/esm', '');
    }
  });
}
