// For specs in packages/core, which does not install it.
export { Redis } from 'iovalkey';
