// The entry point for tools of operators: the command line and the dashboard.
export { clientOf } from '../stores/redis/redis-store.js';
