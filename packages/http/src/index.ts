// @sluice/http limits requests of any framework: `createGate` for Node, `createWebGate` for Request and Response.
// Requests enter, and admissions or denials leave with headers and a body. It imports @sluice/core.
export * from './app/index.js';
export type { Admission, Admitted, Denial } from './gate/admission.js';
export type { HeaderFormat } from './headers/header-formats.js';
export { createGate, type Gate } from './gate/gate.js';
export type { GateOptions } from './gate/gate-options.js';
export { holdWhile } from './gate/held-request.js';
export type { GateResponse } from './request/response.js';
export { trustProxy, type ClientAddress } from './request/trust-proxy.js';
export type { WebAdmission, WebAdmitted, WebDenial } from './web/web-admission.js';
export { createWebGate, type WebGate, type WebGateOptions } from './web/web-gate.js';
export {
  definePolicy,
  limitersOf,
  statsOf,
  tracksOf,
  type ConsumeOptions,
  type ErrorCode,
  type LimiterView,
  type PolicyOptions,
  type Source,
  type StoreStats,
  type TierPolicy,
  type TierView,
  type Track,
} from '@sluice/core';
