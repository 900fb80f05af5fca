import type { Policy } from '@sluice/core';
/** A policy in words: `600 a minute, sliding window`. */
export declare function policyText({ algorithm, limit, window, windows, capacity }: Policy, byRequest: boolean): string;
