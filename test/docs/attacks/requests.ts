import { remainingOf, statusesOf } from '../../support/responses.js';
import type { Site, TestRequest } from '../../support/site.js';

/** Requests of one client, each of which claims to be another client, or no request at all. */
export function forged(path = '/', method = 'GET'): readonly TestRequest[] {
  const headers: Readonly<Record<string, string>>[] = [
    { 'X-Forwarded-For': '203.0.113.1' },
    { 'X-Forwarded-For': '2001:db8::1, 127.0.0.1' },
    { Forwarded: 'for=203.0.113.2' },
    { 'X-Real-IP': '203.0.113.3', 'True-Client-IP': '203.0.113.4' },
    { 'CF-Connecting-IP': '203.0.113.5', 'X-Client-IP': '203.0.113.6' },
    { 'X-HTTP-Method-Override': 'OPTIONS', 'X-Original-URL': '/health' },
    { 'If-None-Match': '*', 'Cache-Control': 'no-cache' },
    { Upgrade: 'h2c', Origin: 'https://evil.example' },
  ];
  return headers.map((each) => ({ method, path, headers: each }));
}

/** The same, and a preflight that has a body. */
export function forgedAndPreflight(path = '/'): readonly TestRequest[] {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' };
  return [...forged(path), { method: 'OPTIONS', path, headers, body: 'x' }, { method: 'HEAD', path }];
}

/** Sends requests, and expects each of them to spend one unit of a new budget. */
export async function expectOneBudget(site: Site, limit: number, requests: readonly TestRequest[]): Promise<void> {
  const left = remainingOf(await site.sendEach(requests));
  expect(left).toEqual(left.map((_, index) => Math.max(0, limit - 1 - index)));
}

/** Sends requests at the same time, and expects that so many are admitted. */
export async function expectAdmitted(site: Site, count: number, requests: readonly TestRequest[]): Promise<void> {
  const responses = await Promise.all(requests.map((each) => site.send(each)));
  expect(statusesOf(responses).filter((status) => status < 400)).toHaveLength(count);
}

/** A request with a body of JSON. */
export function post(body: unknown, path = '/', headers: Readonly<Record<string, string>> = {}): TestRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** The same several times. */
export function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}
