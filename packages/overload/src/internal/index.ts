// What the other packages of Sluice share with @sluice/overload. It changes without notice: programs import the other entries.
export { Door } from '../shed/door.js';
