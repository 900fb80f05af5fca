export { startTraces, type TracesOptions } from './start-traces.js';
