// program/ is `npx @sluice/server`: it reads options of a shell, starts the service, and stops it at a signal. Arguments
// enter. It imports the files of the package.
export { main } from './main.js';
