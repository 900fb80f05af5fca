export { createDashboard } from './dashboard.js';
