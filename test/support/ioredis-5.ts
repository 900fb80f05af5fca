// For specs in packages/core, which installs only the newest version.
export { Redis } from 'ioredis-5';
