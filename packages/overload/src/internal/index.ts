// internal/ is what the other packages of Sluice share with @sluice/overload. It changes without notice, so programs
// import the other entries. It re-exports shed and line, and no room imports it.
export { lineKeys } from '../line/line-keys.js';
export { Door } from '../shed/door.js';
